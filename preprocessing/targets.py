"""From a finished game to the owner of each point, or the reason why there is none."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from goban.scoring import owners
from preprocessing import gnugo
from preprocessing.gnugo import GnuGo, GnuGoError
from preprocessing.record import Game

MIN_MOVES_PER_POINT = 0.25
REJECTIONS = {
    "not counted": "the game ended by resignation, on time or without a result",
    "too short": "fewer moves than a quarter of the board's points",
    "side": "GNU Go plays on sides 5 to 19 only",
    "gnugo timeout": "GNU Go did not finish the game in time",
    "gnugo crash": "GNU Go ended with an error or was killed at its memory limit",
    "gnugo output": "GNU Go wrote no readable game",
    "score differs": "the final board does not give the recorded score within the tolerance",
    "duplicate": "the same moves occurred earlier in the input",
}


class Rejected(InputError):
    """A game that gives no training target; `reason` is a key of REJECTIONS."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, eq=False)
class Label:
    """Who owned what in the end.

    target: int8 (N, N), 1 Black, -1 White, 0 nobody (dame, and empty points in a seki).
    score: points, Black minus White under area counting, the record's komi included.
    scorer: what decided, such as "GNU Go 3.8".
    seconds: wall time of the scoring.
    """

    target: NDArray[np.int8]
    score: float
    scorer: str
    seconds: float


@dataclass(frozen=True)
class Labeller:
    """Finishes counted games with GNU Go and accepts those whose score agrees with the record.

    tolerance: points by which the score of the final board, which is counted by area, may differ from the
    recorded one. Records under territory rules differ by an honest point when one side played one stone more
    than the other or dame were left open, hence 1.5; GNU Go's users classically allow 6.
    """

    gnugo: GnuGo
    scorer: str
    tolerance: float = 1.5

    def label(self, game: Game) -> Label:
        """Return the target of one game; raise Rejected. It does not look for duplicates."""
        recorded = _recorded_score(game)
        try:
            finished = self.gnugo.finish(game)
        except GnuGoError as error:
            raise Rejected(error.reason, error.detail) from error
        target = owners(finished.stones, np.zeros_like(finished.stones, dtype=bool))
        score = float(target.sum()) - game.komi
        if abs(score - recorded) > self.tolerance:
            raise Rejected("score differs", f"recorded {recorded:+g}, counted {score:+g}")
        return Label(target, score, self.scorer, finished.seconds)


def _recorded_score(game: Game) -> float:
    """Return the recorded score, Black minus White, or raise Rejected for games that cannot be labelled."""
    recorded = game.result.score
    if recorded is None:
        raise Rejected("not counted", f"result {game.result.text or 'missing'}")
    points = game.side**2
    if len(game.moves) < MIN_MOVES_PER_POINT * points:
        raise Rejected("too short", f"{len(game.moves)} moves on {points} points")
    if not gnugo.MIN_SIDE <= game.side <= gnugo.MAX_SIDE:
        raise Rejected("side", f"{game.side}x{game.side}")
    return recorded
