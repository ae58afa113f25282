"""Games played to the end by a policy, any number of them in step, so that all are evaluated in one batch."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from ownership.inference.evaluator import Evaluator
from ownership.search.candidates import sensible_moves
from ownership.selfplay.plan import Plan
from preprocessing.records.game import GameRecord

LONGEST: Final = 3  # moves a game may have, times the points of the board
_EARLY, _LATE = 0.7, 0.2  # temperature at the first move, and at least
_FREE = 1.0
_SUBSTITUTED: Final = {"unlikely": 2.0, "random": math.inf}
_FAR: Final = 1 / 3  # of the board's side that a tenuki is away from the last move, in rows or in columns
_LEAST_CHANCE: Final = 1e-30

Ended = Callable[[int], None]


def play_out(plans: Sequence[Plan], evaluator: Evaluator, ended: Ended) -> list[GameRecord]:
    """Return the games of some plans, of any board sides; `ended` hears how many games ended as soon as they do.

    The evaluator's model has a policy. A game ends with two passes, or when it has become too long.
    """
    games = [_Game(plan) for plan in plans]
    for side in sorted({plan.record.side for plan in plans}):
        _play([game for game in games if game.position.side == side], evaluator, ended)
    return [game.record() for game in games]


def _play(games: "list[_Game]", evaluator: Evaluator, ended: Ended) -> None:
    """Play games of one board side to the end."""
    while games:
        predictions = evaluator.evaluate([game.position for game in games])
        for game, prediction in zip(games, predictions, strict=True):
            assert prediction.policy is not None
            game.advance(prediction.policy)
        going_on = [game for game in games if not game.is_over]
        ended(len(games) - len(going_on))
        games = going_on


class _Game:
    """A game under way; it begins with its record, however that ends, and one move at least is added."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._chance = np.random.default_rng((plan.seed, plan.number, 1))
        self._moves: list[int] = plan.record.moves[: plan.ply].tolist()
        self._colours: list[int] = plan.record.colours[: plan.ply].tolist()
        before = list(islice(plan.record.positions(), plan.ply + 1))
        self.position = before[-1]
        self._earlier = {position.hash for position in before}

    @property
    def is_over(self) -> bool:
        """Whether both players passed, or the game became too long."""
        passing = pass_point(self.position.side)
        return self.position.recent[:2] == (passing, passing) or len(self._moves) >= LONGEST * passing

    def record(self) -> GameRecord:
        """Return the game so far."""
        moves, colours = np.array(self._moves, np.int16), np.array(self._colours, np.int8)
        return replace(self._plan.record, source=self._plan.source, moves=moves, colours=colours)

    def advance(self, policy: NDArray[np.float32]) -> None:
        """Play a move, given the policy, float32 (N*N + 1)."""
        move = next(self._choices(policy))
        self._moves.append(move)
        self._colours.append(self.position.to_move)
        self.position = self.position.play(move)
        self._earlier.add(self.position.hash)

    def _choices(self, policy: NDArray[np.float32]) -> Iterator[int]:
        """Yield moves that repeat no position, each drawn from those that are left, and last a pass."""
        passing = pass_point(self.position.side)
        moves, temperature = self._candidates()
        chances = np.log(np.maximum(policy[moves].astype(np.float64), _LEAST_CHANCE)) / temperature
        # The order of these sums is that of drawing one after the other without putting back (Gumbel).
        order = np.argsort(-(chances + self._chance.gumbel(size=len(moves))))
        for move in (moves[place] for place in order.tolist()):
            if move == passing or self.position.play(move).hash not in self._earlier:
                yield move
        yield passing

    def _candidates(self) -> tuple[list[int], float]:
        """Return the moves to draw from, and at what temperature."""
        plan, ply, points = self._plan, len(self._moves), pass_point(self.position.side)
        moves = sensible_moves(self.position)
        usual = _FREE if plan.kind == "free" else max(_LATE, _EARLY * (1 - ply / points))
        if ply not in plan.substituted:
            return [*moves, points], usual
        if plan.kind == "tenuki":
            moves = self._far(moves) or moves
        return moves, _SUBSTITUTED.get(plan.kind, usual)

    def _far(self, moves: list[int]) -> list[int]:
        """Return those of the moves that ignore the last one; all if there is none to ignore."""
        side, recent = self.position.side, self.position.recent
        if not recent or recent[0] == pass_point(side):
            return moves
        row, column = divmod(recent[0], side)
        return [move for move in moves if max(abs(move // side - row), abs(move % side - column)) >= _FAR * side]
