"""What a search asks about positions, and a network that answers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.counting.estimate import estimate
from goban.counting.expected import expected_score, score_deviation
from goban.position import Position
from goban.rulesets import Ruleset, Terms
from ownership.inference.evaluator import Evaluator, Prediction


class Leaf(NamedTuple):
    """An evaluated position of side N.

    Attributes:
        score: expected points of Black minus White's, komi included; the network's own lead where it gives one.
        policy: float32 (N*N + 1), the probability of each move by flat index, the last being a pass; None if unknown.
        deviation: standard deviation of the score in points.
    """

    score: float
    policy: NDArray[np.float32] | None = None
    deviation: float = 1.0


Evaluate = Callable[[Sequence[Position]], Sequence[Leaf]]
"""Evaluates positions of one board side, siblings in one call."""

Count = Callable[[Position], float]
"""Counts a position after two passes: Black's points minus White's, komi included."""


class NetworkLeaves:
    """The leaves of one search, evaluated and counted by an `Evaluator`.

    Args:
        evaluator: the model.
        ruleset: what is counted.
        komi: points for White, the bonus for handicap stones included.
        symmetries: 1, or 8 to average over the symmetries of the board.
    """

    def __init__(self, evaluator: Evaluator, ruleset: Ruleset, komi: float, symmetries: int = 1) -> None:
        self._evaluator = evaluator
        self._terms = Terms(ruleset, komi)
        self._symmetries = symmetries

    def evaluate(self, positions: Sequence[Position]) -> list[Leaf]:
        """Return the expected score, its deviation and the policy of each position."""
        predictions = self._evaluator.evaluate(positions, self._symmetries, self._terms)
        return [self._leaf(position, prediction) for position, prediction in zip(positions, predictions, strict=True)]

    def _leaf(self, position: Position, prediction: Prediction) -> Leaf:
        score = prediction.lead
        if score is None:
            score = expected_score(position, prediction.ownership, self._terms.ruleset, self._terms.komi)
        deviation = score_deviation(prediction.ownership) if prediction.deviation is None else prediction.deviation
        return Leaf(score, prediction.policy, deviation)

    def count(self, position: Position) -> float:
        """Return the score of a game that ends here, without the stones that are dead by the network's ownership."""
        ownership = self._evaluator.ownership([position], self._symmetries, self._terms)[0]
        return estimate(position, ownership, self._terms, ended=True).score
