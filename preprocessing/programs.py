"""Other programs: found, started, limited and ended, together with all that they start."""

import atexit
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Sequence
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


def run_program(
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
