"""Win rates, their intervals, and ratings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

_QUANTILE: Final = 1.959964  # of the normal distribution: 95% lie that many standard deviations around the mean
MOST_ELO: Final = 1200.0  # that `elo` returns: a player that has won every game has no finite difference
_STEPS: Final = 1000
_PRIOR: Final = 0.5  # drawn games that every player is given against an average one, so that no rating is infinite


@dataclass(frozen=True)
class WinLoss:
    """Won, lost and drawn games of one player against others."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games count."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """Wins, and half of the draws."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points per game; NaN without games."""
        return self.points / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the rate; 0 to 1 without games."""
        return wilson(self.points, self.games)


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the bounds of Wilson's 95% interval for `points` of `games` games."""
    if not games:
        return 0.0, 1.0
    rate, square = points / games, _QUANTILE**2
    middle = (rate + square / (2 * games)) / (1 + square / games)
    half = _QUANTILE / (1 + square / games) * math.sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def elo(rate: float) -> float:
    """Return the difference in Elo points at which a player scores that rate, within 1,200 points."""
    if rate <= 0 or rate >= 1:
        return math.copysign(MOST_ELO, rate - 0.5)
    return max(-MOST_ELO, min(MOST_ELO, 400 * math.log10(rate / (1 - rate))))


def ratings(players: int, records: Mapping[tuple[int, int], WinLoss]) -> list[float]:
    """Return each player's Elo points above the average of all, from their games against each other.

    Args:
        players: how many there are.
        records: won and lost games of (one player, another).

    The likeliest ratings, by Zermelo's iteration, if every player had also drawn half a game against an average one.
    """
    points, strength = [_PRIOR / 2] * players, [1.0] * players
    for (first, second), record in records.items():
        points[first] += record.points
        points[second] += record.games - record.points
    for _ in range(_STEPS):
        expected = [_PRIOR / (each + 1) for each in strength]
        for (first, second), record in records.items():
            share = record.games / (strength[first] + strength[second])
            expected[first] += share
            expected[second] += share
        strength = _centred([won / divisor for won, divisor in zip(points, expected, strict=True)])
    return [400 * math.log10(each) for each in strength]


def _centred(strength: Sequence[float]) -> list[float]:
    mean = math.exp(sum(map(math.log, strength)) / len(strength))
    return [each / mean for each in strength]
