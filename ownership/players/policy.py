"""The player that plays its model's policy, without looking ahead."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, pass_point
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.players.base import PASS_GAIN, RESIGN, Turn, cleaning_move, is_hopeless, unrepeated_moves
from ownership.players.random_player import generator


@dataclass(frozen=True)
class PolicyPlayer:
    """A player of the likeliest move of its model's policy, or of a move sampled from it.

    It passes when the policy does, and when the game looks finished and the move gains less than PASS_GAIN after one
    ply.

    Attributes:
        evaluator: a model with a policy.
        temperature: 0 always plays the likeliest move, 1 samples the policy.
        resign_below: probability of winning below which it resigns, once half the board is played; 0 never.
        seed: of the random choices, as for `RandomPlayer`.

    Raises:
        InputError: the model has no policy, or the temperature is negative.
    """

    evaluator: Evaluator
    temperature: float = 0.0
    resign_below: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        require_policy("policy", self.evaluator)
        if self.temperature < 0:
            raise InputError(f"temperature must be 0 or more. Received: {self.temperature:g}")

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        position, passing = turn.position, pass_point(turn.position.side)
        [prediction] = self.evaluator.evaluate([position], terms=turn.game.terms)
        estimate = turn.estimate(prediction)
        assert prediction.policy is not None
        if turn.cleanup:
            return cleaning_move(turn, estimate.dead)
        wins = estimate.black_wins if position.to_move == BLACK else 1 - estimate.black_wins
        if is_hopeless(turn, wins, self.resign_below):
            return RESIGN
        move = self._draw(turn, prediction.policy)
        if estimate.finished and move != passing and self._gain(turn, move) < PASS_GAIN:
            return passing
        return move

    def _draw(self, turn: Turn, policy: NDArray[np.float32]) -> int:
        moves = [*unrepeated_moves(turn), pass_point(turn.position.side)]
        chances = policy[moves].astype(np.float64)
        if not self.temperature:
            return moves[int(chances.argmax())]
        chances = (chances / chances.max()) ** (1 / self.temperature)
        return moves[int(generator(turn, self.seed).choice(len(moves), p=chances / chances.sum()))]

    def _gain(self, turn: Turn, move: int) -> float:
        """Return the points of expected area that the mover gains, compared with a pass."""
        position = turn.position
        after = [position.play(move), position.play(pass_point(position.side))]
        moved, passed = self.evaluator.ownership(after, terms=turn.game.terms).sum(axis=(1, 2)).tolist()
        return float(moved - passed) * position.to_move


def require_policy(name: str, evaluator: Evaluator) -> None:
    """Raise InputError unless the model has a policy, which the player `name` needs."""
    if "policy" not in evaluator.files.network.heads:
        raise InputError(f"player {name} needs a model with a move policy. Received: {evaluator.name}, which has none")
