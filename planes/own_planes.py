"""Planes of installed packages: each a function of boards, under its name in a group of entry points."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from runtime.entry_points import entry_names, load_entry

GROUP: Final = "ownership.planes"

OwnPlane = Callable[[NDArray[np.int8], NDArray[np.int8], NDArray[np.int16]], NDArray[Any]]
"""A plane of a user's own, called in several threads with B boards of one side: stones int8 (B, N, N), 1 Black and -1
White; the colour to move, int8 (B,); the flat index of the point that it may not take back, int16 (B,), -1 for none.
It returns numbers (B, N, N), best from 0 to 1, which turn with the board."""


def own_plane_names() -> list[str]:
    """Return the names of the planes of installed packages, sorted."""
    return entry_names(GROUP)


@cache
def _find(name: str) -> OwnPlane:
    found: OwnPlane | None = load_entry(GROUP, name)
    if found is None:
        raise InputError(f"expected a plane of an installed package. Received: {name}")
    return found


def own_plane(
    name: str, stones: NDArray[np.int8], to_move: NDArray[np.int8], ko: NDArray[np.int16]
) -> NDArray[np.float32]:
    """Return float32 (B, N, N), the plane of a package for B boards; arguments as for `OwnPlane`.

    Raises:
        InputError: no such plane, or one that returns another shape or numbers that are not finite.
    """
    found = np.asarray(_find(name)(stones, to_move, ko), np.float32)
    if found.shape != stones.shape:
        raise InputError(f"plane {name}: expected numbers of shape {stones.shape}. Received: shape {found.shape}")
    if not np.isfinite(found).all():
        raise InputError(f"plane {name}: expected finite numbers. Received: {found[~np.isfinite(found)][0]}")
    return found
