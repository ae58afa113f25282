"""Boards and graphics in GoGui's formats, and the graphics on stderr that it paints while a command runs."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, gtp_name
from goban.counting.counted_score import format_result
from ownership.players.player_interface import Turn
from ownership.search.search_result import SearchResult

LEAST_INFLUENCE: Final = 0.01  # GoGui draws no smaller square
_UNCOLOURED: Final = 1 / 3
_NEUTRAL: Final = np.array((220, 179, 92))
_BLACKS: Final = np.array((20, 60, 220))
_WHITES: Final = np.array((220, 40, 30))


def board(rows: Iterable[Sequence[str]]) -> str:
    """Return one line of words for each row, an empty word as two quotes."""
    return "\n" + "\n".join(" ".join(word or '""' for word in row) for row in rows)


def decimals(values: NDArray[Any], digits: int = 2) -> str:
    """Return a board of numbers (N, N) with that many digits after the point."""
    return board([[f"{value:.{digits}f}" for value in row] for row in (values + 0.0).tolist()])


def hundredths(values: NDArray[Any]) -> str:
    """Return a board of whole numbers, 100 times values (N, N); GoGui would draw a board of numbers as squares."""
    return board([[str(round(100 * value)) for value in row] for row in values.tolist()])


def signed(points: float) -> str:
    """Return points with a sign and one digit after the point; +0.0, never -0.0."""
    return f"{round(points, 1) + 0.0:+.1f}"


def letters(owner: NDArray[np.int8]) -> str:
    """Return a board of b, w and . for int8 (N, N)."""
    return board([["w.b"[value + 1] for value in row] for row in owner.tolist()])


def colours(ownership: NDArray[np.float32]) -> str:
    """Return a board of colours: blue for Black, red for White, stronger where surer, none where open."""
    return board([[_colour(value) for value in row] for row in ownership.tolist()])


def influence(values: NDArray[Any]) -> str:
    """Return the line of graphics that draws values (N, N) in [-1, 1] as squares, "" if there is nothing to draw."""
    side = len(values)
    shown = [
        f"{gtp_name(point, side)} {value:.2f}"
        for point, value in enumerate(values.ravel().tolist())
        if abs(value) >= LEAST_INFLUENCE
    ]
    return f"INFLUENCE {' '.join(shown)}" if shown else ""


def graphics(lines: Iterable[str]) -> str:
    """Return graphics of several lines; an answer must not begin with one, since GoGui cuts at the first blank."""
    return "\n" + "\n".join(line for line in lines if line)


def _colour(value: float) -> str:
    if abs(value) < _UNCOLOURED:
        return ""
    mixed = _NEUTRAL + abs(value) * ((_BLACKS if value > 0 else _WHITES) - _NEUTRAL)
    return "#" + "".join(f"{round(part):02x}" for part in mixed.clip(0, 255).tolist())


def show(turn: Turn, result: SearchResult) -> None:
    """Paint the expected line of a search for a move, and its score."""
    text = (
        f"depth {result.depth}: {format_result(round(result.score, 1))}, {result.nodes} nodes, {result.seconds:.1f} s"
    )
    paint([numbered_moves(result.line, turn.position.to_move, turn.position.side), f"TEXT {text}"])


def paint(lines: Iterable[str]) -> None:
    """Write lines of graphics on stderr, if it is open; they replace those before."""
    text = "\n".join(line for line in lines if line)
    with suppress(OSError, ValueError):
        print(f"gogui-gfx:\n{text}\n", file=sys.stderr, flush=True)


def numbered_moves(points: Sequence[int], colour: int, side: int) -> str:
    """Return the line of graphics that numbers moves, the first one of `colour`."""
    letters = ("b", "w") if colour == BLACK else ("w", "b")
    return "VAR " + " ".join(f"{letters[number % 2]} {gtp_name(point, side)}" for number, point in enumerate(points))
