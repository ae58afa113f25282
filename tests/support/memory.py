"""How much memory Python allocates."""

import tracemalloc
from collections.abc import Iterator


def peak(games: Iterator[bytes]) -> int:
    """The most bytes that are allocated at a time while `games` are drawn."""
    tracemalloc.start()
    for _ in games:
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
