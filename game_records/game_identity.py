"""How games are recognised: the hash that names a game, and the opening and the end that it shares with its copies."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.coords import destinations

_POINTS_A_STONE = 8  # of the board, for each stone of an opening
OPENING = f"first stones, one for every {_POINTS_A_STONE} points"


def opening_stones(side: Any) -> Any:
    """Return the stones of an opening on boards of a side, or of several as an array."""
    return -(-(side**2) // _POINTS_A_STONE)


def game_id(side: int, setup: NDArray[np.int8], moves: NDArray[np.int16], colours: NDArray[np.int8]) -> str:
    """Return the `GameRecord.id` of the game with these arrays, as a record has them."""
    return _digest(side, setup, moves.astype("<i2", copy=False), colours)


def game_course(
    side: int, setup: NDArray[np.int8], moves: NDArray[np.int16], colours: NDArray[np.int8]
) -> tuple[str, bytes]:
    """Return the `GameRecord.course` of the game with these arrays, as a record has them."""
    placed, played = np.flatnonzero(setup), moves < side**2
    points = np.concatenate([placed, moves[played]])
    stones = np.concatenate([setup[placed], colours[played]])
    first = max(len(placed), opening_stones(side))
    codes = 2 * destinations(side)[:, points].astype("<i2") + (stones < 0)
    return min((_digest(side, np.sort(seen[:first])), seen[first:].astype("<i2").tobytes()) for seen in codes)


def game_end(side: int, moves: NDArray[np.int16]) -> str:
    """Return 16 hexadecimal digits that name the last points played, as many as an opening has stones; "" for fewer.

    They are the same from whichever side of the board and by whichever colours, passes do not count. So a copy shares
    them that begins with a late set-up, or in which the colours are exchanged.
    """
    count = opening_stones(side)
    last = moves[moves < side**2][-count:]
    if len(last) < count:
        return ""
    return _digest(side, min(destinations(side)[:, last].astype("<i2"), key=np.ndarray.tobytes))


def _digest(side: int, *arrays: NDArray[Any]) -> str:
    digest = hashlib.blake2b(bytes([side]), digest_size=8)
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()
