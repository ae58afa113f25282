"""Another Go program at the other end of GTP: asked with a time limit, and never trusted to live."""

import os
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

from goban.errors import InputError

PATIENCE = 30.0
_LONGEST = 1 << 22  # bytes of an answer
_DEBIAN_GAMES = "/usr/games"


class GtpFailure(InputError):
    """A program that does not do what was asked; the message begins with what the program is."""


class GtpRefused(GtpFailure):
    """It answered with an error."""


class GtpCrashed(GtpFailure):
    """It ended, closed its output or answered nonsense."""


class GtpTimeout(GtpFailure):
    """It did not answer in time, and was ended for it."""


def program(command: str) -> list[str]:
    """Return the words of a command line, its program found on PATH or where Debian keeps games; raise InputError."""
    try:
        name, *arguments = shlex.split(command)
    except ValueError as error:
        raise InputError(f"expected a command line. Received: {command!r}; {error or 'it is empty'}") from None
    found = shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", os.defpath), _DEBIAN_GAMES)))
    if found is None:
        raise InputError(f"expected a program that can be run. Received: {name}")
    return [found, *arguments]


class GtpClient:
    """A process that speaks GTP, in a process group of its own, which is ended with it.

    command: the words of its command line. patience: seconds for an answer where nothing else is said. Used by one
    thread. Raises GtpCrashed if it cannot be started.
    """

    def __init__(self, command: Sequence[str], patience: float = PATIENCE) -> None:
        self.name = os.path.basename(command[0])
        self._patience = patience
        self._rest = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True
            )
        except OSError as error:
            self._errors.close()
            raise GtpCrashed(f"{self.name}: cannot be started: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._errors.closed

    def ask(self, command: str, seconds: float | None = None) -> str:
        """Return what a command answers, without = and id; raise a GtpFailure, ending the program unless it refused.

        Args: `command`, one line; `seconds`, for the answer.
        """
        try:
            self._send(command)
            answer = self._read(command, time.monotonic() + (self._patience if seconds is None else seconds))
        except GtpFailure:
            self.close()
            raise
        if answer.startswith("?"):
            raise GtpRefused(f"{self.name}: {command}: {answer[1:].strip() or 'refused'}")
        return answer[1:].strip()

    def close(self) -> None:
        """End the program and all that it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _send(self, command: str) -> None:
        if not self.alive:
            raise GtpCrashed(f"{self.name}: {command}: it has ended")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._crash(command) from None

    def _read(self, command: str, deadline: float) -> str:
        """Return an answer without the empty line after it."""
        assert self._process.stdout is not None
        while b"\n\n" not in (text := self._rest.replace(b"\r", b"").lstrip(b"\n")):
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise GtpTimeout(f"{self.name}: {command}: no answer in time")
            chunk = os.read(self._process.stdout.fileno(), 1 << 16)
            if not chunk or len(text) > _LONGEST:
                raise self._crash(command)
            self._rest += chunk
        answer, _, self._rest = text.partition(b"\n\n")
        if answer[:1] not in (b"=", b"?"):
            raise GtpCrashed(f"{self.name}: {command}: expected an answer of GTP. Received: {answer[:40]!r}")
        return answer.decode("utf-8", "replace")

    def _crash(self, command: str) -> GtpCrashed:
        """Return what is known about the end of the program."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._errors.seek(0)
        lines = self._errors.read()[-4096:].decode("utf-8", "replace").strip().splitlines()
        said = f"; its last words: {lines[-1].strip()}" if lines else ""
        return GtpCrashed(f"{self.name}: {command}: it ended with status {self._process.returncode}{said}")
