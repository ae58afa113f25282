"""The player that plays its model's policy, without looking ahead."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.errors import InputError
from ownership.inference.abilities import require_head
from ownership.inference.evaluator import Evaluator, Prediction
from ownership.players.base import (
    PASS_GAIN,
    RESIGN,
    Turn,
    cleaning_move,
    gain_after_one_ply,
    is_hopeless,
    unrepeated_moves,
)
from ownership.players.random_player import generator


@dataclass(frozen=True)
class PolicyPlayer:
    """A player of the likeliest move of its model's policy, or of a move sampled from it.

    It passes when the policy does, and when the game looks finished and the move gains less than PASS_GAIN after one
    ply. With a model that predicts no ownership, it passes when the policy does, and when no sensible move is left; if
    the policy has no pass, also when the opponent has just passed. Such a model may have a head for resignation: the
    player resigns where that is likelier than any move.

    Attributes:
        evaluator: a model with a policy.
        temperature: 0 always plays the likeliest move, 1 samples the policy.
        resign_below: probability of winning below which it resigns, once half the board is played; 0 never.
        seed: of the random choices, as for `RandomPlayer`.
        epsilon: probability of a random sensible move instead, 0 to 1.
        others: more models; the policy is the mean of those of all.

    Raises:
        InputError: a model has no policy, the temperature is negative, or epsilon is out of range.
    """

    evaluator: Evaluator
    temperature: float = 0.0
    resign_below: float = 0.02
    seed: int = 0
    epsilon: float = 0.0
    others: tuple[Evaluator, ...] = ()

    def __post_init__(self) -> None:
        for evaluator in (self.evaluator, *self.others):
            require_head(evaluator.files, "policy", "player policy")
        if not 0 <= self.epsilon <= 1:
            raise InputError(f"epsilon must be 0 to 1. Received: {self.epsilon:g}")
        if self.temperature < 0:
            raise InputError(f"temperature must be 0 or more. Received: {self.temperature:g}")

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        position, passing = turn.position, pass_point(turn.position.side)
        [prediction] = self.evaluator.evaluate([position], terms=turn.game.terms)
        assert prediction.policy is not None
        if prediction.owners is None:
            return self._blind(turn, prediction)
        estimate = turn.estimate(prediction)
        if turn.cleanup:
            return cleaning_move(turn, estimate.dead)
        if is_hopeless(turn, estimate.wins_for(position.to_move), self.resign_below):
            return RESIGN
        move = self._draw(turn, prediction)
        if estimate.finished and move != passing and gain_after_one_ply(self.evaluator, turn, move) < PASS_GAIN:
            return passing
        return move

    def _blind(self, turn: Turn, prediction: Prediction) -> int:
        """Return the move with a model that predicts no ownership."""
        passing = pass_point(turn.position.side)
        passed = turn.position.recent[:1] == (passing,)
        if turn.cleanup or (passed and not self.evaluator.files.network.passes):
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
