"""What a search asks about positions, and a network as who answers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK
from goban.position import Position
from goban.scoring import Ruleset, count
from ownership.estimate import estimate, score_deviation
from ownership.evaluator import Evaluator, Opinion


class Leaf(NamedTuple):
    """What a position is thought to be worth.

    score: Black's points minus White's, komi included. policy: float32 (N*N + 1), the probability of each move by flat
    index, the last being a pass; None where nothing is known. deviation: the score's standard deviation in points.
    """

    score: float
    policy: NDArray[np.float32] | None = None
    deviation: float = 1.0


Evaluate = Callable[[Sequence[Position]], Sequence[Leaf]]
Count = Callable[[Position], float]  # the score after two passes, Black's points minus White's, komi included


class NetworkEvaluation:
    """An `Evaluator` as seen by a search of one game.

    `komi` is all that White gets; `symmetries` is 1, or 8 to average over the symmetries of the board.
    """

    def __init__(self, evaluator: Evaluator, ruleset: Ruleset, komi: float, symmetries: int = 1) -> None:
        self._evaluator = evaluator
        self._ruleset = ruleset
        self._komi = komi
        self._symmetries = symmetries

    def evaluate(self, positions: Sequence[Position]) -> list[Leaf]:
        """Return the expected score, its deviation and the policy of each position."""
        opinions = self._evaluator.evaluate(positions, self._symmetries)
        return [self._leaf(position, opinion) for position, opinion in zip(positions, opinions, strict=True)]

    def _leaf(self, position: Position, opinion: Opinion) -> Leaf:
        score = expected_score(position, opinion.ownership, self._ruleset, self._komi)
        deviation = score_deviation(opinion.ownership) if opinion.deviation is None else opinion.deviation
        return Leaf(score, opinion.policy, deviation)

    def count(self, position: Position) -> float:
        """Return the score of a game that ends here, without the stones that the network takes for dead."""
        ownership = self._evaluator.ownership([position], self._symmetries)[0]
        return estimate(position, ownership, self._ruleset, self._komi, agreed=True).score


def expected_score(position: Position, ownership: NDArray[np.float32], ruleset: Ruleset, komi: float) -> float:
    """Return the score that ownership float32 (N, N) lets expect, Black's points minus White's, komi included.

    By territory one's own stones count nothing, prisoners do, and the side to move will fill half a point more.
    """
    area = float(ownership.sum())
    if ruleset.counting == "area":
        return area - komi
    by_black, by_white = position.prisoners
    fills = 0.5 if position.to_move == BLACK else -0.5
    return area - float(position.stones.sum()) + by_black - by_white - fills - komi


def count_as_it_stands(position: Position, ruleset: Ruleset, komi: float) -> float:
    """Return the score of a game that ends here with all stones alive, Black's points minus White's."""
    return count(position, np.zeros(position.stones.shape, np.bool_), ruleset, komi).margin
