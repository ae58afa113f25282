"""The eight symmetries of the square, as the numbers 0..7.

Bit 2 of a symmetry transposes the board, then bit 1 mirrors its columns and bit 0 its rows; 0 is the identity.
"""

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

SYMMETRIES: Final = range(8)


def apply(array: npt.NDArray[Any], k: int) -> npt.NDArray[Any]:
    """Return a view of `array` (..., N, N) with its last two axes turned by symmetry `k`."""
    turned = array.swapaxes(-1, -2) if k & 4 else array
    if k & 2:
        turned = turned[..., :, ::-1]
    if k & 1:
        turned = turned[..., ::-1, :]
    return turned


def point(point: int, side: int, k: int) -> int:
    """Return the flat index to which symmetry `k` moves a point; a pass stays a pass."""
    return int(destinations(side)[k, point])


@cache
def destinations(side: int) -> npt.NDArray[np.int16]:
    """Return int16 (8, N*N + 1), read-only: the flat index to which each symmetry moves each point, and the pass."""
    table = np.argsort(sources(side), axis=1).astype(np.int16)
    table.flags.writeable = False
    return table


@cache
def sources(side: int) -> npt.NDArray[np.intp]:
    """Return intp (8, N*N + 1), read-only: the flat index from which each point's content comes, and the pass."""
    points = np.arange(side * side).reshape(side, side)
    table = np.array([np.append(apply(points, k), side * side) for k in SYMMETRIES], np.intp)
    table.flags.writeable = False
    return table
