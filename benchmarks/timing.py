"""How fast calls are, in wall time."""

import time
from collections.abc import Callable, Sequence
from typing import Final

ROUNDS: Final = 3
ROUND_SECONDS: Final = 1.0

Call = Callable[[], object]


def speeds(calls: Sequence[Call], items: int) -> list[float]:
    """Return how many items a second each call handles, `items` each time: the best of rounds in turns."""
    for call in calls:
        call()
    rounds = [[speed(call, items) for call in calls] for _ in range(ROUNDS)]
    return [max(found) for found in zip(*rounds, strict=True)]


def speed(call: Call, items: int) -> float:
    """Return how many items a second a call handles, `items` each time, over one round."""
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < ROUND_SECONDS:
        call()
        calls += 1
    return calls * items / (time.perf_counter() - start)
