"""How long tests wait for threads and programs: machines that run tests are busy."""

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 300.0  # seconds


def wait_until(holds: Callable[[], object], every: float = 0.01) -> None:
    """Check at intervals whether something holds; fail if it never does."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(every)
