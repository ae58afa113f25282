"""What a stone at each empty point would do: a kernel, and the moves worth trying in a position.

- `move_flags(side, stones, colour) -> uint8[N*N]`, a sum of CAPTURES, SAVES, ATARIS, OWN_EYE and VITAL at every empty
  point
- `flags_of(position) -> uint8[N*N]`, the same for the side to move
- `sensible(position, flags) -> bool[N*N]` and `sensible_moves(position) -> list[int]`, the legal moves that fill no own
  eye
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from goban.jit import in_place, inner, kernel
from goban.kernels import Bool, Int8, Int16, Int32, label, liberties, neighbour_table
from goban.position import Position

CAPTURES, SAVES, ATARIS, OWN_EYE, VITAL = 1, 2, 4, 8, 16

_LARGEST_SPACE: Final = 6  # empty points: six can be one eye, seven hardly ever
_WEAK: Final = 3  # liberties

Flags = npt.NDArray[np.uint8]


@kernel
def move_flags(side: int, stones: Int8, colour: int) -> Flags:
    """Return uint8 (N*N,): whether a stone of `colour` captures, is the liberty of its own chain in atari, takes one of
    two liberties of the other side's chain, would fill an eye of its own, or stands in a small eye space; 0 at stones.

    An eye is a point with own stones, or the edge, on all sides and at most one of the other's at its corners, none at
    the edge. A small eye space is up to six empty points, beside some chain of either colour with up to three
    liberties. Does not look at whether the move is legal, nor what comes of it.
    """
    ids = label(side, stones)
    counts = liberties(side, stones, ids)
    neighbours = neighbour_table(side)
    found = np.zeros(side * side, np.uint8)
    found[_small_spaces(stones, neighbours, ids, counts)] = VITAL
    for point in range(side * side):
        if stones[point] != 0:
            continue
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] == colour and counts[beside] == 1:
                found[point] |= SAVES
            elif stones[beside] == -colour and counts[beside] <= 2:
                found[point] |= CAPTURES if counts[beside] == 1 else ATARIS
        if is_eye(side, stones, neighbours, colour, point):
            found[point] |= OWN_EYE
    return found


@inner
def _small_spaces(stones: Int8, neighbours: Int16, ids: Int32, counts: Int16) -> Bool:
    """Return bool (N*N,): the points of small eye spaces; `ids` of label, `counts` of liberties."""
    sizes = np.zeros(len(stones), np.int16)
    beside_weak = np.zeros(len(stones), np.bool_)
    for point in range(len(stones)):
        if stones[point] != 0:
            continue
        sizes[ids[point]] += 1
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] != 0 and counts[beside] <= _WEAK:
                beside_weak[ids[point]] = True
    return (sizes[ids] <= _LARGEST_SPACE) & beside_weak[ids]


@in_place
def is_eye(side: int, stones: Int8, neighbours: Int16, colour: int, point: int) -> bool:
    """Return whether an empty point is an eye of `colour`, as `move_flags` defines it; `neighbours` of the board."""
    for k in range(4):
        beside = neighbours[point, k]
        if beside < 0:
            break
        if stones[beside] != colour:
            return False
    row, column = point // side, point % side
    holes = 1 if neighbours[point, 3] < 0 else 0
    for down in (-1, 1):
        for right in (-1, 1):
            if 0 <= row + down < side and 0 <= column + right < side:
                holes += stones[point + down * side + right] == -colour
    return holes < 2


def flags_of(position: Position) -> Flags:
    """Return uint8 (N*N,), `move_flags` of a position for the side to move."""
    return move_flags(position.side, position.flat, position.to_move)


def sensible(position: Position, flags: Flags) -> Bool:
    """Return bool (N*N,): where a move is legal and fills no eye of the mover's own, unless that saves a chain.

    Args:
        position: side N; the side to move is the mover.
        flags: uint8 (N*N,), `flags_of` the position.

    Checks simple ko only, and excludes suicide under all rules.
    """
    found: Bool = position.legal_moves()[:-1] & ((flags & (OWN_EYE | SAVES)) != OWN_EYE)
    return found


def sensible_moves(position: Position) -> list[int]:
    """Return the flat indices of `sensible` moves, in ascending order."""
    return np.flatnonzero(sensible(position, flags_of(position))).tolist()
