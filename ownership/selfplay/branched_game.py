"""A game that leaves its record, move by move."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.move_effects import sensible_moves
from ownership.selfplay.branched_game_plans import Plan
from ownership.selfplay.planned_game import PlannedGame

_EARLY, _LATE = 0.7, 0.2  # temperature at the first move, and at least
_FREE = 1.0
_SUBSTITUTED: Final = {"unlikely": 2.0, "random": math.inf}
_FAR: Final = 1 / 3  # of the board's side that a tenuki is away from the last move, in rows or in columns


class BranchedGame(PlannedGame):
    """A game that leaves its record by the moves of a kind."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._plan = plan

    def _candidates(self, policy: NDArray[np.float32]) -> tuple[list[int], float]:
        plan, ply, points = self._plan, len(self._game.indexed_moves), pass_point(self._game.side)
        moves = sensible_moves(self.position)
        usual = _FREE if plan.kind == "free" else max(_LATE, _EARLY * (1 - ply / points))
        if ply not in plan.substituted:
            return [*moves, points], usual
        if plan.kind == "tenuki":
            moves = self._far(moves) or moves
        return moves, _SUBSTITUTED.get(plan.kind, usual)

    def _far(self, moves: list[int]) -> list[int]:
        """Return the moves that ignore the last one; all if there is none."""
        side, recent = self.position.side, self.position.recent
        if not recent or recent[0] == pass_point(side):
            return moves
        row, column = divmod(recent[0], side)
        return [move for move in moves if max(abs(move // side - row), abs(move % side - column)) >= _FAR * side]
