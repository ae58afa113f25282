"""Ladders as a kernel: which chains are caught by one atari after another, and the moves that decide it.

- `ladders(side, stones, colour, ko_saves, ko) -> (bool[N*N], bool[N*N], bool[N*N])`: stones in one or two liberties
  that a ladder captures, and the moves by which a colour catches in a ladder, or escapes from one
"""

from typing import NamedTuple

import numpy as np

from goban.array_types import Bool, Int8, Int16
from goban.board_kernels import LEGAL, Board, few_liberties, move_status, new_board
from goban.jit import in_place, inner
from goban.reading.search_stack import (
    CAPTURED,
    DEEPER,
    ILLEGAL,
    SAFE,
    SearchStack,
    is_exhausted,
    last_tried,
    new_stack,
    next_move,
    play_down,
    take_up,
)

# What is not caught within these counts as safe. A ladder across 25x25 is about a hundred moves deep; only a cycle of
# kos is deeper. The number of moves depends on their order, and so on how the board is turned: it is out of reach.
_DEEPEST = 250
_MOST_MOVES = 20_000


class Ladder(NamedTuple):
    """A search for a ladder.

    Attributes:
        stack: its board and moves.
        ko: int16 (depth,), the point that ko forbids at each level, or -1.
        ko_saves: whether a chain is safe once an atari after the first takes a ko.
    """

    stack: SearchStack
    ko: Int16
    ko_saves: bool


@inner
def ladders(side: int, stones: Int8, colour: int, ko_saves: bool, ko: int) -> tuple[Bool, Bool, Bool]:
    """Return three bool (N*N,): the stones that a ladder captures, the moves by which `colour` catches a chain with two
    liberties, and those by which it saves a chain in atari: to three liberties, or to two and no ladder.

    A chain in atari moves first, a chain with two liberties moves second; others are not in a ladder. Reads at most
    250 moves deep and 20,000 moves a chain; follows simple ko only, and captures by atari after atari only. No
    attack begins at `ko`. With `ko_saves`, no ladder depends on a ko: an atari that takes one lets the chain go, except
    the first, which the chain may retake.
    """
    points = side * side
    board = new_board(side, stones)
    ladder = Ladder(new_stack(board, _DEEPEST, points), np.full(_DEEPEST + 1, -1, np.int16), ko_saves)
    caught, catching, saving = np.zeros(points, np.bool_), np.zeros(points, np.bool_), np.zeros(points, np.bool_)
    for point in range(points):
        # Two liberties make eight pseudo-liberties at most.
        if stones[point] != 0 and board.head[point] == point and board.pseudo[point] <= 8:
            _read_chain(ladder, point, colour, ko, (caught, catching, saving))
    for point in range(points):
        if stones[point] != 0:
            caught[point] = caught[board.head[point]]
    return caught, catching, saving


@in_place
def _read_chain(ladder: Ladder, point: int, colour: int, ko: int, found: tuple[Bool, Bool, Bool]) -> None:
    """Write what `ladders` returns, about the chain whose head is `point`; no attack begins at `ko`."""
    caught, catching, saving = found
    stone = int(ladder.stack.board.stones[point])
    left = _find_liberties(ladder, 0, point)
    if left > 2:
        return
    attacking = left == 2
    ladder.ko[0] = ko if attacking else -1
    _list_moves(ladder, 0, point, attacking)
    caught[point] = _is_caught(ladder, point, attacking)
    my_turn = attacking == (stone == -colour)
    if my_turn and caught[point] == attacking:
        _mark_deciding(ladder, point, attacking, catching if attacking else saving)


@in_place
def _mark_deciding(ladder: Ladder, point: int, attacking: bool, found: Bool) -> None:
    """Mark the moves that catch the chain at `point`, or save it, by whether the attacker is to move.

    The last move that was tried is one of them, and those before it are not.
    """
    stack = ladder.stack
    first, listed = int(stack.tried[0]), int(stack.listed[0])
    if first > 0:
        found[last_tried(stack, 0)] = True
    for index in range(first, listed):
        stack.tried[0], stack.listed[0] = index, index + 1
        if _is_caught(ladder, point, attacking) == attacking:
            found[stack.moves[0, index]] = True


