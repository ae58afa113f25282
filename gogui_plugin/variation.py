"""The expected line of a search, painted while it runs: GoGui reads such graphics from stderr."""

import sys
from contextlib import suppress

from goban.coords import BLACK, gtp_name
from goban.counting.score import format_result
from ownership.players import Turn
from ownership.search.results import SearchResult


def show(turn: Turn, result: SearchResult) -> None:
    """Write the expected line of a search and its score on stderr, if it is open."""
    with suppress(OSError, ValueError):
        print(graphics(turn, result), file=sys.stderr, flush=True)


def graphics(turn: Turn, result: SearchResult) -> str:
    """Return GoGui's live graphics of a result, which end with an empty line."""
    side, colour = turn.position.side, turn.position.to_move
    letters = ("b", "w") if colour == BLACK else ("w", "b")
    line = " ".join(f"{letters[number % 2]} {gtp_name(point, side)}" for number, point in enumerate(result.line))
    text = (
        f"depth {result.depth}: {format_result(round(result.score, 1))}, {result.nodes} nodes, {result.seconds:.1f} s"
    )
    return f"gogui-gfx:\nVAR {line}\nTEXT {text}\n"
