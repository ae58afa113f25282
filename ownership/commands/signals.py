"""Signals that end a command, as exceptions."""

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from preprocessing.interrupts import end_at_once

_AGAIN = 0.05  # seconds until a signal is handled again that came during an import
_IMPORT = "<frozen importlib._bootstrap>"  # the file of the frames of imports
SIGNALLED = 128  # and the signal's number: the exit status of a process that a signal ended


class Signalled(KeyboardInterrupt):
    """SIGINT, SIGTERM or SIGHUP; `status` is the exit status."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = SIGNALLED + number


@contextmanager
def signals_raise() -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP raise Signalled in the main thread, unless they are handled or ignored already."""
    names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    found = (getattr(signal, name, None) for name in names)
    usual = (signal.SIG_DFL, signal.default_int_handler, end_at_once)
    handlers = {number: signal.getsignal(number) for number in found if number is not None}
    replaced = {number: handler for number, handler in handlers.items() if handler in usual}
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
        if threading.current_thread() is threading.main_thread():
            self._depth += 1

    def end(self) -> None:
        """Note that it has ended; raise what has waited."""
        if threading.current_thread() is threading.main_thread():
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


_waiting = _Waiting()
