"""A board that is kept up to date stone by stone, for kernels: placing stones, joining chains, capturing them.

A board is `int8[N * N]` in the order of rows: 1 Black, -1 White, 0 empty. Points are flat indices, N * N is a
pass. Every kernel trusts its arguments: wrong shapes, dtypes or points are checked by the callers in Python.
Pass C-contiguous, writable arrays, so that each kernel is compiled once only (`goban.jit`).

`new_board`, `copy_board`, `place`, `move_status`, `few_liberties`; `goban.move_kernels` has moves for Python.
"""

from typing import NamedTuple

import numpy as np

from goban.array_types import Int8, Int16, Uint64
from goban.chain_kernels import label_into, neighbour_table
from goban.coords import MAX_SIDE
from goban.jit import in_place, inner, kernel

LEGAL, OCCUPIED, KO, SUICIDE = 0, 1, 2, 3


def _mixed(numbers: Uint64) -> Uint64:
    """Return a well mixed 64-bit word for each number (the finaliser of splitmix64)."""
    words = numbers * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


# Row 0 for White, row 1 unused, row 2 for Black, so that the row is colour + 1.
ZOBRIST = _mixed(np.arange(1, 3 * MAX_SIDE**2 + 1, dtype=np.uint64)).reshape(3, MAX_SIDE**2)


class Board(NamedTuple):
    """Chains as circular lists, kept up to date move by move; the arrays are indexed by flat point.

    A chain's head carries its size and its pseudo-liberties: the pairs of one of its stones and an empty
    point beside it, of which there are none exactly when the chain has no liberty.

    `trace`, int16 (4,), is what the last stone did to the chains beside it, neighbour by neighbour: the head that a
    chain lost by being joined or captured, else -1. The rest of what a chain was stays in memory (`search_stack`).
    """

    neighbours: Int16
    stones: Int8
    head: Int16
    following: Int16
    size: Int16
    pseudo: Int16
    trace: Int16
    hash: Uint64


@kernel
def new_board(side: int, setup: Int8) -> Board:
    """Return a Board of its own with the stones of `setup`, int8 (N*N,); removes nothing."""
    points = side * side
    board = Board(
        neighbour_table(side),
        setup.copy(),
        np.empty(points, np.int16),
        np.empty(points, np.int16),
        np.empty(points, np.int16),
        np.empty(points, np.int16),
        np.empty(4, np.int16),
        np.zeros(1, np.uint64),
    )
    label_into(side, setup, False, board.head)
    for point in range(points):
        if setup[point] != 0:
            _put_in_chain(board, point)
    return board


@inner
def copy_board(source: Board, target: Board) -> None:
    """Make a board of the same side the same as another one; the trace of the last move is not copied."""
    copy_points(source.stones, target.stones)
    copy_points(source.head, target.head)
    copy_points(source.following, target.following)
    copy_points(source.size, target.size)
    copy_points(source.pseudo, target.pseudo)
    target.hash[0] = source.hash[0]


@in_place
def copy_points(source: Int8 | Int16, target: Int8 | Int16) -> None:
    """Do `target[:] = source`, which takes a second to compile."""
    for point in range(len(source)):
        target[point] = source[point]


@in_place
def _put_in_chain(board: Board, point: int) -> None:
    """Add a stone of a new board to what its chain's head carries, which is the first stone to be added."""
    head = board.head[point]
    if head == point:
        board.following[point] = point
        board.size[point] = board.pseudo[point] = 0
    else:
        board.following[point] = board.following[head]
        board.following[head] = point
    board.size[head] += 1
    board.hash[0] ^= ZOBRIST[board.stones[point] + 1, point]
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        board.pseudo[head] += int(board.stones[beside] == 0)


@in_place
def _put(board: Board, point: int, colour: int) -> None:
    """Set a stone on an empty point and join it to its chains; removes nothing."""
    board.stones[point] = colour
    board.hash[0] ^= ZOBRIST[colour + 1, point]
    board.head[point] = point
    board.following[point] = point
    board.size[point] = 1
    board.pseudo[point] = 0
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        board.trace[k] = -1
        if board.stones[beside] == 0:
            board.pseudo[board.head[point]] += 1
            continue
        board.pseudo[board.head[beside]] -= 1
        if board.stones[beside] == colour and board.head[beside] != board.head[point]:
            board.trace[k] = _join(board, board.head[point], board.head[beside])


@in_place
def _join(board: Board, one: int, other: int) -> int:
    """Make one chain of two, given their heads, by relabelling the smaller; return its former head."""
    if board.size[one] < board.size[other]:
        one, other = other, one
    board.size[one] += board.size[other]
    board.pseudo[one] += board.pseudo[other]
    stone = other
    while True:
        board.head[stone] = one
        stone = board.following[stone]
        if stone == other:
            break
    board.following[one], board.following[other] = board.following[other], board.following[one]
    return other


@in_place
def _remove(board: Board, start: int) -> int:
    """Take the chain at `start` off the board; return its size."""
    size = int(board.size[board.head[start]])
    row = board.stones[start] + 1
    stone = start
    while True:
        board.stones[stone] = 0
        board.hash[0] ^= ZOBRIST[row, stone]
        for k in range(4):
            beside = board.neighbours[stone, k]
            if beside < 0:
                break
            if board.stones[beside] != 0:
                board.pseudo[board.head[beside]] += 1
        stone = board.following[stone]
        if stone == start:
            break
    return size


@in_place
def move_status(board: Board, point: int, colour: int) -> int:
    """Return LEGAL, OCCUPIED or SUICIDE for a stone at `point`; ignores ko."""
    if board.stones[point] != 0:
        return OCCUPIED
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        if board.stones[beside] == 0:
            return LEGAL
        head = board.head[beside]
        if board.pseudo[head] > 4:  # more than one point can have: it has liberties elsewhere
            if board.stones[beside] == colour:
                return LEGAL
            continue
        contacts = 0
        for j in range(4):
            other = board.neighbours[point, j]
            if other >= 0 and board.stones[other] != 0 and board.head[other] == head:
                contacts += 1
        if (board.stones[beside] == colour) == (board.pseudo[head] > contacts):
            return LEGAL
    return SUICIDE


@in_place
def place(board: Board, point: int, colour: int) -> tuple[int, int, int]:
    """Play on an empty point, suicide included; return (stones captured, own stones lost, ko point or -1)."""
    _put(board, point, colour)
    captured, taken = 0, -1
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        if board.stones[beside] == -colour and board.pseudo[board.head[beside]] == 0:
            board.trace[k] = board.head[beside]
            captured += _remove(board, beside)
            taken = beside
    head = board.head[point]
    if board.pseudo[head] == 0:
        return captured, _remove(board, point), -1
    if captured == 1 and board.size[head] == 1 and board.pseudo[head] == 1:
        return captured, 0, taken
    return captured, 0, -1


@in_place
def few_liberties(board: Board, point: int) -> tuple[int, int, int]:
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
