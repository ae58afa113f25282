"""How fast calls are, in wall time."""

import time
from collections.abc import Callable
from typing import Final

ROUNDS: Final = 3
ROUND_SECONDS: Final = 1.0

Call = Callable[[], object]


def speeds(first: Call, second: Call, items: int) -> tuple[float, float]:
    """Return how many items a second two calls handle, `items` each time: the best of rounds in turns."""
    first(), second()
    rounds = [(speed(first, items), speed(second, items)) for _ in range(ROUNDS)]
    return max(one for one, _ in rounds), max(other for _, other in rounds)


def speed(call: Call, items: int) -> float:
    """Return how many items a second a call handles, `items` each time, over one round."""
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < ROUND_SECONDS:
        call()
        calls += 1
    return calls * items / (time.perf_counter() - start)
