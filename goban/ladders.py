"""Ladders as a kernel: which chains are caught by one atari after another.

- `ladders(side, stones) -> bool[N*N]`: stones in one or two liberties that a ladder captures
"""

from typing import NamedTuple

import numpy as np

from goban.jit import kernel
from goban.kernels import (
    LEGAL,
    Board,
    Bool,
    Int8,
    Int16,
    chain_ids,
    liberties,
    move_status,
    new_board,
    place,
)

# A chain that is not caught within these counts as safe; a ladder across 25x25 has about a hundred moves.
_MOST_MOVES = 2000
_DEEPEST = 250


class Line(NamedTuple):
    """The moves being read: for each depth the stones, the ko point, the moves to try, their number, those tried."""

    stones: Int8
    ko: Int16
    moves: Int16
    listed: Int16
    tried: Int16


@kernel
def ladders(side: int, stones: Int8) -> Bool:
    """Return bool (N*N,): the stones whose chain a ladder captures.

    A chain in atari moves first, a chain with two liberties moves second; others are not in a ladder. Reads at
    most 2,000 moves a chain; knows simple ko only and no capture other than by atari after atari.
    """
    points = side * side
    ids = chain_ids(side, stones)
    counts = liberties(side, stones, ids)
    line = Line(
        np.empty((_DEEPEST, points), np.int8),
        np.empty(_DEEPEST, np.int16),
        np.empty((_DEEPEST, points), np.int16),
        np.empty(_DEEPEST, np.int16),
        np.empty(_DEEPEST, np.int16),
    )
    line.stones[0] = stones
    caught = np.zeros(points, np.bool_)
    for point in range(points):
        if stones[point] != 0 and ids[point] != point:
            caught[point] = caught[ids[point]]
        elif stones[point] != 0 and counts[point] <= 2:
            caught[point] = _is_caught(side, line, point, counts[point] == 2)
    return caught


@kernel
def _is_caught(side: int, line: Line, point: int, attacking: bool) -> bool:
    """Return whether the chain at `point` of `line.stones[0]` is captured by ataris alone.

    Args: `attacking`, whether the attacker moves first, the chain then having two liberties, otherwise one.
    Depth-first: one side's moves lead a level down, and up comes whether the chain was caught there.
    """
    depth = 0
    _open_level(side, line, 0, -1, point, attacking)
    for _ in range(_MOST_MOVES):
        caught = not attacking
        decided = line.tried[depth] == line.listed[depth]
        if not decided:
            left, ko = _try_next(side, line, depth, point, attacking)
            if not attacking and left > 2:
                caught, decided = False, True
            elif (attacking and left == 1) or (not attacking and left == 2):
                depth += 1
                attacking = not attacking
                if depth == _DEEPEST - 1:
                    return False
                _open_level(side, line, depth, ko, point, attacking)
        while decided:
            if depth == 0:
                return caught
            depth -= 1
            attacking = not attacking
            decided = caught == attacking
    return False


@kernel
def _open_level(side: int, line: Line, depth: int, ko: int, point: int, attacking: bool) -> None:
    """List the moves that matter at `depth`; `ko` is forbidden there to the side to move."""
    board = new_board(side, line.stones[depth])
    moves = line.moves[depth]
    count = _add_liberties(board, point, moves, 0)
    if not attacking:
        count = _add_counter_captures(board, point, moves, count)
    line.ko[depth] = ko
    line.listed[depth] = count
    line.tried[depth] = 0


@kernel
def _try_next(side: int, line: Line, depth: int, point: int, attacking: bool) -> tuple[int, int]:
    """Play the next move of `depth` onto the level below; return (liberties of the chain or -1 if illegal, ko)."""
    move = int(line.moves[depth, line.tried[depth]])
    line.tried[depth] += 1
    board = new_board(side, line.stones[depth])
    mover = -int(board.stones[point]) if attacking else int(board.stones[point])
    if move == line.ko[depth] or move_status(board, move, mover) != LEGAL:
        return -1, -1
    ko = place(board, move, mover)[2]
    line.stones[depth + 1] = board.stones
    return _add_liberties(board, point, np.empty(side * side, np.int16), 0), ko


@kernel
def _add_liberties(board: Board, point: int, found: Int16, count: int) -> int:
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
        stone = int(board.following[stone])
        if stone == point:
            return count


@kernel
def _add_counter_captures(board: Board, point: int, found: Int16, count: int) -> int:
    """Append to `found` the points that capture an attacker's chain beside the chain at `point`."""
    stone = point
    own = np.empty(len(found), np.int16)
    while True:
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if (
                board.stones[beside] == -board.stones[point]
                and _add_liberties(board, beside, own, 0) == 1
                and not (found[:count] == own[0]).any()
            ):
                found[count] = own[0]
                count += 1
        stone = int(board.following[stone])
        if stone == point:
            return count
