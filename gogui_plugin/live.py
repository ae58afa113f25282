"""Analysis that streams until the client sends something: lz-analyze, kata-analyze and their variants."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.counting.expected import win_probability
from goban.errors import shown
from goban.game import Game
from goban.symmetry import SYMMETRIES
from gogui_plugin.analysis_request import Request, parse_request
from gogui_plugin.arguments import is_colour, parse_colour
from gogui_plugin.engine import make_move
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.lines import Writer, kata_line, leela_line
from gogui_plugin.session import Action, Session
from ownership.players.mcts import MctsPlayer
from ownership.search.leaves import NetworkLeaves
from ownership.search.mcts.search import TreeSearch
from ownership.search.options import Limits

_SYMMETRIES: Final = (*map(str, SYMMETRIES), "all")


def _analyze(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Check all arguments, then return the lines: an answer that has started cannot fail any more."""
    request = parse_request(command, session)
    game = session.turn(request.colour).game
    search = session.search(game)
    visits = search.run(game, Limits(), lambda: session.wait(0), request.forbidden.plies)
    return _until_input(session, request, _lines(request, search, visits, writer), writer, search)


def _until_input(
    session: Session, request: Request, lines: Iterator[str], writer: Writer, search: TreeSearch
) -> Iterator[str]:
    """Yield the lines of a search, and where it ends for want of room or of lines, the last one again and again."""
    yield from lines
    while not session.wait(request.seconds):
        if line := writer(request, search):
            yield line


def _genmove(writer: Writer, session: Session, command: Command) -> Iterator[str]:
    """Search and play the best move that was shown; other players than those of a tree show nothing."""
    request = parse_request(command, session)
    player = session.player()
    if not isinstance(player, MctsPlayer):
        return iter([f"play {make_move(session, request.colour, session.choose(request.colour))}"])
    return _stream_and_move(session, request, player, writer)


def _stream_and_move(session: Session, request: Request, player: MctsPlayer, writer: Writer) -> Iterator[str]:
    began, turn = time.monotonic(), session.turn(request.colour)
    search = player.search(turn.game)
    visits = search.run(turn.game, player.limits_of(turn), session.interrupted, request.forbidden.plies)
    yield from _lines(request, search, visits, writer)
    if line := writer(request, search):
        yield line
    point = player.decide(turn, player.estimate(turn), player.thought(turn, search.result()))
    session.charge(request.colour, began)
    yield f"play {make_move(session, request.colour, point)}"


def _lines(request: Request, search: TreeSearch, visits: Iterator[int], writer: Writer) -> Iterator[str]:
    """Yield a line as soon as there is a move to show, and one after each interval."""
    due = 0.0
    for _ in visits:
        if time.monotonic() >= due and (line := writer(request, search)):
            yield line
            due = time.monotonic() + request.seconds


def raw_network(session: Session, command: Command) -> str:
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
    wins = win_probability(leaf.score, leaf.deviation) if leaf.wins is None else leaf.wins
    policy = np.full(side * side + 1, np.nan)
    legal = game.legal_moves()
    np.copyto(policy, 1 / legal.sum() if prediction.policy is None else prediction.policy, where=legal)
    return "\n".join(
        [
            f"symmetry {symmetry}",
            f"whiteWin {1 - wins:.6f}",
            f"whiteLoss {wins:.6f}",
            "noResult 0.000000",
            f"whiteLead {-leaf.score:.3f}",
            f"whiteScoreSelfplay {-leaf.score:.3f}",
            f"shorttermScoreError {leaf.deviation:.3f}",
            "policy",
            *_rows(policy[:-1].reshape(side, side)),
            f"policyPass {policy[pass_point(side)]:.6f}",
            "whiteOwnership",
            *_rows(-prediction.ownership),
        ]
    )


def _rows(values: NDArray[np.floating]) -> list[str]:
    return [" ".join("NAN" if math.isnan(v) else f"{v:.6f}" for v in row) for row in (values + 0.0).tolist()]


_Stream = Callable[[Writer, Session, Command], Iterator[str]]


def _with(stream: _Stream, writer: Writer) -> Action:
    return partial(stream, writer)


ACTIONS: Final[Mapping[str, Action]] = {
    "lz-analyze": _with(_analyze, leela_line),
    "lz-genmove_analyze": _with(_genmove, leela_line),
    "kata-analyze": _with(_analyze, kata_line),
    "kata-genmove_analyze": _with(_genmove, kata_line),
    "analyze": _with(_analyze, kata_line),
    "genmove_analyze": _with(_genmove, kata_line),
    "kata-raw-nn": raw_network,
}
