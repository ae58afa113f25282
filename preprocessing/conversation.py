"""A conversation with another program over pipes: written to, and read from with a limit of time."""

import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, Final

from preprocessing.programs import end_program, start_program

_CHUNK: Final = 1 << 16
_MOST_CHUNKS: Final = 16  # read ahead of `read`; the program waits when it has written more
_LAST_ERRORS: Final = 4096  # bytes kept of standard error


class Conversation:
    """A program that is written to and read from; any thread may write or close, one reads.

    Args:
        command: the words of its command line.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._process = start_program(command, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input = self._process.stdin
        self._output = _Output(self._process.stdout)
        self._errors = _LastErrors(self._process.stderr)
        self._rest = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        """Write, and wait until the program has read it; raise OSError or, after `close`, ValueError."""
        while data:
            data = data[self._input.write(data) :]

    def read(self, end: bytes, seconds: float, most: int) -> bytes:
        """Return what the program writes up to an `end`, without that, line feeds before it and carriage returns.

        Raises:
            TimeoutError: it took too long.
            EOFError: it has ended, or closed its output.
            ValueError: there are more than `most` bytes.
        """
        deadline, text = time.monotonic() + seconds, bytearray(self._rest)
        while (length := text.find(end)) < 0:
            if len(text) > most:
                raise ValueError
            chunk = self._output.read(deadline - time.monotonic())
            if chunk is None:
                raise TimeoutError
            if not chunk:
                raise EOFError
            text += chunk.replace(b"\r", b"")
            if text.startswith(b"\n"):
                text = text.lstrip(b"\n")
        self._rest = bytes(text[length:]).lstrip(b"\n")
        return bytes(text[:length])

    def fate(self) -> str:
        """Return how the program ended: "it ended with status 1; last line on stderr: ..."."""
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        line = self._errors.last_line()
        return f"it ended with status {status}" + (f"; last line on stderr: {line}" if line else "")

    def close(self) -> None:
        """End the program and all that it started."""
        self.closed = True
        end_program(self._process)
        self._output.close()
        with suppress(OSError):
            self._input.close()


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield what a pipe delivers until its end, and close it."""
    with stream, suppress(OSError):
        while chunk := os.read(stream.fileno(), _CHUNK):
            yield chunk


class _Output:
    """What a program writes, read by a thread, so that waiting for it can have a limit on every platform."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._waiting: queue.Queue[bytes] = queue.Queue(_MOST_CHUNKS)
        self._closed = False
        threading.Thread(target=self._fill, args=(stream,), daemon=True).start()

    def read(self, seconds: float) -> bytes | None:
        """Return some bytes, b"" at the end, or None if there are none within so many seconds."""
        if seconds <= 0:
            return None
        try:
            return self._waiting.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Let both threads go on: the one that waits for room, and the one that waits for an answer."""
        self._closed = True
        with suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
        with suppress(queue.Full):
            self._waiting.put_nowait(b"")

    def _fill(self, stream: IO[bytes]) -> None:
        for chunk in _chunks(stream):
            if self._closed:
                return
            self._waiting.put(chunk)
        self._waiting.put(b"")


class _LastErrors:
    """The end of what a program writes on standard error, read by a thread."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._kept = b""
        self._thread = threading.Thread(target=self._fill, args=(stream,), daemon=True)
        self._thread.start()

    def last_line(self) -> str:
        """Return the last line that a program which has ended wrote, "" if it wrote none."""
        self._thread.join(1)
        lines = self._kept.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def _fill(self, stream: IO[bytes]) -> None:
        for chunk in _chunks(stream):
            self._kept = (self._kept + chunk)[-_LAST_ERRORS:]
