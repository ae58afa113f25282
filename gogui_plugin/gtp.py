"""The Go Text Protocol, version 2: lines in, answers out. It knows no Go.

A handler takes a `Command` and returns the text of its answer, or an iterator of lines, which are sent as they come.
What it raises becomes a failure: InputError and OSError with their message, anything else as an internal error with
a traceback on stderr.
"""

import os
import re
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from goban.errors import InputError

LONGEST_LINE = 1 << 16  # bytes; a set-up of all 625 points of the largest board needs 5,000
_WAITING = 1024  # lines read ahead, so that a flood of commands stays in the pipe
_CHUNK = 1 << 16
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_INTERRUPT = "# interrupt"


class GtpError(InputError):
    """A failure for the client to see, such as `unknown command`."""


@dataclass(frozen=True)
class Command:
    """One command of the client: `id` digits or "", `name`, and `text`, all that stands behind the name."""

    id: str
    name: str
    text: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of `text`."""
        return tuple(self.text.split())

    def take(self, count: int) -> tuple[str, ...]:
        """Return exactly `count` arguments; raise GtpError for another number of them."""
        if len(self.arguments) != count:
            raise GtpError(f"syntax error: expected {count} arguments. Received: {len(self.arguments)}")
        return self.arguments


Answer = str | Iterator[str]
Handler = Callable[[Command], Answer]


def parse(line: str) -> Command | None:
    """Return the command of a line, None for a line without one; control characters and comments are dropped."""
    text = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].strip(" ")
    if not text:
        return None
    first, _, rest = text.partition(" ")
    if not (first.isascii() and first.isdigit()):
        return Command("", first, rest.strip(" "))
    name, _, arguments = rest.strip(" ").partition(" ")
    return Command(first, name, arguments.strip(" "))


class LineReader:
    """Lines of a file descriptor, read ahead by a thread of their own, so that a busy engine sees what arrives.

    The thread reads the bare descriptor: one that waits inside a Python stream would hold up the end of the process.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self._ended = False
        self._signalled = False
        self._changed = threading.Condition()
        threading.Thread(target=self._read, name="gtp input", daemon=True).start()

    def next(self) -> str | None:
        """Wait for a line and return it, or None after the last one."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._ended)
            self._signalled = False
            self._changed.notify_all()
            return self._lines.popleft() if self._lines else None

    def wait(self, seconds: float) -> bool:
        """Return whether a line, the end or an interrupt is there, waiting for it no longer than `seconds`."""
        with self._changed:
            return bool(self._changed.wait_for(lambda: self._lines or self._ended or self._signalled, seconds))

    def interrupted(self) -> bool:
        """Return whether the client has asked for the running command to stop, by `# interrupt` or a signal."""
        with self._changed:
            return self._signalled or any(line.strip() == _INTERRUPT for line in self._lines)

    def interrupt(self) -> None:
        """Ask for the running command to stop; takes no lock, so that signal handlers may call it."""
        self._signalled = True

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[: LONGEST_LINE + 1]
            self._append(lines)
        self._append([rest] if rest else [])
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:  # a terminal that went away: nothing more will come
            return b""

    def _append(self, lines: Sequence[bytes]) -> None:
        for line in lines:
            with self._changed:
                self._changed.wait_for(lambda: len(self._lines) < _WAITING)
                self._lines.append(line.decode("utf-8", "surrogateescape"))
                self._changed.notify_all()


class Server:
    """Reads commands, calls their handlers and writes the answers, until `quit` or the end of the input."""

    def __init__(self, handlers: Mapping[str, Handler], lines: LineReader, output: int) -> None:
        """Serve `handlers` by command name, and the protocol's own commands, on the file descriptor `output`."""
        own: dict[str, Handler] = {
            "protocol_version": lambda _: "2",
            "list_commands": lambda _: "\n".join(sorted(self._handlers)),
            "known_command": lambda command: "true" if command.text in self._handlers else "false",
            "quit": self._quit,
        }
        self._handlers = {**handlers, **own}
        self._lines = lines
        self._output = output
        self._running = True

    def run(self) -> None:
        """Serve until `quit` or the end of the input; raise BrokenPipeError when nobody reads the answers."""
        while self._running and (line := self._lines.next()) is not None:
            command = parse(line)
            if command is not None:
                self._serve(command, len(line))

    def _serve(self, command: Command, length: int) -> None:
        try:
            answer = self._answer(command, length)
        except (InputError, OSError) as error:
            self._write(f"?{command.id} {_one_line(error)}\n\n")
        except Exception as error:
            _report()
            self._write(f"?{command.id} internal error: {type(error).__name__}: {_one_line(error)}\n\n")
        else:
            self._write_answer(command, answer)

    def _answer(self, command: Command, length: int) -> Answer:
        if length > LONGEST_LINE:
            raise GtpError(f"expected a line of at most {LONGEST_LINE} bytes")
        if command.name not in self._handlers:
            raise GtpError("unknown command")
        return self._handlers[command.name](command)

    def _write_answer(self, command: Command, answer: Answer) -> None:
        if isinstance(answer, str):
            self._write(f"={command.id} {_without_empty_lines(answer)}\n\n")
            return
        self._write(f"={command.id}\n")
        self._write_lines(answer)
        self._write("\n")

    def _write_lines(self, lines: Iterator[str]) -> None:
        """Write lines as they come; a handler that fails in the middle has its answer ended there."""
        while True:
            try:
                line = next(lines, None)
            except Exception:
                _report()
                return
            if line is None:
                return
            self._write(line + "\n")

    def _write(self, text: str) -> None:
        data = memoryview(text.encode("ascii", "replace"))
        while data:
            data = data[os.write(self._output, data) :]

    def _quit(self, _: Command) -> str:
        self._running = False
        return ""


def _without_empty_lines(text: str) -> str:
    """Return the text with a blank in its empty lines, since an empty line ends an answer."""
    return re.sub(r"\n(?=\n)", "\n ", text.rstrip("\n"))


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


def _report() -> None:
    """Print the traceback on stderr, if there is one to print on."""
    with suppress(OSError, ValueError, AttributeError):
        traceback.print_exc()
        sys.stderr.flush()
