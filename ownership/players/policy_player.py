"""The player that plays its model's policy, without looking ahead."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.errors import check_fields
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction
from ownership.players.passing_and_resigning import ConsideredMove, ThinkingPlayer, gain_after_one_ply
from ownership.players.player_interface import RESIGN, Turn, unrepeated_moves
from ownership.players.random_player import generator


@dataclass(frozen=True)
class PolicyPlayer(ThinkingPlayer):
    """A player of the likeliest move of its model's policy, or of a move sampled from it.

    It also passes when the policy does. What a move gains is looked for one ply later. With a model that predicts no
    ownership, it passes when the policy does, and when no sensible move is left; if the policy has no pass, also when
    the opponent has just passed. Such a model may have a head for resignation: the player resigns where that is
    likelier than any move.

    Attributes:
        evaluator: a model with a policy.
        temperature: 0 always plays the likeliest move, 1 samples the policy.
        seed: of the random choices, as for `RandomPlayer`.
        epsilon: probability of a random sensible move instead, 0 to 1.
        others: more models; the policy is the mean of all models' policies.

    Raises:
        InputError: a model has no policy, the temperature is negative, or epsilon is out of range.
    """

    temperature: float = 0.0
    seed: int = 0
    epsilon: float = 0.0
    others: tuple[Evaluator, ...] = ()

    def __post_init__(self) -> None:
        for evaluator in (self.evaluator, *self.others):
            evaluator.files.require_head("policy", "player policy")
        check_fields(self, {"epsilon": (0, 1), "temperature": (0, inf)})

    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the move of the policy."""
        [prediction] = self.evaluator.evaluate([turn.position], terms=turn.game.terms)
        if estimate is None:
            return ConsideredMove(self._blind(turn, prediction), 1, float)
        move, wins = self._draw(turn, prediction), estimate.wins_for(turn.position.to_move)
        return ConsideredMove(move, wins, lambda: gain_after_one_ply(self.evaluator, turn, move))

    def _blind(self, turn: Turn, prediction: Prediction) -> int:
        """Return the move with a model that predicts no ownership."""
        passing = pass_point(turn.position.side)
        if turn.position.recent[:1] == (passing,) and not self.evaluator.files.network.passes:
            return passing
        assert prediction.policy is not None
        resigns = prediction.resign or 0.0
        if self.resign_below and resigns > (1 - resigns) * prediction.policy.max():
            return RESIGN
        return self._draw(turn, prediction)

    def _draw(self, turn: Turn, prediction: Prediction) -> int:
        moves, chance = [*unrepeated_moves(turn), pass_point(turn.position.side)], generator(turn, self.seed)
        if self.epsilon and len(moves) > 1 and chance.random() < self.epsilon:
            return int(chance.choice(moves[:-1]))
        chances = self._policy(turn, prediction)[moves].astype(np.float64)
        if not self.temperature:
            return moves[int(chances.argmax())]
        chances = (chances / chances.max()) ** (1 / self.temperature)
        return moves[int(chance.choice(len(moves), p=chances / chances.sum()))]

    def _policy(self, turn: Turn, prediction: Prediction) -> NDArray[np.float32]:
        """Return the mean policy of all models, given the first one's prediction."""
        others = (evaluator.evaluate([turn.position], terms=turn.game.terms)[0] for evaluator in self.others)
        policies = [each.policy for each in (prediction, *others) if each.policy is not None]
        policy: NDArray[np.float32] = np.mean(policies, axis=0)
        return policy
