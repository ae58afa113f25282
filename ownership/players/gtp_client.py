"""A client of another Go program that speaks GTP: every answer has a deadline and a size, and a crash is an error."""

import os
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Final, Self

from goban.errors import InputError, shown, suggestion
from preprocessing.programs import end_program, find_program, start_program

TIMEOUT: Final = 30.0
_LONGEST: Final = 1 << 22  # bytes of an answer
_CHUNK: Final = 1 << 16
_MOST_CHUNKS: Final = 16  # read ahead of `ask`; the program waits when it has written more
_LAST_ERRORS: Final = 4096  # bytes kept of standard error


class GtpFailure(InputError):
    """A program that failed to answer a command; the message begins with the program's name."""


class GtpRefused(GtpFailure):
    """A program that answered with an error."""


class GtpCrashed(GtpFailure):
    """A program that ended, closed its output or gave an answer that is not GTP."""


class GtpTimeout(GtpFailure):
    """A program that did not answer in time, and was ended."""


def program(command: str, expected: str = "a program that can be run", known: Iterable[str] = ()) -> list[str]:
    """Return the words of a command line, with the path of its program.

    Args:
        command: the command line.
        expected: what it should have been, for the message.
        known: other words that could have been meant.

    Raises:
        InputError: it is no command line, or names no program that can be run.
    """
    try:
        name, *arguments = shlex.split(command)
    except ValueError as error:
        reason = f"{shown(command)}; {error}" if command.strip() else "nothing"
        raise InputError(f"expected {expected}. Received: {reason}") from None
    found = find_program(name)
    if found is None:
        raise InputError(f"expected {expected}. Received: {name}{suggestion(name.partition(':')[0], known)}")
    return [found, *arguments]


class GtpClient:
    """A process that speaks GTP, used by one thread.

    Args:
        command: the words of its command line.
        timeout: seconds for an answer where `ask` is given none.

    Raises:
        GtpCrashed: it cannot be started.
    """

    def __init__(self, command: Sequence[str], timeout: float = TIMEOUT) -> None:
        self.name = os.path.basename(command[0])
        self._timeout = timeout
        self._rest = b""
        pipe = subprocess.PIPE
        try:
            self._process = start_program(command, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise GtpCrashed(f"{self.name}: cannot be started: {error.strerror}") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._input = self._process.stdin
        self._output = _Output(self._process.stdout)
        self._errors = _LastErrors(self._process.stderr)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it takes commands."""
        return not self._closed

    def ask(self, command: str, seconds: float | None = None) -> str:
        """Return the answer to a command, without = and id.

        Args:
            command: one line.
            seconds: for the answer; None means the client's timeout.

        Raises:
            GtpRefused: the program answered with an error.
            GtpFailure: it did not answer, and was ended.
        """
        try:
            self._send(command)
            answer = self._read(command, time.monotonic() + (self._timeout if seconds is None else seconds))
        except GtpFailure:
            self.close()
            raise
        if answer.startswith("?"):
            raise GtpRefused(f"{self.name}: {command}: {answer[1:].strip() or 'refused'}")
        return answer[1:].strip()

    def close(self) -> None:
        """End the program and all that it started."""
        self._closed = True
        end_program(self._process)
        self._output.close()
        with suppress(OSError):
            self._input.close()

    def _send(self, command: str) -> None:
        if not self.alive:
            raise GtpCrashed(f"{self.name}: {command}: it has ended")
        try:
            self._input.write(command.encode() + b"\n")
        except (OSError, ValueError):  # ValueError: another thread has closed it
            raise self._crash(command) from None

    def _read(self, command: str, deadline: float) -> str:
        """Return an answer without the empty line after it."""
        text = bytearray(self._rest)
        while (end := text.find(b"\n\n")) < 0:
            if len(text) > _LONGEST:
                raise GtpCrashed(f"{self.name}: {command}: expected an answer of at most {_LONGEST} bytes")
            chunk = self._output.read(deadline - time.monotonic())
            if chunk is None:
                raise GtpTimeout(f"{self.name}: {command}: no answer in time")
            if not chunk:
                raise self._crash(command)
            text += chunk.replace(b"\r", b"")
            if text.startswith(b"\n"):
                text = text.lstrip(b"\n")
        answer, self._rest = bytes(text[:end]), bytes(text[end:]).lstrip(b"\n")
        if answer[:1] not in (b"=", b"?"):
            raise GtpCrashed(f"{self.name}: {command}: expected an answer of GTP. Received: {answer[:40]!r}")
        return answer.decode("utf-8", "replace")

    def _crash(self, command: str) -> GtpCrashed:
        """Return an error that describes the end of the program."""
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return GtpCrashed(f"{self.name}: {command}: it closed its output")
        line = self._errors.last_line()
        said = f"; last line on stderr: {line}" if line else ""
        return GtpCrashed(f"{self.name}: {command}: it ended with status {status}{said}")


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
