"""Boards as text: X Black, O White, . empty."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from goban.coords import BLACK, EMPTY, GTP_COLUMNS, MAX_SIDE, MIN_SIDE, WHITE, gtp_name
from goban.errors import InputError, shown

_COLOUR = {"X": BLACK, "O": WHITE, ".": EMPTY}
_LETTER = {colour: letter for letter, colour in _COLOUR.items()}


class DiagramError(InputError):
    """A text that is no diagram of a board."""


def parse(text: str) -> npt.NDArray[np.int8]:
    """Return int8 (N, N), 1 Black, -1 White, 0 empty, of a diagram.

    Args:
        text: a row of X, O and . in each line (or between slashes), spaced or not, with or without the coordinates that
            `render` writes.

    Raises:
        DiagramError: anything else.

    It does not check for liberties.
    """
    lines = [line.split() for line in text.replace("/", "\n").splitlines()]
    rows = [_row(words) for words in lines if words and not _is_header(words)]
    side = len(rows)
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise DiagramError(f"expected {MIN_SIDE}..{MAX_SIDE} rows in a diagram. Received: {side}")
    for row in rows:
        if len(row) != side:
            raise DiagramError(f"expected {side} points in each of {side} rows. Received: {shown(row)}")
        if unknown := set(row) - set(_COLOUR):
            raise DiagramError(f"expected X, O and . in a diagram. Received: {min(unknown)!r} in {shown(row)}")
    return np.array([[_COLOUR[letter] for letter in row] for row in rows], dtype=np.int8)


def _is_header(words: list[str]) -> bool:
    return words == _columns(len(words))


def _columns(side: int) -> list[str]:
    return list(GTP_COLUMNS[:side])


def _row(words: list[str]) -> str:
    """Return the letters of a row without the numbers at its ends."""
    first = 1 if words[0].isdigit() else 0
    last = len(words) - 1 if words[-1].isdigit() else len(words)
    return "".join(words[first:last])


def rows(colours: npt.NDArray[np.int8]) -> list[str]:
    """Return each row of colours, int8 (N, N), as a text of N marks."""
    return ["".join(_LETTER[colour] for colour in row) for row in colours.tolist()]


def render(stones: npt.NDArray[np.int8], *, marks: Mapping[int, str] | None = None, coordinates: bool = True) -> str:
    """Return the diagram of a board, one line a row, without a newline at the end.

    Args:
        stones: int8 (N, N).
        marks: characters to show instead, by flat index.
        coordinates: whether GTP letters and numbers stand around the board.
    """
    side = len(stones)
    letters = [_LETTER[colour] for colour in stones.ravel().tolist()]
    for point, mark in (marks or {}).items():
        letters[point] = mark
    rows = [" ".join(letters[start : start + side]) for start in range(0, side * side, side)]
    if not coordinates:
        return "\n".join(rows)
    numbers = [gtp_name(row * side, side)[1:] for row in range(side)]
    header = "   " + " ".join(_columns(side))
    return "\n".join([header, *(f"{n:>2} {row} {n}" for n, row in zip(numbers, rows, strict=True)), header])
