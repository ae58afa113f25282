"""Processes that are there, that are to end or are stopped, and limits of this one."""

import resource
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

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


@contextmanager
def stopped_again_and_again(process: "subprocess.Popen[Any]") -> Iterator[None]:
    """Stop and continue a process some hundred times a second during the block: the system cuts its writes short."""
    done = threading.Event()

    def stop() -> None:
        while not done.wait(0.002):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.001)
            process.send_signal(signal.SIGCONT)

    thread = threading.Thread(target=stop)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file grow beyond a number of bytes."""
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))
