"""Processes that are there, and that are to end."""

import time
from collections.abc import Iterable

import psutil

# A program that wants too much memory, again and again: its limit comes some moments after its start.
GREEDY = """
import mmap, time
while True:
    mmap.mmap(-1, 4 << 30).close()
    time.sleep(0.01)
"""
_PATIENCE = 60.0  # seconds until a process that is still there is a failure; machines that run tests are busy


def is_running(pid: int) -> bool:
    """Return whether a process is there; a zombie is gone."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def assert_gone(pids: Iterable[int]) -> None:
    """Wait until processes are gone; fail if one stays."""
    deadline = time.monotonic() + _PATIENCE
    while (left := [pid for pid in pids if is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left
