"""GNU Go as a separate program, within limits: it finishes a game and removes the dead stones."""

import math
import signal
import subprocess
from collections import deque
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.record_errors import RecordError
from game_records.sgf import parse_game
from game_records.sgf_collection import split_games
from goban.errors import InputError, cut
from runtime.child_programs import find_program, run_child_program

MIN_SIDE, MAX_SIDE = 5, 19
DEFAULT_LEVEL = 10
_WALL_TIME = 3  # over processor time, at which GNU Go is given up
_VERSION_SECONDS = 10
_OUTPUT = "/dev/stdout"  # "-" would do, and leave an empty file of that name
_MOST_OUTPUT = 1 << 24  # bytes; it writes the game after every move
_OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None
_AFTERMATH = ("--quiet", "--seed", "1", "--score", "aftermath", "--capture-all-dead", "--chinese-rules")


class GnuGoError(InputError):
    """GNU Go did not finish one game; `reason` is "gnugo side", "gnugo timeout", "gnugo crash" or "gnugo output"."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def find_gnugo() -> Path:
    """Return the path of the gnugo program; raise InputError if it is neither on PATH nor where Debian keeps games."""
    found = find_program("gnugo")
    if found is None:
        raise InputError("GNU Go not found on PATH or in /usr/games: install it (apt-get install gnugo)")
    return Path(found)


def plays(side: int) -> bool:
    """Return whether GNU Go plays on boards of this side."""
    return MIN_SIDE <= side <= MAX_SIDE


@cache
def _version(program: Path) -> str:
    try:
        status, answer = run_child_program([str(program), "--version"], seconds=_VERSION_SECONDS, most=1 << 16)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{program}: expected GNU Go, but it does not run: {error}") from error
    if status != 0:
        raise InputError(f"{program}: expected GNU Go, but it does not run: exit status {status}")
    name = answer.decode(errors="replace").strip().partition("\n")[0].strip()
    if not name.startswith("GNU Go"):
        raise InputError(f"{program}: expected GNU Go. Received: {cut(name) or 'a program without a name'}")
    return name


@dataclass(frozen=True)
class GnuGo:
    """How to run GNU Go, on any machine that this is sent to.

    Attributes:
        program: its path; None finds it.
        time_limit: seconds of processor time for a game, so that the answer does not depend on how busy the machine
            is. A program that waits instead is ended after three times as long.
        memory_limit: MiB.
        level: of play, 0 or more: 10 is GNU Go's own, 1 takes a fifth of the time for a game that stopped early.
    """

    program: Path | None = None
    time_limit: float = 30.0
    memory_limit: int = 1024
    level: int = DEFAULT_LEVEL

    def version(self) -> str:
        """Return the program's own name and version, such as "GNU Go 3.8", and a level other than its own.

        Raises:
            InputError: it does not run.
        """
        return _version(self._program()) + (f" level {self.level}" if self.level != DEFAULT_LEVEL else "")

    def _program(self) -> Path:
        return self.program or find_gnugo()

    def finish(self, game: GameRecord) -> NDArray[np.int8]:
        """Play the game's last position to the end under area rules; the recorded result does not matter.

        Returns:
            The stones without dead ones, int8 (N, N).

        Raises:
            GnuGoError: GNU Go does not play this board side, takes too long, crashes, or writes no readable game of it.
        """
        if not plays(game.side):
            raise GnuGoError("gnugo side", f"it plays on boards of {MIN_SIDE} to {MAX_SIDE}")
        command = [str(self._program()), "-l", "-", "-o", _OUTPUT, "--level", str(self.level), *_AFTERMATH]
        try:
            status, output = run_child_program(
                command,
                game.to_sgf(),
                seconds=_WALL_TIME * self.time_limit,
                most=_MOST_OUTPUT,
                memory_limit=self.memory_limit,
                time_limit=math.ceil(self.time_limit),
            )
        except subprocess.TimeoutExpired:
            raise self._timeout() from None
        if status == _OUT_OF_TIME:
            raise self._timeout()
        if status != 0:
            raise GnuGoError("gnugo crash", f"exit status {status}")
        return _final_stones(output, game.side)

    def _timeout(self) -> GnuGoError:
        return GnuGoError("gnugo timeout", f"no answer within {self.time_limit:g} s of processor time")


def _final_stones(output: bytes, side: int) -> NDArray[np.int8]:
    """Return the stones at the end of the last game that GNU Go wrote."""
    games = deque(split_games([output]), maxlen=1)
    if not games:
        raise GnuGoError("gnugo output", "no game was written")
    try:
        finished = parse_game(games[0], "GNU Go's output")
    except RecordError as error:
        raise GnuGoError("gnugo output", f"unreadable game: {error.reason}") from error
    if finished.broken_off:
        raise GnuGoError("gnugo output", f"unreadable game: {finished.illegal_move or 'truncated'}")
    if finished.side != side:
        raise GnuGoError("gnugo output", f"expected side {side}. Received: {finished.side}")
    return finished.position().stones
