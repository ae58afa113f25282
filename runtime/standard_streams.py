"""The standard streams of this process: closed or unbuffered ones, an output without a reader, a silenced stderr."""

import io
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_silencing: Final = threading.RLock()  # file descriptors belong to the whole process, so one thread at a time does it


def end_with_reader(descriptor: int, status: int) -> None:
    """End this process as soon as the reader of a pipe is gone, also in the middle of a computation.

    Without this, a program that computes for long after its client was killed would find out with its next answer only.
    Does nothing for files and terminals, or where the system cannot wait for this.

    Args:
        descriptor: the end of the pipe that this process writes to.
        status: of the process.
    """
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(descriptor, 0)  # errors are reported in any case: a pipe without a reader is one

    def wait() -> None:
        poll.poll()
        os._exit(status)

    threading.Thread(target=wait, name="reader", daemon=True).start()


def stream_descriptor(name: str) -> int:
    """Return the file descriptor of "stdin" or "stdout"; raise InputError if it is closed."""
    stream = getattr(sys, name)
    if stream is None:
        from goban.errors import InputError  # not before interrupts end the program silently

        raise InputError(f"expected {name} to be open. Received: a closed one")
    return int(stream.fileno())


def open_stderr() -> None:
    """Give a process without stderr an empty one: else `print` and the next file opened would take its place."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, open as long as the process lives


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes, also where the system takes a part at a time, as pipes do when a signal comes; raise OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def buffer_stdout() -> None:
    """Give an unbuffered stdout (PYTHONUNBUFFERED) a buffer of lines: without one, Python drops the rest of a write
    that the system takes in part."""
    stdout = sys.stdout
    if isinstance(stdout, io.TextIOWrapper) and isinstance(stdout.buffer, io.RawIOBase):
        encoding, errors = stdout.encoding, stdout.errors
        buffer = io.BufferedWriter(stdout.detach())
        sys.stdout = io.TextIOWrapper(buffer, encoding, errors, line_buffering=True)


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Drop what C++ code, and any other thread, prints on stderr during the block; exceptions pass."""
    with _silencing, _dropping():
        yield


def print_error(line: str) -> None:
    """Print a line on stderr; while another thread is in a block of `silenced_stderr`, wait for its end."""
    with _silencing:
        print(line, file=sys.stderr, flush=True)


@contextmanager
def _dropping() -> Iterator[None]:
    if sys.stderr is not None:  # as it is where the process was started without one
        sys.stderr.flush()
    try:
        saved = os.dup(2)
    except OSError:  # the process has no stderr
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
