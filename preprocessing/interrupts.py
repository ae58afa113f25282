"""Interrupts of a program that has nothing to finish, and of one that has."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130  # the exit status of a process that SIGINT ended
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def end_at_interrupts() -> None:
    """Let SIGINT end this process immediately and without a message, unless it is handled or ignored already.

    An exception instead, during an import or in compiled code, would print a traceback or be lost.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


def end_at_once(*_: object) -> NoReturn:
    """End the process: a handler of signals."""
    os._exit(INTERRUPTED)


@contextmanager
def interrupts_wait() -> Iterator[list[int]]:
    """Let the first SIGINT, SIGTERM or SIGHUP wait for the end of the block; yield a list that has its number then.

    A second one does not wait, and nothing waits outside of the main thread.
    """
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    usual = {number: signal.getsignal(number) for number in numbers if _is_main_thread()}
    handlers = {number: handler for number, handler in usual.items() if callable(handler)}
    came: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            handlers[number](number, frame)

    for number in handlers:
        signal.signal(number, wait)
    try:
        yield came
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        handlers[came[0]](came[0], None)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
