"""A client of another Go program that speaks GTP: every answer has a deadline and a size, and a crash is an error."""

import os
import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, Self

from goban.errors import InputError, shown, suggestion
from runtime.child_programs import Conversation, find_program

TIMEOUT: Final = 30.0
_LONGEST: Final = 1 << 22  # bytes of an answer


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
        try:
            self._program = Conversation(command)
        except OSError as error:
            raise GtpCrashed(f"{self.name}: cannot be started: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it takes commands."""
        return not self._program.closed

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
            answer = self._answer(command, self._timeout if seconds is None else seconds)
        except GtpFailure:
            self.close()
            raise
        if answer.startswith("?"):
            raise GtpRefused(f"{self.name}: {command}: {answer[1:].strip() or 'refused'}")
        return answer[1:].strip()

    def close(self) -> None:
        """End the program and all that it started."""
        self._program.close()

    def _answer(self, command: str, seconds: float) -> str:
        """Send a command, and return the answer without the empty line after it."""
        if not self.alive:
            raise GtpCrashed(f"{self.name}: {command}: it has ended")
        with suppress(OSError, ValueError):  # a program that has ended, or that another thread has closed
            self._program.write(command.encode() + b"\n")
        try:
            answer = self._program.read(b"\n\n", seconds, _LONGEST)
        except TimeoutError:
            raise GtpTimeout(f"{self.name}: {command}: no answer in time") from None
        except EOFError:
            raise GtpCrashed(f"{self.name}: {command}: {self._program.fate()}") from None
        except ValueError:
            raise GtpCrashed(f"{self.name}: {command}: expected an answer of at most {_LONGEST} bytes") from None
        if answer[:1] not in (b"=", b"?"):
            raise GtpCrashed(f"{self.name}: {command}: expected an answer of GTP. Received: {answer[:40]!r}")
        return answer.decode("utf-8", "replace")
