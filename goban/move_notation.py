"""Moves as users write them: colours and vertices in any of their forms, and pairs of both."""

from collections.abc import Iterable
from functools import cache
from operator import index
from typing import Final

from goban.coords import BLACK, WHITE, colour_letter, gtp_name, parse_gtp, pass_point
from goban.errors import InputError, shown, wrong_type

Move = tuple[str, str]
"""A colour and a vertex as in GTP: `("B", "Q16")`, `("W", "pass")`."""
IndexedMove = tuple[int, int]
"""A colour and a flat index, N*N for a pass."""
Vertex = str | int | tuple[int, int] | None
"""`"Q16"` or `"pass"`, a flat index, (row, column) with row 0 at the top as in arrays, or None for a pass."""
Colour = int | str
"""BLACK or WHITE, or `"B"` or `"W"`, also in small letters or spelled out."""

_COLOURS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_EXPECTED: Final = 'a vertex such as "D4" or "pass", (row, column), a flat index, or None for a pass'


def flat_index(vertex: Vertex, side: int) -> int:
    """Return the flat index of a vertex, N*N for a pass; a whole number stays as it is, on the board or not.

    Raises:
        InputError: a text that names no vertex, or a row or column off the board.
        TypeError: anything else.
    """
    if isinstance(vertex, str):
        return parse_gtp(vertex, side)
    if vertex is None:
        return pass_point(side)
    try:
        if isinstance(vertex, tuple | list):
            return _of_row_and_column(*(index(each) for each in vertex), side=side)
        if not isinstance(vertex, bool):
            return index(vertex)
    except TypeError:
        pass
    raise wrong_type(_EXPECTED, vertex)


def _of_row_and_column(row: int, column: int, *, side: int) -> int:
    if not (0 <= row < side and 0 <= column < side):
        raise InputError(f"expected (row, column), each 0..{side - 1}. Received: {shown((row, column))}")
    return row * side + column


def as_colour(colour: Colour) -> int:
    """Return BLACK or WHITE for a colour; raise InputError for anything else."""
    found = _COLOURS.get(colour.lower()) if isinstance(colour, str) else colour
    if isinstance(found, bool) or found not in (BLACK, WHITE):
        raise InputError(
            f'expected the colour "B" or {BLACK} (Black), "W" or {WHITE} (White). Received: {shown(colour)}'
        )
    return int(found)


def named_moves(moves: Iterable[IndexedMove], side: int) -> tuple[Move, ...]:
    """Return moves by the letters of their colours and their vertices."""
    return tuple(map(_moves(side).__getitem__, moves))


@cache
def _moves(side: int) -> dict[IndexedMove, Move]:
    """Return all moves on a board; many games share them."""
    points = range(pass_point(side) + 1)
    return {(each, point): (colour_letter(each), gtp_name(point, side)) for each in (BLACK, WHITE) for point in points}
