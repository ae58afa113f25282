"""SIGINT, SIGTERM and SIGHUP: what they end, and what they wait for."""

import _thread
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NoReturn

SIGNALLED: Final = 128  # and the signal's number: the exit status of a process that a signal ended
INTERRUPTED: Final = SIGNALLED + 2  # by SIGINT
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_AGAIN: Final = 0.05  # seconds until a signal is handled again that came during an import
_IMPORT: Final = "<frozen importlib._bootstrap>"  # the file of the frames of imports


def end_at_interrupts() -> None:
    """Let SIGINT end this process immediately and without a message, unless it is handled or ignored already.

    An exception instead, during an import or in compiled code, would print a traceback or be lost.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def _end(*_: object) -> NoReturn:
    """End the process: a handler of signals."""
    os._exit(INTERRUPTED)


def _handlers() -> dict[int, Any]:
    """Return how SIGINT, SIGTERM and SIGHUP are handled, by number; none outside of the main thread."""
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    return {number: signal.getsignal(number) for number in numbers if _is_main_thread()}


@contextmanager
def interrupts_wait() -> Iterator[list[int]]:
    """Let the first SIGINT, SIGTERM or SIGHUP wait for the end of the block; yield a list that has its number then.

    A second one does not wait, and nothing waits outside of the main thread.
    """
    handlers = {number: handler for number, handler in _handlers().items() if callable(handler)}
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


class Signalled(KeyboardInterrupt):
    """SIGINT, SIGTERM or SIGHUP; `status` is the exit status."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = SIGNALLED + number


@contextmanager
def signals_raise() -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP raise Signalled in the main thread, unless they are handled or ignored already."""
    usual = (signal.SIG_DFL, signal.default_int_handler, _end)
    replaced = {number: handler for number, handler in _handlers().items() if handler in usual}
    for number in replaced:
        signal.signal(number, _waiting.handle)
    try:
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)


def wait_for_compilation() -> None:
    """Let signals wait while the main thread compiles a kernel: LLVM calls Python, and would lose the exception."""
    from numba.core import event

    class Compilation(event.Listener):  # type: ignore[misc]
        def on_start(self, _: object) -> None:
            _waiting.begin()

        def on_end(self, _: object) -> None:
            _waiting.end()

    if not _waiting.listens:
        _waiting.listens = True
        event.register("numba:compiler_lock", Compilation())


def was_signalled() -> bool:
    """Return whether a signal has come, even if the command went on to its end."""
    return _waiting.came


class _Waiting:
    """A signal that waits for the end of a compilation or an import."""

    def __init__(self) -> None:
        self.listens = self.came = False
        self._depth = 0  # of compilations in the main thread, one within another
        self._signalled: Signalled | None = None

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Raise Signalled: now, as soon as a kernel is compiled, or after an import, whose C code may lose it."""
        self.came = True
        if self._depth:
            self._signalled = Signalled(number)
        elif _is_importing(frame):
            again = threading.Timer(_AGAIN, _signal_main, [number])
            again.daemon = True
            again.start()
        else:
            raise Signalled(number)

    def begin(self) -> None:
        """Note that a thread begins to compile."""
        if _is_main_thread():
            self._depth += 1

    def end(self) -> None:
        """Note that it has ended; raise what has waited."""
        if _is_main_thread():
            self._depth -= 1
            signalled, self._signalled = self._signalled, None
            if signalled is not None:
                raise signalled


def _signal_main(number: int) -> None:
    """Send the main thread a signal, which also ends its waiting where the system knows signals to threads."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


def _is_importing(frame: FrameType | None) -> bool:
    """Return whether a frame belongs to the import of a module."""
    while frame is not None and frame.f_code.co_filename != _IMPORT:
        frame = frame.f_back
    return frame is not None


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


_waiting = _Waiting()
