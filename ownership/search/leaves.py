"""What a search asks about positions, and a network as who answers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.counting.estimate import estimate
from goban.counting.expected import expected_score, score_deviation
from goban.counting.score import count
from goban.position import Position
from goban.rulesets import Ruleset, Terms
from ownership.inference.evaluator import Evaluator, Prediction


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


class NetworkLeaves:
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
        predictions = self._evaluator.evaluate(positions, self._symmetries)
        return [self._leaf(position, prediction) for position, prediction in zip(positions, predictions, strict=True)]

    def _leaf(self, position: Position, prediction: Prediction) -> Leaf:
        score = expected_score(position, prediction.ownership, self._ruleset, self._komi)
        deviation = score_deviation(prediction.ownership) if prediction.deviation is None else prediction.deviation
        return Leaf(score, prediction.policy, deviation)

    def count(self, position: Position) -> float:
        """Return the score of a game that ends here, without the stones that the network takes for dead."""
        ownership = self._evaluator.ownership([position], self._symmetries)[0]
        return estimate(position, ownership, Terms(self._ruleset, self._komi), ended=True).score


def count_as_it_stands(position: Position, ruleset: Ruleset, komi: float) -> float:
    """Return the score of a game that ends here with all stones alive, Black's points minus White's."""
    return count(position, np.zeros(position.stones.shape, np.bool_), Terms(ruleset, komi)).margin
