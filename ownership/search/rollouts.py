"""Leaves valued by rollouts, alone or mixed with a network's own values."""

from collections.abc import Sequence

import numpy as np

from goban.counting.expected import win_probability
from goban.counting.score import tromp_taylor
from goban.position import Position
from goban.rollouts import play_out
from goban.rulesets import Terms
from ownership.inference.evaluator import Evaluator
from ownership.search.leaves import Leaf, NetworkLeaves

_SPREAD = 0xD1B54A32D192ED03  # seeds of evaluations that follow one another


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

    def evaluate(self, positions: Sequence[Position]) -> list[Leaf]:
        """Return the value by rollouts and the policy of each position."""
        if self._share < 1:
            leaves = self._network.evaluate(positions)
        else:
            leaves = [Leaf(0.0, policy) for policy in self._network.policies(positions)]
        return [self._mixed(position, leaf) for position, leaf in zip(positions, leaves, strict=True)]

    def _mixed(self, position: Position, leaf: Leaf) -> Leaf:
        self._evaluated += 1
        rollouts = play_out(position, 1, self._seed + position.hash + _SPREAD * self._evaluated)
        score = float(rollouts.scores[0]) - self._komi
        wins = 0.5 + 0.5 * float(np.sign(score))
        if self._share == 1:
            return Leaf(score, leaf.policy, 0.0, rollouts.ownership, wins, rollouts.first[0])
        own, share = self._share, 1 - self._share
        network_wins = win_probability(leaf.score, leaf.deviation) if leaf.wins is None else leaf.wins
        assert leaf.ownership is not None
        return Leaf(
            own * score + share * leaf.score,
            leaf.policy,
            share * leaf.deviation,
            (own * rollouts.ownership + share * leaf.ownership).astype(np.float32),
            own * wins + share * network_wins,
            rollouts.first[0],
        )

    def ended(self, position: Position) -> Leaf:
        """Return the evaluation of a position after two passes: with a share of 1 all stones count as alive."""
        if self._share < 1:
            return self._network.ended(position)
        score = tromp_taylor(position.stones) - self._komi
        return Leaf(score, None, 0.0, None, 0.5 + 0.5 * float(np.sign(score)))
