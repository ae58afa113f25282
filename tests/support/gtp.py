"""A GTP client over two file descriptors, like that of a GUI."""

import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import psutil

from gogui_plugin.gtp_program import parse_arguments, serve_gtp
from tests.support.waiting import PATIENCE


class Client:
    """Writes commands to one file descriptor and reads answers from another."""

    def __init__(self, target: int, source: int) -> None:
        self._target, self._source = target, source
        self._rest = b""

    def send(self, data: bytes | str) -> None:
        data = data.encode() if isinstance(data, str) else data
        while data:
            data = data[os.write(self._target, data) :]

    def read(self, end: bytes = b"\n\n") -> str:
        """Return the text before `end`; fail if it takes too long or the engine has ended."""
        deadline = time.monotonic() + PATIENCE
        while end not in self._rest:
            ready, _, _ = select.select([self._source], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"expected an answer. Received in {PATIENCE} s: {self._rest!r}"
            chunk = os.read(self._source, 1 << 16)
            assert chunk, f"expected an answer. Received before the end: {self._rest!r}"
            self._rest += chunk
        answer, _, self._rest = self._rest.partition(end)
        return answer.decode("ascii")

    def rest(self) -> list[str]:
        """Return the lines of a stream up to its end."""
        return list(iter(lambda: self.read(b"\n"), ""))

    def ask(self, command: str) -> str:
        """Return the answer with = or ?, without the empty line."""
        self.send(command + "\n")
        return self.read()

    def value(self, command: str) -> str:
        """Return the answer to a command that must succeed, without =."""
        answer = self.ask(command)
        assert answer.startswith("= "), f"{command}: {answer}"
        return answer[2:]

    def all(self, commands: Sequence[str]) -> list[str]:
        return [self.ask(command) for command in commands]


class Inside(Client):
    """An engine in a thread of this process."""

    def __init__(self, *arguments: str) -> None:
        source, target = os.pipe(), os.pipe()
        super().__init__(source[1], target[0])
        self._open = [*source, *target]
        self._thread = threading.Thread(
            target=serve_gtp, args=(parse_arguments(arguments), source[0], target[1]), daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Close the engine's input and wait for its end."""
        os.close(self._open.pop(1))
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "expected the end after the end of the input"
        for descriptor in self._open:
            os.close(descriptor)


class Process(Client):
    """A program that speaks GTP, in a process of its own."""

    def __init__(self, *command: str | Path, errors: int | None = None) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        assert self.process.stdin and self.process.stdout
        super().__init__(self.process.stdin.fileno(), self.process.stdout.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    def close_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def close_output(self) -> None:
        assert self.process.stdout
        self.process.stdout.close()

    def processor_time(self) -> float:
        """Return the seconds of processor time used."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)

    def memory(self) -> int:
        """Return resident memory in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])


def ownership_gtp(model: Path | None, *arguments: str | Path, errors: int | None = None) -> Process:
    """Return the engine as a user starts it, with a model or None for the default one."""
    chosen = () if model is None else ("--model", model)
    return Process(sys.executable, "-m", "gogui_plugin", *chosen, *arguments, errors=errors)
