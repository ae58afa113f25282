"""The stack of a depth-first search on the board, for kernels that read moves out.

A level holds a board, the moves to try on it and how many of them were tried. The search itself, which decides what a
move leads to, is its caller's.

- `new_stack(board, deepest, most) -> SearchStack`: the board at level 0, without moves
- `board_at(stack, depth) -> Board`: the board of a level, in the memory of the stack
- `copy_down(stack, depth)`: the board of a level, copied to the level below
- `is_exhausted(stack, depth) -> bool`, `next_move(stack, depth) -> point`: the moves of a level, one after the other
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.jit import kernel
from goban.kernels import Board, Int8, Int16

# What a move, or a whole search, leads to for the chain that is attacked.
CAPTURED: Final = 1
SAFE: Final = 0
UNKNOWN: Final = -1  # the search was given up
DEEPER: Final = 2  # not known before the level below is searched
ILLEGAL: Final = 3


class SearchStack(NamedTuple):
    """The boards and moves of every level; the first axis of each array but `neighbours` is the depth.

    Attributes:
        neighbours: int16 (N*N, 4), shared by all boards.
        stones: int8 (depth, N*N).
        chains: int16 (depth, 4, N*N), the other arrays of each Board.
        hash: uint64 (depth, 1).
        moves: int16 (depth, most), flat indices.
        listed: int16 (depth,), moves of each level.
        tried: int16 (depth,), how many of them were tried.
    """

    neighbours: Int16
    stones: Int8
    chains: Int16
    hash: npt.NDArray[np.uint64]
    moves: Int16
    listed: Int16
    tried: Int16


@kernel
def new_stack(board: Board, deepest: int, most: int) -> SearchStack:
    """Return a stack for levels 0 to `deepest` of up to `most` moves, with `board` at level 0 and no moves."""
    points = len(board.stones)
    stack = SearchStack(
        board.neighbours,
        np.empty((deepest + 1, points), np.int8),
        np.empty((deepest + 1, 4, points), np.int16),
        np.empty((deepest + 1, 1), np.uint64),
        np.empty((deepest + 1, most), np.int16),
        np.zeros(deepest + 1, np.int16),
        np.zeros(deepest + 1, np.int16),
    )
    stack.stones[0] = board.stones
    stack.hash[0] = board.hash
    stack.chains[0, 0], stack.chains[0, 1] = board.head, board.following
    stack.chains[0, 2], stack.chains[0, 3] = board.size, board.pseudo
    return stack


@kernel
def board_at(stack: SearchStack, depth: int) -> Board:
    """Return the board at `depth`; what is played on it changes the stack."""
    head, following, size, pseudo = stack.chains[depth]
    return Board(stack.neighbours, stack.stones[depth], head, following, size, pseudo, stack.hash[depth])


@kernel
def copy_down(stack: SearchStack, depth: int) -> None:
    """Copy the board at `depth` to the level below."""
    stack.stones[depth + 1] = stack.stones[depth]
    stack.chains[depth + 1] = stack.chains[depth]
    stack.hash[depth + 1, 0] = stack.hash[depth, 0]


@kernel
def is_exhausted(stack: SearchStack, depth: int) -> bool:
    """Return whether all moves at `depth` were tried."""
    return bool(stack.tried[depth] == stack.listed[depth])


@kernel
def next_move(stack: SearchStack, depth: int) -> int:
    """Return the next move at `depth`, which from now on counts as tried."""
    move = int(stack.moves[depth, stack.tried[depth]])
    stack.tried[depth] += 1
    return move
