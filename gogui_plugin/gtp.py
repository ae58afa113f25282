"""The Go Text Protocol, version 2: lines in, answers out, without the rules of Go.

A handler takes a `Command` and returns the text of its answer, or an iterator of lines, which are sent as they come.
Its exceptions become failures: InputError and OSError with their message, others as an internal error with a
traceback on stderr.
"""

import os
import re
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from goban.errors import InputError, plural
from runtime.standard_streams import write_all

LONGEST_COMMAND: Final = 1 << 16  # bytes; a set-up of all 625 points of the largest board needs 5,000
_WAITING_LINES = 1024  # read ahead; what is beyond stays in the pipe
_WAITING_BYTES = 1 << 20
_HEAD = 1 << 10  # bytes kept of a line that is too long, for the command's id
_CHUNK = 1 << 16
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_INTERRUPT = b"# interrupt"


class GtpError(InputError):
    """A failure for the client to see, such as `unknown command`."""


@dataclass(frozen=True)
class Command:
    """A command of the client.

    Attributes:
        id: digits, or "".
        name: the command's name.
        text: the rest of the line.
    """

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
            raise GtpError(f"syntax error: expected {plural(count, 'argument')}. Received: {len(self.arguments)}")
        return self.arguments


Answer = str | Iterator[str]
Handler = Callable[[Command], Answer]


def parse_command(line: str) -> Command | None:
    """Return the command of a line, or None for a line without one; drop control characters and comments."""
    text = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].strip(" ")
    if not text:
        return None
    first, _, rest = text.partition(" ")
    if not (first.isascii() and first.isdigit()):
        return Command("", first, rest.strip(" "))
    name, _, arguments = rest.strip(" ").partition(" ")
    return Command(first, name, arguments.strip(" "))


class InputLine(NamedTuple):
    """A line of input without its end; of one that is longer than LONGEST_COMMAND only the first bytes."""

    data: bytes
    too_long: bool = False

    @property
    def text(self) -> str:
        """The text, with bytes that are no UTF-8 as surrogates."""
        return self.data.decode("utf-8", "surrogateescape")


class LineSplitter:
    """A stream of bytes, cut into lines; of an unfinished line it holds no more than `longest` bytes."""

    def __init__(self, longest: int = LONGEST_COMMAND) -> None:
        self._longest = longest
        self._data = bytearray()
        self._length = 0

    def feed(self, chunk: bytes) -> Iterator[InputLine]:
        """Yield the lines that end in a chunk."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._add(end)
            yield self._take()
        self._add(rest)

    def end(self) -> Iterator[InputLine]:
        """Yield the last line if it is unfinished."""
        if self._length:
            yield self._take()

    def _add(self, part: bytes) -> None:
        self._data += part[: self._longest - len(self._data)]
        self._length += len(part)

    def _take(self) -> InputLine:
        too_long = self._length > self._longest
        line = InputLine(bytes(self._data[:_HEAD] if too_long else self._data), too_long)
        self._data.clear()
        self._length = 0
        return line


class LineReader:
    """Lines of a file descriptor, read ahead by a thread, so that a busy engine sees new input.

    The thread reads the bare descriptor: one that waits inside a Python stream would hold up the end of the process.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[InputLine] = deque()
        self._waiting = 0  # bytes of _lines
        self._ended = False
        self._signalled = False
        self._changed = threading.Condition()
        threading.Thread(target=self._read, name="gtp input", daemon=True).start()

    def next(self) -> InputLine | None:
        """Wait for a line and return it, or None after the last one."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._ended)
            self._signalled = False
            line = self._lines.popleft() if self._lines else None
            self._waiting -= len(line.data) if line else 0
            self._changed.notify_all()
            return line

    def wait(self, seconds: float) -> bool:
        """Wait for a line, the end or an interrupt, at most `seconds`, and return whether one came."""
        with self._changed:
            return bool(self._changed.wait_for(lambda: self._lines or self._ended or self._signalled, seconds))

    def interrupted(self) -> bool:
        """Return whether the client has interrupted the running command, by `# interrupt` or a signal."""
        with self._changed:
            return self._signalled or any(line.data.strip() == _INTERRUPT for line in self._lines)

    def interrupt(self) -> None:
        """Ask for the running command to stop; takes no lock, so that signal handlers may call it."""
        self._signalled = True

    def _read(self) -> None:
        splitter = LineSplitter()
        while chunk := self._chunk():
            for line in splitter.feed(chunk):
                self._append(line)
        for line in splitter.end():
            self._append(line)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:  # a terminal that went away: nothing more will come
            return b""

    def _append(self, line: InputLine) -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._lines) < _WAITING_LINES and self._waiting < _WAITING_BYTES)
            self._lines.append(line)
            self._waiting += len(line.data)
            self._changed.notify_all()


class Server:
    """Reads commands, calls their handlers and writes the answers, until `quit` or the end of the input."""

    def __init__(
        self, handlers: Mapping[str, Handler], lines: LineReader, output: int, idle: Callable[[], None] = lambda: None
    ) -> None:
        """Serve `handlers` by command name, and the protocol's own commands, on the file descriptor `output`.

        `idle` is called whenever no line waits; it returns soon after one does.
        """
        own: dict[str, Handler] = {
            "protocol_version": lambda _: "2",
            "list_commands": lambda _: self._names(),
            "known_command": lambda command: "true" if command.text in self._handlers else "false",
            "quit": self._quit,
        }
        self._handlers = {**handlers, **own}
        self._lines = lines
        self._output = output
        self._idle = idle
        self._running = True

    def run(self) -> None:
        """Serve until `quit` or the end of the input; raise BrokenPipeError if the reader of the answers went away."""
        while self._running and (line := self._next()) is not None:
            if line.too_long:
                self._refuse(line)
            elif (command := parse_command(line.text)) is not None:
                self._serve(command)

    def _next(self) -> InputLine | None:
        if not self._lines.wait(0):
            self._idle()
        return self._lines.next()

    def _refuse(self, line: InputLine) -> None:
        """Answer a line that is too long, unless it is a comment, with its id if it has one."""
        if line.data.lstrip(b" \t").startswith(b"#"):
            return
        command = parse_command(line.text)
        number = command.id if command and command.name else ""
        self._write(f"?{number} expected a line of at most {LONGEST_COMMAND} bytes\n\n")

    def _serve(self, command: Command) -> None:
        try:
            answer = self._answer(command)
        except (InputError, OSError) as error:
            self._write(f"?{command.id} {_one_line(error)}\n\n")
        except Exception as error:
            _print_traceback()
            self._write(f"?{command.id} internal error: {type(error).__name__}: {_one_line(error)}\n\n")
        else:
            self._write_answer(command, answer)

    def _answer(self, command: Command) -> Answer:
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
        """Write lines as they come; end the answer where its handler fails."""
        while True:
            try:
                line = next(lines, None)
            except Exception:
                _print_traceback()
                return
            if line is None:
                return
            self._write(line + "\n")

    def _write(self, text: str) -> None:
        write_all(self._output, text.encode("ascii", "replace"))

    def _names(self) -> str:
        """Return the names of all commands, protocol_version first, as some clients expect."""
        return "\n".join(sorted(self._handlers, key=lambda name: (name != "protocol_version", name)))

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


def _print_traceback() -> None:
    """Print the traceback on stderr, if there is one to print on."""
    with suppress(OSError, ValueError, AttributeError):
        traceback.print_exc()
        sys.stderr.flush()
