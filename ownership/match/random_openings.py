"""Random moves with which the games of a match begin, so that they differ."""

import math
from typing import Final

import numpy as np

from goban.move_notation import IndexedMove
from goban.position import Position

_TRIES: Final = 1000


def most_opening_moves(side: int) -> int:
    """Return how many opening moves always find room on a board."""
    return math.ceil(len(_inner(side)) / 3) ** 2


def _inner(side: int) -> range:
    """Return the rows, which are also the columns, of opening moves: from the third line, on small boards lower."""
    edge = 2 if side >= 9 else 1 if side >= 3 else 0
    return range(edge, side - edge)


def random_opening(position: Position, count: int, seed: tuple[int, ...]) -> list[IndexedMove]:
    """Return moves from a position on: away from the edge, none close to another stone.

    Handicap stones may leave room for fewer than `count`.
    """
    chance = np.random.default_rng(seed)
    moves, inner = list[IndexedMove](), _inner(position.side)
    for _ in range(_TRIES):
        if len(moves) == count:
            break
        row, column = (int(each) for each in chance.choice(inner, 2))
        around = position.stones[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
        if not around.any():
            moves.append((position.to_move, row * position.side + column))
            position = position.play(moves[-1][1])
    return moves
