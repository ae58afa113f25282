"""Ladders as a kernel: which chains are caught by one atari after another, and the moves that decide it.

- `ladders(side, stones, colour) -> (bool[N*N], bool[N*N], bool[N*N])`: stones in one or two liberties that a ladder
  captures, and the moves by which a colour catches in a ladder, or escapes from one
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.jit import kernel
from goban.kernels import LEGAL, Board, Bool, Int8, Int16, move_status, new_board, place

# What is not caught within these counts as safe. A ladder across 25x25 is about a hundred moves deep; only a cycle of
# kos is deeper. The number of moves depends on their order, and so on how the board is turned: it is out of reach.
_DEEPEST = 250
_MOST_MOVES = 20_000


class Line(NamedTuple):
    """The moves being read. For each depth: a board, the ko point, the moves to try, their number, those tried.

    `chains` int16 (depth, 4, N*N) has the other arrays of each Board; all share the neighbours, and a hash of no use.
    """

    neighbours: Int16
    hash: npt.NDArray[np.uint64]
    stones: Int8
    chains: Int16
    ko: Int16
    moves: Int16
    listed: Int16
    tried: Int16


@kernel
def ladders(side: int, stones: Int8, colour: int) -> tuple[Bool, Bool, Bool]:
    """Return three bool (N*N,): the stones that a ladder captures, the moves by which `colour` catches a chain with two
    liberties, and those by which it saves a chain in atari: to three liberties, or to two and no ladder.

    A chain in atari moves first, a chain with two liberties moves second; others are not in a ladder. Reads at most
    250 moves deep and 20,000 moves a chain; knows simple ko only, none at first, and no capture other than by atari
    after atari.
    """
    line = _new_line(new_board(side, stones))
    board = _board(line, 0)
    caught, catching, saving = np.zeros((3, side * side), np.bool_)
    for point in range(side * side):
        left = _few_liberties(board, point)[0] if stones[point] != 0 and board.head[point] == point else 3
        if left > 2:
            continue
        attacking = left == 2
        _open_level(line, 0, point, attacking)
        caught[point] = _is_caught(line, point, attacking)
        my_turn = attacking == (stones[point] == -colour)
        if my_turn and caught[point] == attacking:
            _mark_deciding(line, point, attacking, catching if attacking else saving)
    for point in range(side * side):
        if stones[point] != 0:
            caught[point] = caught[board.head[point]]
    return caught, catching, saving


@kernel
def _mark_deciding(line: Line, point: int, attacking: bool, found: Bool) -> None:
    """Mark the moves that catch the chain at `point`, or save it, by whether the attacker is to move."""
    _open_level(line, 0, point, attacking)
    for move in line.moves[0, : line.listed[0]].copy():
        line.moves[0, 0] = move
        line.listed[0] = 1
        line.tried[0] = 0
        if _is_caught(line, point, attacking) == attacking:
            found[move] = True


@kernel
def _is_caught(line: Line, point: int, attacking: bool) -> bool:
    """Return whether the chain at `point` is captured by ataris alone, one of the moves listed at depth 0 being first.

    Args: `attacking`, whether the attacker moves first, the chain then having two liberties, otherwise one.
    Depth-first: one side's moves lead a level down, and up comes whether the chain was caught there.
    """
    depth = 0
    for _ in range(_MOST_MOVES):
        caught = not attacking
        decided = line.tried[depth] == line.listed[depth]
        if not decided:
            left = _try_next(line, depth, point, attacking)
            if not attacking and left > 2:
                caught, decided = False, True
            elif (attacking and left == 1) or (not attacking and left == 2):
                depth += 1
                attacking = not attacking
                _open_level(line, depth, point, attacking)
                caught, decided = False, depth == _DEEPEST
        while decided:
            if depth == 0:
                return caught
            depth -= 1
            attacking = not attacking
            decided = caught == attacking
    return False


@kernel
def _open_level(line: Line, depth: int, point: int, attacking: bool) -> None:
    """List the moves that matter at `depth`."""
    board = _board(line, depth)
    moves = line.moves[depth]
    left, moves[0], moves[1] = _few_liberties(board, point)
    line.listed[depth] = left if attacking else _add_counter_captures(board, point, moves, left)
    line.tried[depth] = 0


@kernel
def _try_next(line: Line, depth: int, point: int, attacking: bool) -> int:
    """Play the next move of `depth` on the board below; return the chain's liberties, up to 3, or -1 if illegal."""
    move = int(line.moves[depth, line.tried[depth]])
    line.tried[depth] += 1
    board = _board(line, depth)
    mover = -int(board.stones[point]) if attacking else int(board.stones[point])
    if move == line.ko[depth] or move_status(board, move, mover) != LEGAL:
        return -1
    line.stones[depth + 1] = line.stones[depth]
    line.chains[depth + 1] = line.chains[depth]
    board = _board(line, depth + 1)
    line.ko[depth + 1] = place(board, move, mover)[2]
    return _few_liberties(board, point)[0]


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


@kernel
def _new_line(board: Board) -> Line:
    """Return a Line that has a board at depth 0, and no moves."""
    points = len(board.stones)
    line = Line(
        board.neighbours,
        board.hash,
        np.empty((_DEEPEST + 1, points), np.int8),
        np.empty((_DEEPEST + 1, 4, points), np.int16),
        np.empty(_DEEPEST + 1, np.int16),
        np.empty((_DEEPEST + 1, points), np.int16),
        np.empty(_DEEPEST + 1, np.int16),
        np.empty(_DEEPEST + 1, np.int16),
    )
    line.ko[0] = -1
    line.stones[0] = board.stones
    line.chains[0, 0], line.chains[0, 1] = board.head, board.following
    line.chains[0, 2], line.chains[0, 3] = board.size, board.pseudo
    return line


@kernel
def _board(line: Line, depth: int) -> Board:
    """Return the board at `depth`, sharing its memory with the line."""
    head, following, size, pseudo = line.chains[depth]
    return Board(line.neighbours, line.stones[depth], head, following, size, pseudo, line.hash)
