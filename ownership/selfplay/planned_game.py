"""A game that follows a plan, whose moves a policy chooses."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.coords import pass_point
from goban.position import IllegalMove, Position
from ownership.selfplay.branched_game_plans import UNFINISHED, Plan
from ownership.selfplay.weak_game_plans import WeakPlan

LONGEST: Final = 3  # moves a game may have, times the points of the board
_LEAST_CHANCE: Final = 1e-30


class PlannedGame(ABC):
    """A game in progress by a plan; it begins with its record, however that ends, and one move at least is added."""

    def __init__(self, plan: Plan | WeakPlan) -> None:
        self._source = plan.source
        self._chance = np.random.default_rng((plan.seed, plan.number, 1))
        self._game = plan.record.as_game(plan.ply)

    @property
    def position(self) -> Position:
        """The position now."""
        return self._game.position

    @property
    def is_over(self) -> bool:
        """Whether both players passed, or the game is too long."""
        return self._game.ended or len(self._game.indexed_moves) >= LONGEST * pass_point(self._game.side)

    def record(self) -> GameRecord:
        """Return the record of the game so far."""
        return GameRecord.of_game(self._game, self._source, UNFINISHED)

    def advance(self, policy: NDArray[np.float32]) -> None:
        """Play a move, given the policy, float32 (N*N + 1)."""
        for move in self._choices(policy):
            with suppress(IllegalMove):
                self._game = self._game.play(move, superko=True)
                return

    def _choices(self, policy: NDArray[np.float32]) -> Iterator[int]:
        """Yield moves, each drawn from those that are left, and last a pass."""
        moves, temperature = self._candidates(policy)
        chances = np.log(np.maximum(policy[moves].astype(np.float64), _LEAST_CHANCE)) / temperature
        # The order of these sums is that of drawing one after the other without putting back (Gumbel).
        order = np.argsort(-(chances + self._chance.gumbel(size=len(moves))))
        yield from (moves[place] for place in order.tolist())
        yield pass_point(self._game.side)

    @abstractmethod
    def _candidates(self, policy: NDArray[np.float32]) -> tuple[list[int], float]:
        """Return the moves to draw from, and the temperature."""
