"""A game of two weak players, move by move."""

import math

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.move_effects import sensible_moves
from ownership.selfplay.planned_game import PlannedGame
from ownership.selfplay.weak_game_plans import WeakPlan


class WeakGame(PlannedGame):
    """A game of two weak players; each passes when it has nothing more to play."""

    def __init__(self, plan: WeakPlan) -> None:
        super().__init__(plan)
        self._plan = plan

    @property
    def is_over(self) -> bool:
        """Whether both players passed, the game is too long, or the plan breaks it off."""
        longest = self._plan.longest
        return super().is_over or (longest is not None and len(self._game.indexed_moves) >= longest)

    def _candidates(self, policy: NDArray[np.float32]) -> tuple[list[int], float]:
        plan, player = self._plan, self._plan.player(self.position.to_move)
        by_chance = self._chance.random() < player.random
        if by_chance or len(self._game.indexed_moves) < plan.ply + plan.random:
            return sensible_moves(self.position), math.inf
        if not player.plays_on and policy.argmax() == pass_point(self._game.side):
            return [], player.temperature
        return sensible_moves(self.position), player.temperature
