"""Ladders as a kernel: which chains are caught by one atari after another.

- `ladders(side, stones) -> bool[N*N]`: stones in one or two liberties that a ladder captures
"""

import numpy as np
import numpy.typing as npt

from goban.jit import kernel
from goban.kernels import (
    LEGAL,
    Board,
    Bool,
    Int8,
    chain_ids,
    liberties,
    move_status,
    new_board,
    place,
)

# Ladders that matter end within a few hundred moves; beyond, a chain counts as safe.
_MOST_MOVES = 2000


@kernel
def ladders(side: int, stones: Int8) -> Bool:
    """Return bool (N*N,): the stones whose chain a ladder captures.

    A chain in atari moves first, a chain with two liberties moves second; others are not in a ladder. Reads at
    most 2,000 moves a chain; knows simple ko only and no capture other than by atari after atari.
    """
    ids = chain_ids(side, stones)
    counts = liberties(side, stones, ids)
    board = new_board(side, stones)
    caught = np.zeros(side * side, np.bool_)
    budget = np.zeros(1, np.int64)
    for point in range(side * side):
        if stones[point] != 0 and ids[point] != point:
            caught[point] = caught[ids[point]]
        elif stones[point] != 0 and counts[point] <= 2:
            budget[0] = _MOST_MOVES
            caught[point] = _is_caught(board, point, -1, counts[point] == 2, budget)
    return caught


@kernel
def _is_caught(board: Board, point: int, ko: int, attacking: bool, budget: npt.NDArray[np.int64]) -> bool:
    """Return whether the chain at `point` is captured by ataris alone.

    Args: `ko`, the point forbidden to the side to move; `attacking`, whether that is the attacker, and the chain
    then has two liberties, otherwise one; `budget`, the moves still to be tried.
    """
    colour = int(board.stones[point])
    mover = -colour if attacking else colour
    moves = np.empty(len(board.stones), np.int16)
    count = _liberties_of(board, point, moves, 0)
    if not attacking:
        count = _counter_captures(board, point, moves, count)
    for k in range(count):
        move = int(moves[k])
        if move == ko or move_status(board, move, mover) != LEGAL:
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return False
        after = _copy(board)
        next_ko = place(after, move, mover)[2]
        left = _liberties_of(after, point, np.empty(len(moves), np.int16), 0)
        if attacking:
            if left <= 1 and _is_caught(after, point, next_ko, False, budget):
                return True
        elif left > 2 or (left == 2 and not _is_caught(after, point, next_ko, True, budget)):
            return False
    return not attacking


@kernel
def _copy(board: Board) -> Board:
    """Return a board that can be changed by itself."""
    return Board(
        board.neighbours,
        board.stones.copy(),
        board.head.copy(),
        board.following.copy(),
        board.size.copy(),
        board.pseudo.copy(),
        board.hash.copy(),
    )


@kernel
def _liberties_of(board: Board, point: int, found: npt.NDArray[np.int16], count: int) -> int:
    """Append to `found` the liberties, not there yet, of the chain at `point`; return their new count."""
    stone = point
    while True:
        for k in range(4):
            beside = board.neighbours[stone, k]
            if beside < 0:
                break
            if board.stones[beside] == 0 and not (found[:count] == beside).any():
                found[count] = beside
                count += 1
        stone = board.following[stone]
        if stone == point:
            return count


@kernel
def _counter_captures(board: Board, point: int, found: npt.NDArray[np.int16], count: int) -> int:
    """Append to `found` the points that capture an attacker's chain beside the chain at `point`."""
    stone = point
    own = np.empty(len(found), np.int16)
    while True:
        for k in range(4):
            beside = board.neighbours[stone, k]
            if beside < 0:
                break
            if (
                board.stones[beside] == -board.stones[point]
                and _liberties_of(board, beside, own, 0) == 1
                and not (found[:count] == own[0]).any()
            ):
                found[count] = own[0]
                count += 1
        stone = board.following[stone]
        if stone == point:
            return count
