"""The one place where SGF, GTP, (row, col) and flat indices meet, and the symmetries of the board.

On a board of side N, row 0 is the top row:

====================  ==========  ====  =====  ==========
place                 (row, col)  SGF   GTP    flat index
====================  ==========  ====  =====  ==========
upper left            (0, 0)      aa    A{N}   0
upper right, 19x19    (0, 18)     sa    T19    18
lower left, 19x19     (18, 0)     as    A1     342
pass, 19x19           none        ""    pass   361 (N * N)
====================  ==========  ====  =====  ==========

GTP letters skip I.

The eight symmetries of the square are the numbers 0..7: bit 2 transposes the board, then bit 1 mirrors its columns and
bit 0 its rows; 0 is the identity.
"""

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError, as_whole, shown

BLACK = 1
WHITE = -1
EMPTY = 0
MIN_SIDE = 2
MAX_SIDE = 25
SYMMETRIES: Final = range(8)

GTP_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of columns from left to right, without I."""
_SGF_LETTERS = "abcdefghijklmnopqrstuvwxy"


class CoordinateError(InputError):
    """A text that names no point of the board."""


def check_side(side: int) -> int:
    """Return `side` if it is a board side that the rules here support; raise InputError, TypeError for no number."""
    if not MIN_SIDE <= (whole := as_whole("the board side", side)) <= MAX_SIDE:
        raise InputError(f"board side must be {MIN_SIDE}..{MAX_SIDE}. Received: {shown(whole)}")
    return side


def pass_point(side: int) -> int:
    """Return the flat index that stands for a pass."""
    return side * side


def opponent(colour: int) -> int:
    """Return the other colour: WHITE for BLACK and BLACK for WHITE."""
    return -colour


def colour_name(colour: int) -> str:
    """Return "Black", "White" or "neither"."""
    return {BLACK: "Black", WHITE: "White"}.get(colour, "neither")


def colour_letter(colour: int) -> str:
    """Return "B" or "W", as SGF and JSON name the players."""
    return "B" if colour == BLACK else "W"


def parse_gtp(text: str, side: int) -> int:
    """Return the flat index of a GTP vertex such as "Q16" or "pass", in any case; raise CoordinateError."""
    vertex = text.strip().upper()
    if vertex == "PASS":
        return pass_point(side)
    column, number = GTP_COLUMNS.find(vertex[:1] or "?"), vertex[1:]
    written = number.isascii() and number.isdigit() and len(number) < 4
    if not (0 <= column < side and written and 1 <= int(number) <= side):
        last = gtp_name(side - 1, side)
        raise CoordinateError(f"expected a vertex A1..{last} or pass. Received: {shown(text)}")
    return (side - int(number)) * side + column


def gtp_name(point: int, side: int) -> str:
    """Return the GTP vertex, such as "Q16", of a flat index, or "pass"; raise InputError for another number."""
    return _name_in(_gtp_table(side), point, side)


def gtp_names(points: NDArray[np.bool_]) -> list[str]:
    """Return the GTP vertices of the points of a mask, bool (N, N), row by row from the top."""
    names = _gtp_table(len(points))
    return [names[point] for point in np.flatnonzero(points).tolist()]


@cache
def _gtp_table(side: int) -> dict[int, str]:
    """Return the GTP vertex of each flat index, the pass included."""
    points = range(check_side(side) ** 2)
    names = {point: f"{GTP_COLUMNS[point % side]}{side - point // side}" for point in points}
    return names | {pass_point(side): "pass"}


def parse_sgf(text: str, side: int) -> int:
    """Return the flat index of an SGF point: "pd"; "", and up to 19x19 "tt", pass; raise CoordinateError."""
    if text == "" or (text == "tt" and side <= 19):
        return pass_point(side)
    column, row = (_SGF_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= column < side and 0 <= row < side):
        raise CoordinateError(f"expected an SGF point of a {side}x{side} board. Received: {shown(text)}")
    return row * side + column


def sgf_name(point: int, side: int) -> str:
    """Return the SGF point, such as "pd", of a flat index, or "" for a pass; raise InputError for another number."""
    return _name_in(_sgf_table(side), point, side)


@cache
def _sgf_table(side: int) -> dict[int, str]:
    """Return the SGF point of each flat index, the pass included."""
    points = range(check_side(side) ** 2)
    names = {point: _SGF_LETTERS[point % side] + _SGF_LETTERS[point // side] for point in points}
    return names | {pass_point(side): ""}


def _name_in(names: dict[int, str], point: int, side: int) -> str:
    """Return the name of a flat index; raise InputError for another number, TypeError for no whole number."""
    if isinstance(point, int) and not isinstance(point, bool) and point in names:
        return names[point]
    number, last = as_whole("a point", point), pass_point(side)
    if number in names:
        return names[number]
    raise InputError(f"expected a point 0..{last}, the last of which is a pass. Received: {shown(number)}")


def apply_symmetry(array: NDArray[Any], k: int) -> NDArray[Any]:
    """Return a view of `array` (..., N, N) with its last two axes turned by symmetry `k`."""
    turned = array.swapaxes(-1, -2) if k & 4 else array
    if k & 2:
        turned = turned[..., :, ::-1]
    if k & 1:
        turned = turned[..., ::-1, :]
    return turned


@cache
def destinations(side: int) -> NDArray[np.int16]:
    """Return int16 (8, N*N + 1), read-only: the flat index to which each symmetry moves each point, and the pass."""
    table = np.argsort(sources(side), axis=1).astype(np.int16)
    table.flags.writeable = False
    return table


@cache
def sources(side: int) -> NDArray[np.intp]:
    """Return intp (8, N*N + 1), read-only: the flat index from which each point's content comes, and the pass."""
    points = np.arange(side * side).reshape(side, side)
    table = np.array([np.append(apply_symmetry(points, k), side * side) for k in SYMMETRIES], np.intp)
    table.flags.writeable = False
    return table
