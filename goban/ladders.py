"""Ladders as a kernel: which chains are caught by one atari after another, and the moves that decide it.

- `ladders(side, stones, colour) -> (bool[N*N], bool[N*N], bool[N*N])`: stones in one or two liberties that a ladder
  captures, and the moves by which a colour catches in a ladder, or escapes from one
"""

from typing import NamedTuple

import numpy as np

from goban.jit import kernel
from goban.kernels import LEGAL, Board, Bool, Int8, Int16, move_status, new_board, place
from goban.search_stack import (
    CAPTURED,
    DEEPER,
    ILLEGAL,
    SAFE,
    SearchStack,
    board_at,
    copy_down,
    is_exhausted,
    new_stack,
    next_move,
)

# What is not caught within these counts as safe. A ladder across 25x25 is about a hundred moves deep; only a cycle of
# kos is deeper. The number of moves depends on their order, and so on how the board is turned: it is out of reach.
_DEEPEST = 250
_MOST_MOVES = 20_000


class Ladder(NamedTuple):
    """A search for a ladder.

    Attributes:
        stack: its boards and moves.
        ko: int16 (depth,), the point that ko forbids at each level, or -1.
        ko_saves: whether a chain is safe once an atari takes a ko.
    """

    stack: SearchStack
    ko: Int16
    ko_saves: bool


@kernel
def ladders(side: int, stones: Int8, colour: int, ko_saves: bool = False) -> tuple[Bool, Bool, Bool]:
    """Return three bool (N*N,): the stones that a ladder captures, the moves by which `colour` catches a chain with two
    liberties, and those by which it saves a chain in atari: to three liberties, or to two and no ladder.

    A chain in atari moves first, a chain with two liberties moves second; others are not in a ladder. Reads at most
    250 moves deep and 20,000 moves a chain; knows simple ko only, none at first, and no capture other than by atari
    after atari. With `ko_saves`, no ladder depends on a ko: an atari that takes one lets the chain go.
    """
    start = new_board(side, stones)
    ladder = Ladder(new_stack(start, _DEEPEST, side * side), np.full(_DEEPEST + 1, -1, np.int16), ko_saves)
    board = board_at(ladder.stack, 0)
    caught, catching, saving = np.zeros((3, side * side), np.bool_)
    for point in range(side * side):
        left = _few_liberties(board, point)[0] if stones[point] != 0 and board.head[point] == point else 3
        if left > 2:
            continue
        attacking = left == 2
        _list_moves(ladder, 0, point, attacking)
        caught[point] = _is_caught(ladder, point, attacking)
        my_turn = attacking == (stones[point] == -colour)
        if my_turn and caught[point] == attacking:
            _mark_deciding(ladder, point, attacking, catching if attacking else saving)
    for point in range(side * side):
        if stones[point] != 0:
            caught[point] = caught[board.head[point]]
    return caught, catching, saving


@kernel
def _mark_deciding(ladder: Ladder, point: int, attacking: bool, found: Bool) -> None:
    """Mark the moves that catch the chain at `point`, or save it, by whether the attacker is to move."""
    _list_moves(ladder, 0, point, attacking)
    stack = ladder.stack
    for move in stack.moves[0, : stack.listed[0]].copy():
        stack.moves[0, 0] = move
        stack.listed[0] = 1
        stack.tried[0] = 0
        if _is_caught(ladder, point, attacking) == attacking:
            found[move] = True


@kernel
def _is_caught(ladder: Ladder, point: int, attacking: bool) -> bool:
    """Return whether the chain at `point` is captured by ataris alone, one of the moves listed at depth 0 being first.

    `attacking`: whether the attacker moves first, the chain then having two liberties, otherwise one.

    Depth-first. A level is decided by the first move that gives its mover what it wants, or by having none left; the
    level above then knows what the move that led there comes to.
    """
    depth = 0
    for _ in range(_MOST_MOVES):
        if is_exhausted(ladder.stack, depth):
            caught, decided = not attacking, True
        else:
            outcome = _try_next(ladder, depth, point, attacking)
            if outcome == DEEPER:
                depth += 1
                attacking = not attacking
                _list_moves(ladder, depth, point, attacking)
                continue
            caught = outcome == CAPTURED
            decided = outcome != ILLEGAL and caught == attacking
        while decided:
            if depth == 0:
                return caught
            depth -= 1
            attacking = not attacking
            decided = caught == attacking
    return False


@kernel
def _list_moves(ladder: Ladder, depth: int, point: int, attacking: bool) -> None:
    """List the moves that matter at `depth`: the chain's liberties, and the captures that save it."""
    stack = ladder.stack
    board = board_at(stack, depth)
    moves = stack.moves[depth]
    left, moves[0], moves[1] = _few_liberties(board, point)
    stack.listed[depth] = left if attacking else _add_counter_captures(board, point, moves, left)
    stack.tried[depth] = 0


@kernel
def _try_next(ladder: Ladder, depth: int, point: int, attacking: bool) -> int:
    """Play the next move of `depth` on the board below; return what it leads to.

    An attacker's move that leaves more than one liberty lets the chain go. A chain with three liberties after its own
    move has escaped, one with two is to be attacked again, and one with fewer is captured.
    """
    stack = ladder.stack
    move = next_move(stack, depth)
    board = board_at(stack, depth)
    mover = -int(board.stones[point]) if attacking else int(board.stones[point])
    if move == ladder.ko[depth] or move_status(board, move, mover) != LEGAL:
        return ILLEGAL
    copy_down(stack, depth)
    board = board_at(stack, depth + 1)
    ladder.ko[depth + 1] = place(board, move, mover)[2]
    left = _few_liberties(board, point)[0]
    if attacking and ladder.ko_saves and ladder.ko[depth + 1] >= 0:
        return SAFE
    if left == (1 if attacking else 2):
        return DEEPER if depth + 1 < _DEEPEST else SAFE
    return SAFE if attacking or left > 2 else CAPTURED


@kernel
def _few_liberties(board: Board, point: int) -> tuple[int, int, int]:
    """Return (liberties of the chain at `point`, counted up to 3, one of them or -1, a second one or -1)."""
    one, two = -1, -1
    stone = point
    while True:
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if board.stones[beside] == 0 and beside != one and beside != two:
                if two >= 0:
                    return 3, one, two
                one, two = beside, one
        stone = int(board.following[stone])
        if stone == point:
            return int(one >= 0) + int(two >= 0), one, two


@kernel
def _add_counter_captures(board: Board, point: int, found: Int16, count: int) -> int:
    """Append to `found` the points, not there yet, that capture an attacker's chain beside the chain at `point`."""
    stone = point
    while True:
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if board.stones[beside] == -board.stones[point]:
                left, last, _ = _few_liberties(board, beside)
                if left == 1 and not (found[:count] == last).any():
                    found[count] = last
                    count += 1
        stone = int(board.following[stone])
        if stone == point:
            return count
