"""The expected score of a board by who is likely to own each point: its deviation, 90% interval and win probability."""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK
from goban.position import Position
from goban.rulesets import Ruleset, Terms

CORRELATION: Final = 0.57  # variance of the score over the sum of the points' variances
INTERVAL: Final = 1.645  # standard deviations on either side of the expected score that hold 90%


class Forecast(NamedTuple):
    """A model's predictions about the final score besides the owners; None where it has none.

    Attributes:
        lead: the expected score in points, Black minus White, komi included.
        deviation: its standard deviation in points.
        wins: the probability that Black wins, 0..1, a draw counting half.
    """

    lead: float | None = None
    deviation: float | None = None
    wins: float | None = None


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


def logistic_probability(lead: float, spread: float) -> float:
    """Return the probability that the final score is above 0 by a logistic distribution.

    Args:
        lead: expected score in points.
        spread: of the distribution in points, above 0.
    """
    return 0.5 * (1 + math.tanh(lead / (2 * spread)))


def score_interval(score: float, deviation: float, position: Position, terms: Terms) -> tuple[float, float]:
    """Return the bounds of the 90% interval of a score; by area rules, none beyond the board.

    Args:
        score: Black minus White, in points.
        deviation: its standard deviation in points.
        position: whose board bounds the score.
        terms: what is counted.
    """
    low, high = score - INTERVAL * deviation, score + INTERVAL * deviation
    return possible_score(low, position, terms), possible_score(high, position, terms)


def possible_score(score: float, position: Position, terms: Terms) -> float:
    """Return the score; by area rules, the largest that the board allows if it is beyond that."""
    if terms.ruleset.counting != "area":
        return score
    points = position.stones.size
    return min(max(score, -points - terms.total_komi), points - terms.total_komi)