@in_place
def _is_caught(ladder: Ladder, point: int, attacking: bool) -> bool:
    """Return whether the chain at `point` is captured by ataris alone, one of the moves listed at depth 0 being first.

    `attacking`: whether the attacker moves first, the chain then having two liberties, otherwise one.

    Depth-first. A level is decided by the first move that gives its mover what it wants, or by having none left; the
    level above then has the result of the move that led there.
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
            take_up(ladder.stack, depth, _mover(ladder, point, attacking))
            decided = caught == attacking
    _give_up(ladder, depth, point, attacking)
    return False


@in_place
def _give_up(ladder: Ladder, depth: int, point: int, attacking: bool) -> None:
    """Take all moves back, none of which decided anything."""
    while depth > 0:
        depth -= 1
        attacking = not attacking
        take_up(ladder.stack, depth, _mover(ladder, point, attacking))
    ladder.stack.tried[0] = 0


@in_place
def _mover(ladder: Ladder, point: int, attacking: bool) -> int:
    stone = int(ladder.stack.board.stones[point])
    return -stone if attacking else stone


@in_place
def _find_liberties(ladder: Ladder, depth: int, point: int) -> int:
    """Return the liberties of the chain at `point`, counted up to 3; the first two become the moves of `depth`."""
    stack = ladder.stack
    left, stack.moves[depth, 0], stack.moves[depth, 1] = few_liberties(stack.board, point)
    return left


@in_place
def _list_moves(ladder: Ladder, depth: int, point: int, attacking: bool) -> None:
    """List the moves that matter at `depth`: the chain's liberties, which are there, and the captures that save it."""
    stack = ladder.stack
    stack.listed[depth] = 2 if attacking else _add_counter_captures(stack.board, point, stack.moves[depth], 1)
    stack.tried[depth] = 0


@in_place
def _try_next(ladder: Ladder, depth: int, point: int, attacking: bool) -> int:
    """Play the next move of `depth`; return its outcome. It stays on the board if that is DEEPER."""
    stack = ladder.stack
    move = next_move(stack, depth)
    mover = _mover(ladder, point, attacking)
    if attacking and _runs_free(stack.board, point, int(stack.moves[depth, 2 - stack.tried[depth]]), move):
        return SAFE
    if move == ladder.ko[depth] or move_status(stack.board, move, mover) != LEGAL:
        return ILLEGAL
    ko = play_down(stack, depth, mover)[2]
    if ladder.ko_saves and attacking and depth == 0:
        ko = -1
    ladder.ko[depth + 1] = ko
    outcome = _outcome(ladder, depth, point, attacking, ko)
    if outcome != DEEPER:
        take_up(stack, depth, mover)
    return outcome


@in_place
def _outcome(ladder: Ladder, depth: int, point: int, attacking: bool, ko: int) -> int:
    """Return the outcome of the move that was played at `depth`, given the point that ko forbids after it.

    An attacker's move that leaves more than one liberty lets the chain go. A chain with three liberties after its own
    move has escaped, one with two is to be attacked again, and one with fewer is captured.
    """
    if attacking and ladder.ko_saves and ko >= 0:
        return SAFE
    left = _find_liberties(ladder, depth + 1, point)
    if left == (1 if attacking else 2):
        return DEEPER if depth + 1 < _DEEPEST else SAFE
    return SAFE if attacking or left > 2 else CAPTURED


@in_place
def _runs_free(board: Board, point: int, last: int, attack: int) -> bool:
    """Return whether the chain at `point`, with liberties at `last` and `attack`, surely gets three liberties by moving
    to one once the other is taken: from empty points, or from a chain with five, as its pseudo-liberties show."""
    free = 0
    for k in range(4):
        beside = int(board.neighbours[last, k])
        if beside < 0:
            break
        if board.stones[beside] == 0:
            free += int(beside != attack)
        elif board.stones[beside] == board.stones[point] and board.pseudo[board.head[beside]] > 16:
            return True
    return free >= 3


@in_place
def _add_counter_captures(board: Board, point: int, found: Int16, count: int) -> int:
    """Append to `found` the points, not there yet, that capture an attacker's chain beside the chain at `point`."""
    stone = point
    while True:
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            # A last liberty makes four pseudo-liberties at most.
            if board.stones[beside] == -board.stones[point] and board.pseudo[board.head[beside]] <= 4:
                left, last, _ = few_liberties(board, beside)
                if left == 1 and not _is_among(found, count, last):
                    found[count] = last
                    count += 1
        stone = int(board.following[stone])
        if stone == point:
            return count


@in_place
def _is_among(found: Int16, count: int, point: int) -> bool:
    among = False
    for k in range(count):
        among = among or found[k] == point
    return among
