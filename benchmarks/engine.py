"""`ownership-gtp` in a process of its own, over pipes."""

import subprocess
import sys
import time
from collections.abc import Sequence


class Engine:
    """A running engine.

    Args:
        arguments: options of `ownership-gtp`.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "gogui_plugin", *arguments]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def seconds(self, command: str) -> float:
        """Return the seconds from sending a command to the end of its answer; raise RuntimeError if it fails."""
        start = time.perf_counter()
        self._send(command)
        first = self._line()
        if not first.startswith(b"="):
            raise RuntimeError(f"{command}: expected success. Received: {first!r}")
        self._skip_answer()
        return time.perf_counter() - start

    def seconds_to_stop(self, command: str, line: str, after: float) -> float:
        """Return the seconds from a line, sent `after` seconds into a command, to the end of the command's answer."""
        self._send(command)
        time.sleep(after)
        start = time.perf_counter()
        self._send(line)
        self._skip_answer()
        return time.perf_counter() - start

    def seconds_to_line(self, command: str) -> float:
        """Return the seconds from a command that streams to the first line after its `=`, and end it."""
        start = time.perf_counter()
        self._send(command)
        self._line(), self._line()
        seconds = time.perf_counter() - start
        self._send("")
        self._skip_answer()
        return seconds

    def close(self) -> None:
        """End the engine."""
        self.seconds("quit")
        self._process.communicate()

    def _send(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def _line(self) -> bytes:
        assert self._process.stdout
        return self._process.stdout.readline()

    def _skip_answer(self) -> None:
        """Read to the empty line that ends an answer, or to the end of the output."""
        while self._line().strip(b"\n"):
            pass
