"""Games played to the end by a policy, any number of them in step and evaluated in one batch."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.errors import plural
from goban.move_effects import sensible_moves
from goban.position import IllegalMove, Position
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.game_plans import UNFINISHED, Plan
from ownership.selfplay.weak_game_plans import WeakPlan

LONGEST: Final = 3  # moves a game may have, times the points of the board
_EARLY, _LATE = 0.7, 0.2  # temperature at the first move, and at least
_FREE = 1.0
_SUBSTITUTED: Final = {"unlikely": 2.0, "random": math.inf}
_FAR: Final = 1 / 3  # of the board's side that a tenuki is away from the last move, in rows or in columns
_LEAST_CHANCE: Final = 1e-30

Ended = Callable[[int], None]


def play_games(plans: Sequence[Plan | WeakPlan], evaluator: Evaluator, ended: Ended) -> list[GameRecord]:
    """Return the games of some plans, of any board sides.

    Args:
        plans: one for each game.
        evaluator: its model has a policy.
        ended: receives how many games ended, as soon as they do.

    A game ends with two passes, or after LONGEST moves for each point of the board.
    """
    games = [_WeakGame(plan) if isinstance(plan, WeakPlan) else _BranchedGame(plan) for plan in plans]
    for side in sorted({plan.record.side for plan in plans}):
        _play([game for game in games if game.position.side == side], evaluator, ended)
    return [game.record() for game in games]


def _play(games: "Sequence[_PlannedGame]", evaluator: Evaluator, ended: Ended) -> None:
    while games:
        predictions = evaluator.evaluate([game.position for game in games])
        for game, prediction in zip(games, predictions, strict=True):
            assert prediction.policy is not None
            game.advance(prediction.policy)
        going_on = [game for game in games if not game.is_over]
        ended(len(games) - len(going_on))
        games = going_on


class _PlannedGame(ABC):
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


class _BranchedGame(_PlannedGame):
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


class _WeakGame(_PlannedGame):
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


def refusal_of(game: GameRecord, end: Estimate) -> tuple[str, str] | None:
    """Return (reason, detail) if the count at the end of a game cannot be trusted, else None."""
    if (game.move_points[-2:] != pass_point(game.side)).any():
        return "too long", f"{plural(len(game.move_points), 'move')} on {game.side**2} points"
    if not end.finished:
        return "not finished", f"{plural(int((~end.decided).sum()), 'point')} open"
    if not end.safe:
        return (
            "in doubt",
            f"{len(end.in_doubt)} chains in doubt, {int(end.uncertain_points.sum())} empty points uncertain",
        )
    return None
