"""KataGo's command `kata-raw-nn`: the outputs of the network about the position on the board."""

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import SYMMETRIES, pass_point
from goban.errors import shown
from goban.game import Game
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.gtp_arguments import is_colour, parse_colour
from gogui_plugin.session import Action, Session
from ownership.search.leaf_evaluation import NetworkLeaves

_SYMMETRIES: Final = (*map(str, SYMMETRIES), "all")


def _raw_network(session: Session, command: Command) -> str:
    """Return the answer to `kata-raw-nn [COLOR] SYMMETRY`: the network's outputs, from White's view, for a symmetry.

    With `all` it has a block of lines for each of the eight.
    """
    words = list(command.arguments)
    colour = parse_colour(words.pop(0)) if words and is_colour(words[0]) else None
    if len(words) != 1 or words[0].lower() not in _SYMMETRIES:
        raise GtpError(f"expected a colour or none, and a symmetry 0 to 7 or all. Received: {shown(command.text)}")
    game, symmetry = session.turn(colour).game, words[0].lower()
    chosen = SYMMETRIES if symmetry == "all" else (int(symmetry),)
    return "\n".join(_raw_outputs(session, game, each) for each in chosen)


def _raw_outputs(session: Session, game: Game, symmetry: int) -> str:
    position, side, evaluator = game.position, game.side, session.model.evaluator
    [prediction] = evaluator.evaluate([position], [symmetry], game.terms)
    leaf = NetworkLeaves(evaluator, game.ruleset, game.terms.total_komi).leaf(position, prediction)
    policy = np.full(side * side + 1, np.nan)
    legal = game.legal_points()
    np.copyto(policy, 1 / legal.sum() if prediction.policy is None else prediction.policy, where=legal)
    return "\n".join(
        [
            f"symmetry {symmetry}",
            f"whiteWin {1 - leaf.black_wins:.6f}",
            f"whiteLoss {leaf.black_wins:.6f}",
            "noResult 0.000000",
            f"whiteLead {-leaf.score:.3f}",
            f"whiteScoreSelfplay {-leaf.score:.3f}",
            f"shorttermScoreError {leaf.deviation:.3f}",
            "policy",
            *_rows(policy[:-1].reshape(side, side)),
            f"policyPass {policy[pass_point(side)]:.6f}",
            "whiteOwnership",
            *_rows(-prediction.owners),
        ]
    )


def _rows(values: NDArray[np.floating]) -> list[str]:
    return [" ".join("NAN" if math.isnan(v) else f"{v:.6f}" for v in row) for row in (values + 0.0).tolist()]


RAW_NETWORK_ACTIONS: Final[Mapping[str, Action]] = {"kata-raw-nn": _raw_network}
