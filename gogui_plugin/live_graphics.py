"""Graphics that GoGui paints while a command runs: it reads them from stderr."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from goban.coords import BLACK, gtp_name
from goban.counting.score import format_result
from ownership.players.base import Turn
from ownership.search.results import SearchResult


def show(turn: Turn, result: SearchResult) -> None:
    """Paint the expected line of a search for a move, and its score."""
    text = (
        f"depth {result.depth}: {format_result(round(result.score, 1))}, {result.nodes} nodes, {result.seconds:.1f} s"
    )
    paint([variation(result.line, turn.position.to_move, turn.position.side), f"TEXT {text}"])


def paint(lines: Iterable[str]) -> None:
    """Write lines of graphics on stderr, if it is open; they replace those before."""
    text = "\n".join(line for line in lines if line)
    with suppress(OSError, ValueError):
        print(f"gogui-gfx:\n{text}\n", file=sys.stderr, flush=True)


def variation(points: Sequence[int], colour: int, side: int) -> str:
    """Return the line of graphics that numbers moves, the first one of `colour`."""
    letters = ("b", "w") if colour == BLACK else ("w", "b")
    return "VAR " + " ".join(f"{letters[number % 2]} {gtp_name(point, side)}" for number, point in enumerate(points))
