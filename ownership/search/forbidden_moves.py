"""Moves that a search may not make."""

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, colour_name
from goban.errors import InputError

ForbiddenPlies = NDArray[np.int16]
"""int16 (2, N*N + 1): the ply up to which Black (0) and White (1) may not make each move."""

_MOST_PLIES: Final = 10_000  # deeper than any search


class ForbiddenMoves:
    """The moves that either colour may not make up to a ply; none at first.

    KataGo's protocols name some to avoid, or all but some to allow.
    """

    def __init__(self, side: int) -> None:
        self._plies = np.zeros((2, side * side + 1), np.int16)
        self._keys: dict[int, str] = {}

    @property
    def plies(self) -> ForbiddenPlies | None:
        """The ply up to which each move is forbidden, as for `TreeSearch.run`; None forbids nothing."""
        return self._plies if self._plies.any() else None

    def add(self, key: str, colour: int, points: Collection[int], plies: int) -> None:
        """Forbid a colour some moves up to a ply, or with the key `allow` all others.

        Args:
            key: `avoid` may be given several times, `allow` once and alone, for each colour.
            colour: BLACK or WHITE.
            points: flat indices, N*N for a pass.
            plies: from 1 up.

        Raises:
            InputError: `allow` together with another key of the same colour.
        """
        before = self._keys.get(colour, "")
        if before and "allow" in (before, key):
            expected = f"avoid, or allow once, for {colour_name(colour)}"
            raise InputError(f"expected {expected}. Received: {before} and {key}")
        self._keys[colour] = key
        row = self._plies[0 if colour == BLACK else 1]
        chosen = np.isin(np.arange(len(row)), list(points))
        forbidden = chosen if key == "avoid" else ~chosen
        row[forbidden] = np.maximum(row[forbidden], min(plies, _MOST_PLIES))
