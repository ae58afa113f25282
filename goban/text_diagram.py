"""Boards as text: X Black, O White, . empty; and as other programs and people write them."""

import re
from collections.abc import Iterator, Mapping
from math import prod

import numpy as np
import numpy.typing as npt

from goban.coords import BLACK, EMPTY, GTP_COLUMNS, MAX_SIDE, MIN_SIDE, WHITE, gtp_name
from goban.errors import InputError, shown

_COLOUR = {"X": BLACK, "O": WHITE, ".": EMPTY}
# What programs and people write beside these, also that `ownership score` writes: dead stones, territory.
_MARKS = {
    **dict.fromkeys("Xx#b●⚫", BLACK),
    **dict.fromkeys("Oow○⚪", WHITE),
    **dict.fromkeys(".+,-_·*┼├┤┬┴┌┐└┘╋", EMPTY),
}
# Those of Sensei's Library, whose rows begin with $$: also marked stones, and marks and letters on empty points.
_LIBRARY = _MARKS | dict.fromkeys("abcdefghijklmnpqrstuvyzCSTM", EMPTY) | dict.fromkeys("BYZ", BLACK)
_LIBRARY |= dict.fromkeys("W@QP", WHITE)
_NUMBERED = re.compile(r"^\s*\d{1,2}\b|\s\d{1,2}\b.*$|\d{1,2}\s*$")
_BESIDE = re.compile(r"[\s|?()]")  # between points: borders, doubts, the last move
_BORDER = re.compile(r"[+|]?[-=]{2,}[+|]?")
_MOST_LINES = 5  # of a text that is a board, for each that belongs to the board
_LETTER = {colour: letter for letter, colour in _COLOUR.items()}


class DiagramError(InputError):
    """A text that is no diagram of a board."""


def parse_diagram(text: str) -> npt.NDArray[np.int8]:
    """Return int8 (N, N), 1 Black, -1 White, 0 empty, of a diagram.

    Args:
        text: a row of X, O and . in each line (or between slashes), spaced or not, with or without the coordinates that
            `render_text` writes.

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


def has_board(text: str) -> bool:
    """Return whether a text is a board, with other lines or not.

    At least two lines that follow each other are rows of one length, some with stones unless letters of columns stand
    beside them; rows and letters make up a fifth of the lines.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    headers = sum(len(words) > 1 and _is_header(words) for words in lines)
    boards = [block for block in _blocks(text) if len(block) > 1 and (headers or any(map(any, block)))]
    return bool(boards) and _MOST_LINES * (sum(map(len, boards)) + headers) >= len(lines)


def parse_text(text: str) -> npt.NDArray[np.int8]:
    """Return int8 (N, N), 1 Black, -1 White, 0 empty, of the first board in a text, as programs and people write it.

    Args:
        text: with lines of X # b ● or x for Black, O o w ○ for White, and . + , - or ┼, spaced or not, with or without
            coordinates and borders, with `$$` before them or not; other lines are skipped.

    Raises:
        DiagramError: there is no square board.
    """
    blocks = list(_blocks(text))
    for block in blocks:
        if len(block) == len(block[0]) and MIN_SIDE <= len(block) <= MAX_SIDE:
            return np.array(block, dtype=np.int8)
    rows, columns = max(((len(block), len(block[0])) for block in blocks), key=prod, default=(0, 0))
    found = f"{columns} columns and {rows} rows"
    raise DiagramError(f"expected a square board of {MIN_SIDE}..{MAX_SIDE} rows. Received: {found}")


def _blocks(text: str) -> Iterator[list[list[int]]]:
    """Yield the colours of the rows of each part of a text whose lines may be rows of one length."""
    block: list[list[int]] = []
    for line in [*text.splitlines(), ""]:
        if _BORDER.fullmatch(line.strip(" $")):
            continue
        row = _colours(line)
        if block and (row is None or len(row) != len(block[0])):
            yield block
            block = []
        if row is not None:
            block.append(row)
    if block:
        yield block


def _colours(line: str) -> list[int] | None:
    """Return the colours of a line, None if it is no row of a board."""
    stripped = line.strip()
    marks = _LIBRARY if stripped.startswith("$$") else _MARKS
    points = _BESIDE.sub("", _NUMBERED.sub("", stripped.removeprefix("$$")))
    if len(points) < MIN_SIDE or not all(point in marks for point in points):
        return None
    return [marks[point] for point in points]


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
    return ["".join([_LETTER[colour] for colour in row]) for row in colours.tolist()]


def render_text(
    stones: npt.NDArray[np.int8], *, marks: Mapping[int, str] | None = None, coordinates: bool = True
) -> str:
    """Return the diagram of a board, one line a row, without a newline at the end.

    Args:
        stones: int8 (N, N).
        marks: texts to show instead, by flat index; the longest gives the width of all columns.
        coordinates: whether GTP letters and numbers stand around the board.
    """
    side = len(stones)
    letters = [_LETTER[colour] for colour in stones.ravel().tolist()]
    for point, mark in (marks or {}).items():
        letters[point] = mark
    width = max(map(len, letters))
    cells = [letter.rjust(width) for letter in letters]
    rows = [" ".join(cells[start : start + side]) for start in range(0, side * side, side)]
    if not coordinates:
        return "\n".join(rows)
    numbers = [gtp_name(row * side, side)[1:] for row in range(side)]
    header = "   " + " ".join(column.rjust(width) for column in _columns(side))
    return "\n".join([header, *(f"{n:>2} {row} {n}" for n, row in zip(numbers, rows, strict=True)), header])
