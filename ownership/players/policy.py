"""Players that do not look ahead: the policy's move, and any move."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, pass_point
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.players.base import PASS_GAIN, RESIGN, Turn, cleaning_move, is_hopeless
from ownership.search.candidates import sensible_moves


@dataclass(frozen=True)
class RandomPlayer:
    """Plays any sensible move, until none is left.

    seed: what the choice depends on, besides the position and the number of the game.
    """

    seed: int = 0

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        moves = [move for move in sensible_moves(turn.position) if not turn.repeats(move)]
        return int(chance(turn, self.seed).choice(moves)) if moves else pass_point(turn.position.side)


@dataclass(frozen=True)
class PolicyPlayer:
    """Plays the move that the model thinks likeliest, or with a temperature, a move as likely as the model thinks it.

    temperature: 0 always plays the likeliest move, 1 samples the policy, less something between. It passes when the
    policy does, and when the game looks finished and the move gains less than PASS_GAIN after one ply. resign_below, as
    for `GreedyPlayer`. seed: as for `RandomPlayer`. Raises InputError if the model has no policy.
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
        [prediction] = self.evaluator.evaluate([position])
        estimate = turn.estimate(prediction)
        assert prediction.policy is not None
        if turn.cleanup:
            return cleaning_move(turn, estimate.dead)
        if is_hopeless(turn, position.to_move * estimate.score, estimate.deviation, self.resign_below):
            return RESIGN
        move = self._draw(turn, prediction.policy)
        if estimate.finished and move != passing and self._gain(turn, move) < PASS_GAIN:
            return passing
        return move

    def _draw(self, turn: Turn, policy: NDArray[np.float32]) -> int:
        moves = [move for move in sensible_moves(turn.position) if not turn.repeats(move)]
        moves.append(pass_point(turn.position.side))
        chances = policy[moves].astype(np.float64)
        if not self.temperature:
            return moves[int(chances.argmax())]
        chances = (chances / chances.max()) ** (1 / self.temperature)
        return moves[int(chance(turn, self.seed).choice(len(moves), p=chances / chances.sum()))]

    def _gain(self, turn: Turn, move: int) -> float:
        """Return how many points of expected area the move gains, compared with a pass."""
        position = turn.position
        after = [position.play(move), position.play(pass_point(position.side))]
        moved, passed = self.evaluator.ownership(after).sum(axis=(1, 2)).tolist()
        return float(moved - passed) * (1 if position.to_move == BLACK else -1)


def require_policy(name: str, evaluator: Evaluator) -> None:
    """Raise InputError if the model knows no moves."""
    if "policy" not in evaluator.files.network.heads:
        raise InputError(f"player {name} needs a model with a move policy. Received: {evaluator.name}, which has none")


def chance(turn: Turn, seed: int) -> np.random.Generator:
    """Return random numbers that depend on the seed, the number of the game and the position alone."""
    return np.random.default_rng((seed, turn.number, turn.plies, turn.position.hash))
