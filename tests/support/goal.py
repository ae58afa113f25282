"""An evaluation for the search that needs no network: one chain is to be caught, or saved."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goban.chain_kernels import liberties
from goban.coords import EMPTY
from goban.move_effects import ATARIS, CAPTURES, SAVES, move_flags
from goban.pass_alive import pass_alive
from goban.position import Position
from ownership.search.leaf_evaluation import LeafValue
from tests.support.ladders import ladders
from tests.support.problems import Problem

_CAUGHT, _LIVING, _LADDER, _MOST_LIBERTIES = 40.0, 20.0, 5.0, 5
_NEAR, _FAR, _WEAK = 0.3, 0.002, 3

Board = NDArray[np.bool_]


class Goal:
    """An evaluation for catching or saving one chain, from its liberties, ladders and pass-alive shapes."""

    def __init__(self, problem: Problem) -> None:
        self._target = problem.target
        self._colour = int(problem.position.stones.flat[problem.target])

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        """Return how well the chain does, and a policy that prefers what happens around it."""
        return [LeafValue(self.count(position), self._policy(position)) for position in positions]

    def count(self, position: Position) -> float:
        """Return how well the chain does, for Black."""
        if position.stones.flat[self._target] != self._colour:
            return -_CAUGHT * self._colour
        if pass_alive(position.side, position.stones.ravel().copy())[self._target] == self._colour:
            return _LIVING * self._colour
        left = int((_beside(self._chain(position)) & (position.stones == EMPTY)).sum())
        moves_first = position.to_move == (self._colour if left == 1 else -self._colour)
        if left <= 2 and moves_first:
            caught = ladders(position.side, position.flat, self._colour, False, -1)[0]
            if caught[self._target]:
                return (_LADDER - _CAUGHT) * self._colour
        return float(min(_MOST_LIBERTIES, left) * self._colour)

    def _chain(self, position: Position) -> Board:
        ids = position.chain_ids()
        chain: Board = ids == ids.flat[self._target]
        return chain

    def _policy(self, position: Position) -> NDArray[np.float32]:
        side = position.side
        marks = move_flags(side, position.stones.ravel().copy(), position.to_move)
        chances = np.full(side * side + 1, _FAR, np.float32)
        if position.stones.flat[self._target] == self._colour:
            chances[:-1][self._around(position).ravel()] += _NEAR
        for kind, chance in ((ATARIS, 0.05), (SAVES, 0.1), (CAPTURES, 0.2)):
            chances[:-1][(marks & kind) != 0] += chance
        chances *= position.legal_points()
        chances /= chances.sum()
        return chances

    def _around(self, position: Position) -> Board:
        """Return the liberties of the chain and of weak chains beside it, and the points next to these."""
        ids, target = position.chain_ids(), self._chain(position)
        left = liberties(position.side, position.stones.ravel().copy(), ids.ravel()).reshape(ids.shape)
        weak = target | np.isin(ids, ids[_beside(target) & (position.stones != EMPTY) & (left <= _WEAK)])
        near: Board = _beside(weak) & (position.stones == EMPTY)
        return np.logical_or(near, _beside(near))


def _beside(points: Board) -> Board:
    """Return the points next to some points, bool (N, N)."""
    framed = np.pad(points, 1)
    beside: Board = (framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]) & ~points
    return beside
