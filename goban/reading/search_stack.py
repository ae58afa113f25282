"""The stack of a depth-first search on the board, for kernels that read moves out, and moves taken back.

There is one board; a level holds the moves to try on it, how many of them were tried, and what it takes to undo the
last one. The search itself, which decides what a move leads to, is its caller's.

- `new_stack(board, deepest, most) -> SearchStack`: level 0, without moves
- `is_exhausted(stack, depth) -> bool`, `next_move(stack, depth) -> point`: the moves of a level, one after the other
- `last_tried(stack, depth) -> point`, `play_down(stack, depth, colour) -> (captured, lost, ko)`,
  `take_up(stack, depth, colour)`: the move of a level that was tried last, onto the board and off again
- `place_down(board, point, colour, kept) -> (captured, lost, ko)`: as `place`, keeping what `take_back` needs
- `take_back(board, point, colour, kept)`: the last move off the board, every array being as it was before

A chain that is joined or captured leaves its size, its pseudo-liberties and the order of its stones in memory. So a
move is undone by doing its steps in reverse, if what came after it was undone before.
"""

from typing import Final, NamedTuple

import numpy as np

from goban.array_types import Int16
from goban.board_kernels import ZOBRIST, Board, place
from goban.jit import in_place, inner

KEPT: Final = 8  # numbers that are kept for each move

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
        kept: int16 (depth, KEPT), what it takes to undo the move that was tried last.
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
def last_tried(stack: SearchStack, depth: int) -> int:
    """Return the last move that was tried at `depth`."""
    return int(stack.moves[depth, stack.tried[depth] - 1])


@in_place
def play_down(stack: SearchStack, depth: int, colour: int) -> tuple[int, int, int]:
    """Play the last move that was tried at `depth`, legal and no pass; return what `place` returns."""
    return place_down(stack.board, last_tried(stack, depth), colour, stack.kept[depth])


@in_place
def take_up(stack: SearchStack, depth: int, colour: int) -> None:
    """Undo the last move that was tried at `depth`."""
    take_back(stack.board, last_tried(stack, depth), colour, stack.kept[depth])


@in_place
def place_down(board: Board, point: int, colour: int, kept: Int16) -> tuple[int, int, int]:
    """Play on an empty point, no suicide; return what `place` returns.

    kept: int16 (KEPT,), overwritten: what was in memory for the point, and the board's trace.
    """
    kept[0], kept[1] = board.head[point], board.following[point]
    kept[2], kept[3] = board.size[point], board.pseudo[point]
    played = place(board, point, colour)
    for k in range(4):
        kept[4 + k] = board.trace[k]
    return played


@in_place
def take_back(board: Board, point: int, colour: int, kept: Int16) -> None:
    """Undo the last move that was not taken back, a stone of `colour` at `point`, with what `place_down` kept."""
    count = 0
    for k in range(4):
        beside = int(board.neighbours[point, k])
        if beside < 0:
            break
        count += 1
        if board.stones[beside] == 0 and kept[4 + k] >= 0:
            _put_back(board, beside, -colour)
    for k in range(count - 1, -1, -1):
        beside = int(board.neighbours[point, k])
        if board.stones[beside] == 0:
            board.pseudo[board.head[point]] -= 1
            continue
        if board.stones[beside] == colour and kept[4 + k] >= 0:
            _split(board, int(board.head[point]), int(kept[4 + k]))
        board.pseudo[board.head[beside]] += 1
    board.stones[point] = 0
    board.hash[0] ^= ZOBRIST[colour + 1, point]
    board.head[point], board.following[point] = kept[0], kept[1]
    board.size[point], board.pseudo[point] = kept[2], kept[3]


@in_place
def _put_back(board: Board, start: int, colour: int) -> None:
    """Put a captured chain back, given one of its stones."""
    head = board.head[start]
    stone = start
    while True:
        board.stones[stone] = colour
        board.hash[0] ^= ZOBRIST[colour + 1, stone]
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if board.stones[beside] != 0 and board.head[beside] != head:
                board.pseudo[board.head[beside]] -= 1
        stone = int(board.following[stone])
        if stone == start:
            break
    board.pseudo[head] = 0


@in_place
def _split(board: Board, one: int, other: int) -> None:
    """Make two chains of one again, given the head that it kept and the one that it lost."""
    board.following[one], board.following[other] = board.following[other], board.following[one]
    stone = other
    while True:
        board.head[stone] = other
        stone = int(board.following[stone])
        if stone == other:
            break
    board.size[one] -= board.size[other]
    board.pseudo[one] -= board.pseudo[other]
