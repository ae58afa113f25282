"""The expected score of a position and how uncertain it is, given who is likely to own each point."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK
from goban.position import Position
from goban.rulesets import Ruleset

CORRELATION: Final = 0.57  # variance of the score over the sum of the points' variances
INTERVAL: Final = 1.645  # standard deviations on either side of the expected score that hold 90%


def expected_points(
    position: Position, ownership: NDArray[np.float32], ruleset: Ruleset, komi: float
) -> tuple[float, float]:
    """Return the expected points of Black and of White.

    Args:
        position: side N, with its prisoners.
        ownership: float32 (N, N) in [-1, 1], +1 Black.
        ruleset: decides between area and territory.
        komi: everything that White is given, in points.

    By territory rules a player's own stones count nothing, and stones that will be captured count twice. From now on
    both sides fill the same number of points, which is not taken off, or the side to move one more: half a point on
    average. So both have more points than in the end; the difference is the expected score.
    """
    if ruleset.counting == "area":
        surplus = float(ownership.sum(dtype=np.float64))
        return (ownership.size + surplus) / 2, (ownership.size - surplus) / 2 + komi
    chance = (1 + ownership.astype(np.float64)) / 2
    black = chance * (1 - position.stones)
    white = (1 - chance) * (1 + position.stones)
    black_fills, white_fills = (0.5, 0.0) if position.to_move == BLACK else (0.0, 0.5)
    return (
        float(black.sum()) + position.prisoners[0] - black_fills,
        float(white.sum()) + position.prisoners[1] - white_fills + komi,
    )


def expected_score(position: Position, ownership: NDArray[np.float32], ruleset: Ruleset, komi: float) -> float:
    """Return Black's expected points minus White's; see `expected_points`."""
    black, white = expected_points(position, ownership, ruleset, komi)
    return black - white


def score_deviation(ownership: NDArray[np.float32]) -> float:
    """Return the standard deviation of the score in points, for models that do not predict it.

    Args:
        ownership: (N, N) in [-1, 1].
    """
    return math.sqrt(CORRELATION * float(np.sum(1 - np.square(ownership, dtype=np.float64))))


def win_probability(lead: float, deviation: float) -> float:
    """Return the probability that the final score is above 0, a draw counting half.

    Args:
        lead: expected score in points.
        deviation: its standard deviation in points.
    """
    return 0.5 * (1 + math.erf(lead / max(deviation, 1e-6) / math.sqrt(2)))
