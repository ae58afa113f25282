"""Interrupts of a program that has nothing to finish: while it starts, or at any time."""

import os
import signal
from typing import NoReturn

INTERRUPTED = 130  # the exit status of a process that SIGINT ended


def end_at_interrupts() -> None:
    """Let SIGINT end this process at once and without a message, unless it is handled or ignored already.

    An exception instead, in the midst of an import or of compiled code, would print a traceback or be lost.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)


def end_at_once(*_: object) -> NoReturn:
    """End the process: a handler of signals."""
    os._exit(INTERRUPTED)
