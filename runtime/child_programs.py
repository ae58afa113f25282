"""Other programs: found, started, limited, talked with over pipes, and ended, together with all that they start."""

import atexit
import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, Final

_DEBIAN_GAMES: Final = "/usr/games"
_SHELL: Final = "/bin/sh"
# Remembers the process groups that are named on its standard input, and ends those left when the input ends.
_GUARDIAN: Final = """
groups=" "
while read -r sign group; do
    case $sign in
        +) groups="$groups$group " ;;
        -) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"""
_CHUNK: Final = 1 << 16
_MOST_CHUNKS: Final = 16  # read ahead of `read`; the program waits when it has written more
_LAST_ERRORS: Final = 4096  # bytes kept of standard error


def find_program(name: str) -> str | None:
    """Return the path of a program on PATH, or where Debian keeps games; None if there is none that can be run."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", os.defpath), _DEBIAN_GAMES)))


def start_program(
    command: Sequence[str],
    *,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.DEVNULL,
    stderr: int | IO[bytes] | None = subprocess.DEVNULL,
    memory_limit: int | None = None,
    time_limit: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, for `end_program` to end.

    It also ends when this process does, however that happens; not on Windows, where it has to see the end of its input.

    Args:
        command: the words of the command line; the first one is a path or found on PATH.
        stdin, stdout, stderr: as for `subprocess.Popen`.
        memory_limit: MiB, on Linux only.
        time_limit: seconds of processor time, on Linux only; the program gets SIGXCPU, and SIGKILL a second later.

    Raises:
        OSError: it cannot be started.
    """
    process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr, bufsize=0, start_new_session=True)
    _guardian.add(process.pid)
    if memory_limit is not None or time_limit is not None:
        _limit(process.pid, memory_limit, time_limit)
    return process


def end_program(process: subprocess.Popen[bytes]) -> None:
    """End a program and all that it started, and wait for its end. Any thread may, and more than once."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        _end_family(process.pid)
    process.wait()
    _guardian.remove(process.pid)


def run_child_program(
    command: Sequence[str],
    data: bytes = b"",
    *,
    seconds: float,
    most: int,
    memory_limit: int | None = None,
    time_limit: int | None = None,
) -> tuple[int, bytes]:
    """Run a program to its end.

    Args:
        command, memory_limit, time_limit: as for `start_program`.
        data: its standard input.
        seconds: of wall time, after which it is ended.
        most: bytes of its standard output, after which it is ended.

    Returns:
        The exit status, negative for a signal, and the standard output.

    Raises:
        subprocess.TimeoutExpired: it was ended for its wall time.
        OSError: it cannot be started.
    """
    pipe = subprocess.PIPE
    process = start_program(command, stdin=pipe, stdout=pipe, memory_limit=memory_limit, time_limit=time_limit)
    late = threading.Event()

    def stop() -> None:
        late.set()
        end_program(process)

    timer = threading.Timer(seconds, stop)
    writer = threading.Thread(target=_write, args=(process, data))
    try:
        timer.start()
        writer.start()
        output = _read(process, most)
        if len(output) < most:
            process.wait()
    finally:
        timer.cancel()
        end_program(process)
        writer.join()
    if late.is_set():
        raise subprocess.TimeoutExpired(list(command), seconds)
    return process.returncode, output


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write the input of a program, as far as it reads it."""
    assert process.stdin
    with process.stdin as stdin, suppress(OSError):
        while data:
            data = data[stdin.write(data) :]


def _read(process: subprocess.Popen[bytes], most: int) -> bytes:
    """Return the output of a program, up to `most` bytes."""
    assert process.stdout
    output = bytearray()
    with process.stdout as stdout:
        while len(output) < most and (chunk := stdout.read(most - len(output))):
            output += chunk
    return bytes(output)


def _limit(pid: int, memory_limit: int | None, time_limit: int | None) -> None:
    import psutil  # slow to import, and not every command starts programs

    if not hasattr(psutil, "RLIMIT_AS"):
        return
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        if memory_limit is not None:
            process.rlimit(psutil.RLIMIT_AS, (memory_limit << 20, memory_limit << 20))
        if time_limit is not None:
            process.rlimit(psutil.RLIMIT_CPU, (time_limit, time_limit + 1))


def _end_family(pid: int) -> None:
    """End a process and its descendants, where there are no process groups."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        for process in (*parent.children(recursive=True), parent):
            with suppress(psutil.NoSuchProcess):
                process.kill()


class _Guardian:
    """A shell that ends the programs of this process when it is gone: killed or not, its end of a pipe is closed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shell: subprocess.Popen[bytes] | None = None
        self._groups = set[int]()

    def add(self, group: int) -> None:
        """Take charge of a process group."""
        with self._lock:
            if self._shell is None and os.path.exists(_SHELL):
                self._shell = self._start()
            self._groups.add(group)
            self._send("+", group)

    def remove(self, group: int) -> None:
        """Forget a process group that has ended; do nothing for others."""
        with self._lock:
            if group in self._groups:
                self._groups.remove(group)
                self._send("-", group)

    def _start(self) -> subprocess.Popen[bytes]:
        null = subprocess.DEVNULL
        shell = subprocess.Popen(
            [_SHELL, "-c", _GUARDIAN],
            stdin=subprocess.PIPE,
            stdout=null,
            stderr=null,
            bufsize=0,
            start_new_session=True,
        )
        atexit.register(self._close)
        return shell

    def _send(self, sign: str, group: int) -> None:
        if self._shell is not None and self._shell.stdin is not None:
            with suppress(OSError):
                self._shell.stdin.write(f"{sign} {group}\n".encode())

    def _close(self) -> None:
        assert self._shell and self._shell.stdin
        with suppress(OSError):
            self._shell.stdin.close()
        self._shell.wait()


_guardian = _Guardian()


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
        """Return some bytes, b"" at the end, or None if there are none within some seconds."""
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
        """Return the last line of a program that has ended, "" if it wrote none."""
        self._thread.join(1)
        lines = self._kept.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def _fill(self, stream: IO[bytes]) -> None:
        for chunk in _chunks(stream):
            self._kept = (self._kept + chunk)[-_LAST_ERRORS:]
