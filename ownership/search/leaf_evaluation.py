"""The evaluations of positions that a search needs, and what gives them: a network, rollouts, or both."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.coords import SYMMETRIES
from goban.counting.counted_score import tromp_taylor
from goban.counting.estimate_position import estimate
from goban.counting.expected_score import expected_score, score_deviation, win_probability
from goban.position import Position
from goban.rollouts import roll_out
from goban.rulesets import Ruleset, Terms
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction

_TURNS: Final = 0x9E3779B97F4A7C15  # spreads seeds over the bits of a hash
_SPREAD: Final = 0xD1B54A32D192ED03  # seeds of evaluations that follow one another


class LeafValue(NamedTuple):
    """An evaluated position of side N.

    Attributes:
        score: expected points of Black minus White's, komi included; the network's own lead where it gives one.
        policy: float32 (N*N + 1), the probability of each move by flat index, the last being a pass; None if unknown.
        deviation: standard deviation of the score in points.
        ownership: float32 (N, N), the expected owner of each point, +1 Black; None if unknown.
        wins: the probability that Black wins, where it does not follow from the score and its deviation.
        first: int8 (N*N,), the colour that first played on each point after this position in a rollout, 0 where neither
            did; None without a rollout.
    """

    score: float
    policy: NDArray[np.float32] | None = None
    deviation: float = 1.0
    ownership: NDArray[np.float32] | None = None
    wins: float | None = None
    first: NDArray[np.int8] | None = None

    @property
    def black_wins(self) -> float:
        """The probability that Black wins."""
        return win_probability(self.score, self.deviation) if self.wins is None else self.wins


Evaluate = Callable[[Sequence[Position]], Sequence[LeafValue]]
"""Evaluates positions of one board side, siblings in one call."""

CountEnded = Callable[[Position], float]
"""Counts a position after two passes: Black's points minus White's, komi included."""


class Knowledge(Protocol):
    """The evaluations that a tree search needs; its methods run in several threads at the same time."""

    def evaluate(self, positions: Sequence[Position]) -> Sequence[LeafValue]:
        """Return the evaluation of at least one position, all of one board side."""
        ...

    def ended(self, position: Position) -> LeafValue:
        """Return the evaluation of a position after two passes."""
        ...


class NetworkLeaves:
    """The leaves of one search, evaluated and counted by an `Evaluator`.

    Args:
        evaluator: the model.
        ruleset: what is counted.
        komi: points for White, the bonus for handicap stones included.
        symmetries: 1, or 8 to average over the symmetries of the board.
        seed: of the symmetry in which each position is looked at where `symmetries` is 1, the same one whenever the
            position comes up; None looks at them as they are.
    """

    def __init__(
        self, evaluator: Evaluator, ruleset: Ruleset, komi: float, symmetries: int = 1, seed: int | None = None
    ) -> None:
        self._evaluator = evaluator
        self._terms = Terms(ruleset, komi)
        self._symmetries = symmetries
        self._seed = seed

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        """Return the expected score, its deviation and the policy of each position."""
        predictions = self._evaluator.evaluate(positions, self._looks(positions), self._terms)
        return [self.leaf(position, prediction) for position, prediction in zip(positions, predictions, strict=True)]

    def policies(self, positions: Sequence[Position]) -> list[NDArray[np.float32] | None]:
        """Return the policy of each position."""
        predictions = self._evaluator.evaluate(positions, self._looks(positions), self._terms)
        return [prediction.policy for prediction in predictions]

    def _looks(self, positions: Sequence[Position]) -> int | list[int]:
        """Return what `Evaluator.evaluate` takes as symmetries."""
        if self._seed is None or self._symmetries > 1:
            return self._symmetries
        return [(position.hash + _TURNS * self._seed >> 32) % len(SYMMETRIES) for position in positions]

    def leaf(self, position: Position, prediction: Prediction) -> LeafValue:
        """Return the evaluation of a position, given the network's prediction about it."""
        ownership = prediction.owners
        score = prediction.lead
        if score is None:
            score = expected_score(position, ownership, self._terms.ruleset, self._terms.komi)
        deviation = score_deviation(ownership) if prediction.deviation is None else prediction.deviation
        return LeafValue(score, prediction.policy, deviation, ownership, prediction.own_win_rate)

    def count(self, position: Position) -> float:
        """Return the score of a game that ends here, without the stones that are dead by the network's ownership."""
        return self.ended(position).score

    def ended(self, position: Position) -> LeafValue:
        """Return the same with who owns each point; without deviation where the count is safe."""
        [prediction] = self._evaluator.evaluate([position], self._symmetries, self._terms)
        counted = estimate(position, prediction.owners, self._terms, ended=True, forecast=prediction.forecast)
        owner = counted.owner.astype(np.float32) if counted.finished else prediction.owners
        return LeafValue(counted.score, None, 0.0 if counted.safe else counted.deviation, owner)


class RolloutLeaves:
    """The leaves of one search: a rollout each, counted by area, with the network's policy.

    With a share below 1 the value of a leaf is a mixture of the rollout's and the network's (as in Silver and others:
    Mastering the game of Go with deep neural networks and tree search, 2016); with a share of 1 the network needs no
    head but the policy (as in Maddison and others: Move Evaluation in Go Using Deep Convolutional Neural Networks,
    2015).

    Args:
        evaluator: a model with a policy.
        terms: ruleset and komi by which leaves are valued.
        share: of the rollout in the value, above 0 up to 1.
        symmetries, seed: as for `NetworkLeaves`; the seed is also that of the rollouts.
    """

    def __init__(self, evaluator: Evaluator, terms: Terms, share: float, symmetries: int = 1, seed: int = 0) -> None:
        self._network = NetworkLeaves(evaluator, terms.ruleset, terms.total_komi, symmetries, seed)
        self._komi, self._share, self._seed = terms.total_komi, share, seed
        self._evaluated = 0

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        """Return the value by rollouts and the policy of each position."""
        if self._share < 1:
            leaves = self._network.evaluate(positions)
        else:
            leaves = [LeafValue(0.0, policy) for policy in self._network.policies(positions)]
        return [self._mixed(position, leaf) for position, leaf in zip(positions, leaves, strict=True)]

    def _mixed(self, position: Position, leaf: LeafValue) -> LeafValue:
        self._evaluated += 1
        rollouts = roll_out(position, 1, self._seed + position.hash + _SPREAD * self._evaluated)
        score = float(rollouts.scores[0]) - self._komi
        wins = 0.5 + 0.5 * float(np.sign(score))
        if self._share == 1:
            return LeafValue(score, leaf.policy, 0.0, rollouts.ownership, wins, rollouts.first[0])
        own, share = self._share, 1 - self._share
        assert leaf.ownership is not None
        return LeafValue(
            own * score + share * leaf.score,
            leaf.policy,
            share * leaf.deviation,
            (own * rollouts.ownership + share * leaf.ownership).astype(np.float32),
            own * wins + share * leaf.black_wins,
            rollouts.first[0],
        )

    def ended(self, position: Position) -> LeafValue:
        """Return the evaluation of a position after two passes: with a share of 1 all stones count as alive."""
        if self._share < 1:
            return self._network.ended(position)
        score = tromp_taylor(position.stones) - self._komi
        return LeafValue(score, None, 0.0, None, 0.5 + 0.5 * float(np.sign(score)))
