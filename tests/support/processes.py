"""Processes that are there, and that are to end."""

from collections.abc import Iterable

import psutil

from tests.support.waiting import wait_until

# A program that wants too much memory, again and again: its limit comes some moments after its start.
GREEDY = """
import mmap, time
while True:
    mmap.mmap(-1, 4 << 30).close()
    time.sleep(0.01)
"""


def is_running(pid: int) -> bool:
    """Return whether a process is there; a zombie is gone."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def assert_gone(pids: Iterable[int]) -> None:
    """Wait until processes are gone; fail if one stays."""
    wait_until(lambda: not any(map(is_running, pids)))
