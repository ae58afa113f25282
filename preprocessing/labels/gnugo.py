"""A GNU Go process on a leash: it finishes a game, removes the dead stones, and never outstays its limits."""

import math
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from preprocessing.records.game import GameRecord
from preprocessing.records.sgf import RecordError, parse_game

MIN_SIDE, MAX_SIDE = 5, 19
DEFAULT_LEVEL = 10
_PATIENCE = 3  # wall time over processor time at which a program is given up
_DEBIAN_GAMES = "/usr/games"
_AFTERMATH = ("--quiet", "--seed", "1", "--score", "aftermath", "--capture-all-dead", "--chinese-rules")


class GnuGoError(InputError):
    """GNU Go did not finish one game; `reason` is "gnugo timeout", "gnugo crash" or "gnugo output"."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def find_gnugo() -> Path:
    """Return the path of the gnugo program, looking on PATH and where Debian keeps games; raise InputError."""
    search = os.pathsep.join((os.environ.get("PATH", os.defpath), _DEBIAN_GAMES))
    found = shutil.which("gnugo", path=search)
    if found is None:
        raise InputError(f"GNU Go not found on PATH or in {_DEBIAN_GAMES}: install it (apt-get install gnugo)")
    return Path(found)


def plays(side: int) -> bool:
    """Return whether GNU Go plays on boards of this side."""
    return MIN_SIDE <= side <= MAX_SIDE


@cache
def _version(program: Path) -> str:
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"{program}: expected GNU Go, but it does not run: {error}") from error
    lines = answer.stdout.decode(errors="replace").splitlines()
    return lines[0].strip() if lines else ""


@dataclass(frozen=True)
class GnuGo:
    """How to run GNU Go, on whatever machine this is sent to.

    program: None looks for it by itself. time_limit: seconds of processor time, so that the answer does not depend
    on how busy the machine is; a program that waits instead is given up after three times as long. memory_limit: MiB.
    level: of play, 0 or more: 10 is GNU Go's own, 1 takes a fifth of the time for a game that stopped early.
    """

    program: Path | None = None
    time_limit: float = 30.0
    memory_limit: int = 1024
    level: int = DEFAULT_LEVEL

    def version(self) -> str:
        """Return what the program calls itself, such as "GNU Go 3.8", and a level that is not its own.

        Raises InputError when it does not run.
        """
        return _version(self._program()) + (f" level {self.level}" if self.level != DEFAULT_LEVEL else "")

    def _program(self) -> Path:
        return self.program or find_gnugo()

    def finish(self, game: GameRecord) -> NDArray[np.int8]:
        """Play the game's last position to the end under area rules; return the stones, int8 (N, N), without dead ones.

        Raises GnuGoError when GNU Go takes too long, crashes, or writes no readable game of the same board side.
        It does not look at the recorded result.
        """
        with tempfile.TemporaryDirectory(prefix="gnugo-") as folder:
            record, finished = Path(folder, "game.sgf"), Path(folder, "finished.sgf")
            record.write_bytes(game.to_sgf())
            self._run(["-l", str(record), "-o", str(finished), "--level", str(self.level), *_AFTERMATH])
            return _final_stones(finished, game.side)

    def _run(self, arguments: list[str]) -> None:
        process = subprocess.Popen(
            [self._program(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            self._limit(process.pid)
            status = process.wait(_PATIENCE * self.time_limit)
        except subprocess.TimeoutExpired:
            raise self._timeout() from None
        finally:
            _kill_group(process)
        if status == -signal.SIGXCPU:
            raise self._timeout()
        if status != 0:
            raise GnuGoError("gnugo crash", f"exit status {status}")

    def _timeout(self) -> GnuGoError:
        return GnuGoError("gnugo timeout", f"no answer within {self.time_limit:g} s of processor time")

    def _limit(self, pid: int) -> None:
        """Cap memory and processor time, which holds even for an orphan."""
        if not hasattr(resource, "prlimit"):
            return
        memory, seconds = self.memory_limit << 20, math.ceil(self.time_limit)
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (memory, memory))
            resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _final_stones(path: Path, side: int) -> NDArray[np.int8]:
    try:
        finished = parse_game(path.read_bytes(), "GNU Go's output")
    except FileNotFoundError:
        raise GnuGoError("gnugo output", "no game was written") from None
    except RecordError as error:
        raise GnuGoError("gnugo output", f"unreadable game: {error.reason}") from error
    if finished.side != side:
        raise GnuGoError("gnugo output", f"expected side {side}, found {finished.side}")
    return finished.position().stones
