"""The stack of a depth-first search on the board, for kernels that read moves out.

There is one board; a level holds the moves to try on it, how many of them were tried, and what it takes to undo the
last one. The search itself, which decides what a move leads to, is its caller's.

- `new_stack(board, deepest, most) -> SearchStack`: level 0, without moves
- `is_exhausted(stack, depth) -> bool`, `next_move(stack, depth) -> point`: the moves of a level, one after the other
- `last_move(stack, depth) -> point`, `play_down(stack, depth, colour) -> (captured, lost, ko)`,
  `take_up(stack, depth, colour)`: the move of a level that was tried last, onto the board and off again
"""

from typing import Final, NamedTuple

import numpy as np

from goban.jit import in_place, inner
from goban.kernels import Board, Int16
from goban.undo import KEPT, place_down, take_back

# What a move, or a whole search, leads to for the chain that is attacked.
CAPTURED: Final = 1
SAFE: Final = 0
UNKNOWN: Final = -1  # the search was given up
DEEPER: Final = 2  # not known before the level below is searched
ILLEGAL: Final = 3


class SearchStack(NamedTuple):
    """A board, and the moves of every level; the first axis of the arrays is the depth.

    Attributes:
        board: with the moves of all levels above the present one.
        moves: int16 (depth, most), flat indices.
        listed: int16 (depth,), moves of each level.
        tried: int16 (depth,), how many of them were tried.
        kept: int16 (depth, KEPT), of `goban.undo`.
    """

    board: Board
    moves: Int16
    listed: Int16
    tried: Int16
    kept: Int16


@inner
def new_stack(board: Board, deepest: int, most: int) -> SearchStack:
    """Return a stack for levels 0 to `deepest` of up to `most` moves, on `board`, and no moves."""
    return SearchStack(
        board,
        np.empty((deepest + 1, most), np.int16),
        np.zeros(deepest + 1, np.int16),
        np.zeros(deepest + 1, np.int16),
        np.empty((deepest + 1, KEPT), np.int16),
    )


@in_place
def is_exhausted(stack: SearchStack, depth: int) -> bool:
    """Return whether all moves at `depth` were tried."""
    return bool(stack.tried[depth] == stack.listed[depth])


@in_place
def next_move(stack: SearchStack, depth: int) -> int:
    """Return the next move at `depth`, which from now on counts as tried."""
    move = int(stack.moves[depth, stack.tried[depth]])
    stack.tried[depth] += 1
    return move


@in_place
def last_move(stack: SearchStack, depth: int) -> int:
    """Return the last move that was tried at `depth`."""
    return int(stack.moves[depth, stack.tried[depth] - 1])


@in_place
def play_down(stack: SearchStack, depth: int, colour: int) -> tuple[int, int, int]:
    """Play the last move that was tried at `depth`, legal and no pass; return what `place` returns."""
    return place_down(stack.board, last_move(stack, depth), colour, stack.kept[depth])


@in_place
def take_up(stack: SearchStack, depth: int, colour: int) -> None:
    """Undo the last move that was tried at `depth`."""
    take_back(stack.board, last_move(stack, depth), colour, stack.kept[depth])
