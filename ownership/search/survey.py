"""What the points of a board mean to the side to move, as a kernel.

- `survey(side, stones, colour) -> uint8[N*N]`, a sum of CAPTURES, SAVES, ATARIS and OWN_EYE at every empty point
"""

import numpy as np
import numpy.typing as npt

from goban.jit import kernel
from goban.kernels import Int8, Int16, chain_ids, liberties, neighbour_table

CAPTURES, SAVES, ATARIS, OWN_EYE = 1, 2, 4, 8


@kernel
def survey(side: int, stones: Int8, colour: int) -> npt.NDArray[np.uint8]:
    """Return uint8 (N*N,): whether a stone of `colour` captures, is the liberty of its own chain in atari, takes one of
    two liberties of the other side's chain, or would fill an eye of its own; 0 at stones.

    An eye is a point with own stones, or the edge, on all sides and at most one of the other's at its corners, none at
    the edge. Does not look at whether the move is legal, nor what comes of it.
    """
    counts = liberties(side, stones, chain_ids(side, stones))
    neighbours = neighbour_table(side)
    found = np.zeros(side * side, np.uint8)
    for point in range(side * side):
        if stones[point] != 0:
            continue
        closed = True
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            closed = closed and stones[beside] == colour
            if stones[beside] == colour and counts[beside] == 1:
                found[point] |= SAVES
            elif stones[beside] == -colour and counts[beside] <= 2:
                found[point] |= CAPTURES if counts[beside] == 1 else ATARIS
        if closed and _few_holes(side, stones, neighbours, colour, point):
            found[point] |= OWN_EYE
    return found


@kernel
def _few_holes(side: int, stones: Int8, neighbours: Int16, colour: int, point: int) -> bool:
    """Return whether the corners of a point surrounded by `colour` leave it an eye."""
    row, column = point // side, point % side
    holes = 1 if neighbours[point, 3] < 0 else 0
    for down in (-1, 1):
        for right in (-1, 1):
            if 0 <= row + down < side and 0 <= column + right < side:
                holes += stones[point + down * side + right] == -colour
    return holes < 2
