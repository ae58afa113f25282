"""What a position of a tree is worth: the mean over all visits below it, and its standard error."""

import math
from dataclasses import dataclass
from typing import Any, Final

from goban.coords import BLACK

_COIN: Final = 0.25  # variance of the probability of winning that every move begins with


@dataclass(frozen=True, eq=False)
class TreeValue:
    """What a position is worth, averaged over the visits below it; Black's view.

    Attributes:
        visits: how many there are.
        value: what the search maximises: 2 * wins - 1 and a term for the score.
        wins: probability that Black has more points in the end.
        score: expected points of Black minus White's, komi included.
        deviation: standard deviation of the score in points.
        error: standard error of `wins`.
    """

    visits: int
    value: float
    wins: float
    score: float
    deviation: float
    error: float

    @classmethod
    def of(cls, node: Any) -> "TreeValue":
        """Return the value of a row of `SearchTree.nodes`; there must be visits."""
        visits = int(node["visits"])
        wins, score = float(node["wins"]) / visits, float(node["score"]) / visits
        variance = max(0.0, float(node["wins_squared"]) / visits - wins * wins)
        return cls(
            visits,
            float(node["value"]) / visits,
            wins,
            score,
            math.sqrt(max(0.0, float(node["score_squared"]) / visits - score * score)),
            math.sqrt((visits * variance + _COIN) / (visits + 1) / visits),
        )

    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour has more points in the end."""
        return self.wins if colour == BLACK else 1 - self.wins
