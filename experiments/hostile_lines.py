"""python -m experiments.hostile_lines [--lines 100000] [--seed 0] [--model fast]

Sends lines that no client would send to `ownership-gtp` and to `ownership-analysis`, and measures whether they go on: a
known command after every thousand lines must be answered, stderr must hold no traceback, memory must not grow, and the
end of the input must end the program. The files that lines name are written into a temporary folder. This is behind the
section on hostile input in docs/lab/engines.md.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

import psutil

_EVERY: Final = 1000  # lines between two known commands
_MOST_SECONDS: Final = 300  # for the answer to a known command, however busy the machine
_VERTICES: Final = ("A1", "b2", "C3", "e5", "J9", "T19", "z25", "i1", "pass", "", "A0", "A-1", "AA1", "\u00e9", "Q16 ")
_NUMBERS: Final[tuple[Any, ...]] = (
    0,
    1,
    2,
    3,
    5,
    9,
    13,
    19,
    25,
    26,
    -1,
    0.5,
    1e30,
    10**40,
    float("nan"),
    float("inf"),
    True,
    None,
    "7",
    [],
)
_COMMANDS: Final = """
boardsize clear_board komi play play play undo genmove reg_genmove showboard final_score final_status_list loadsgf
fixed_handicap place_free_handicap set_free_handicap time_left printsgf kgs-rules kata-set-rules kata-get-rules gg-undo
gogui-setup gogui-setup_player gogui-play_sequence gogui-title lz-analyze kata-analyze kata-raw-nn lz-genmove_analyze
analyze kata-genmove_analyze ownership-squares ownership-change ownership-gains ownership-accuracy ownership-plane
ownership-load_game ownership-search_line ownership-search_visits is_legal all_legal list_stones captures known_command
ownership-options ownership-policy name list_commands gogui-analyze_commands gogui-interrupt kgs-time_settings
"""
_WORDS: Final = """
b w black WHITE pass PASS a1 b2 C3 e5 j9 t19 z25 i1 0 1 2 3 5 9 -1 1e400 nan true false dead seki japanese interval
maxmoves ownership avoid allow komi rules plane , { } [] {} {"ko":[]} /dev/null " "" # canadian byoyomi \x00 \xff \u00e9
"""
_NAMES: Final = """
id moves initialStones initialPlayer rules komi whiteHandicapBonus boardXSize boardYSize analyzeTurns maxVisits priority
priorities rootPolicyTemperature rootFpuReductionMax analysisPVLen includeOwnership includeOwnershipStdev includePolicy
includeMovesOwnership includePVVisits avoidMoves allowMoves overrideSettings reportDuringSearchEvery action terminateId
turnNumbers firstReportDuringSearchAfter nonsense
"""
_TEXTS: Final = ("B", "w", "tromp-taylor", "terminate", "terminate_all", "query_models", "\ud800", "x" * 999)
_QUERY: Final[dict[str, Any]] = {
    "id": "x",
    "moves": [],
    "rules": "chinese",
    "boardXSize": 3,
    "boardYSize": 3,
    "maxVisits": 2,
}


def gtp_line(chance: random.Random) -> bytes:
    """Return a line of GTP, with a real command most of the time."""
    kind = chance.random()
    if kind < 0.1:
        return chance.randbytes(chance.randrange(80)).replace(b"\n", b"")
    words = [chance.choice(_WORDS.split()) for _ in range(chance.randrange(6))]
    number = str(chance.randrange(10**6)) if chance.random() < 0.3 else ""
    return " ".join(
        [number, chance.choice(_COMMANDS.split()) if kind < 0.95 else chance.choice(_WORDS.split()), *words]
    ).encode("latin-1")


def analysis_line(chance: random.Random) -> bytes:
    """Return a query with some strange fields, other JSON, or none."""
    kind = chance.random()
    if kind < 0.1:
        return chance.randbytes(chance.randrange(80)).replace(b"\n", b"")
    if kind < 0.12:
        return b"[" * chance.randrange(100_000)
    query = dict(_QUERY)
    for _ in range(chance.randrange(4)):
        query[chance.choice(_NAMES.split())] = _value(chance, 0)
    return json.dumps(query).encode()


def _value(chance: random.Random, depth: int) -> Any:
    kinds: list[Callable[[], Any]] = [
        lambda: chance.choice(_NUMBERS),
        lambda: chance.choice(_VERTICES),
        lambda: chance.choice(_TEXTS),
        lambda: [_value(chance, depth + 1) for _ in range(chance.randrange(4))],
        lambda: [["B", chance.choice(_VERTICES)], ["W", chance.choice(_VERTICES)]],
        lambda: {chance.choice(_NAMES.split()): _value(chance, depth + 1) for _ in range(chance.randrange(4))},
    ]
    return chance.choice(kinds[: 3 if depth > 3 else None])()


def gtp_known(number: int) -> tuple[bytes, bytes]:
    """Return a known command of GTP, and how the line that answers it begins."""
    return b"%d name" % number, b"=%d Ownership" % number


def analysis_known(number: int) -> tuple[bytes, bytes]:
    """Return a known query, which is searched after all others, and how the line that answers it begins."""
    query = {**_QUERY, "id": f"known {number}", "priority": -1_000_000_000}
    return json.dumps(query).encode(), b'{"id":"known %d"' % number


def main() -> int:
    """Print a line for each program; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m experiments.hostile_lines", description=main.__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="fast")
    arguments = parser.parse_args()
    model = str(Path(arguments.model).resolve()) if Path(arguments.model).is_dir() else arguments.model
    gtp = ["-m", "gogui_plugin", "--time", "0.01", "--model", model]
    analysis = ["-m", "ownership.analysis", "-override-config", "maxVisits=2", "-model", model]
    failed = _stress("ownership-gtp", gtp, gtp_line, gtp_known, arguments)
    failed |= _stress("ownership-analysis", analysis, analysis_line, analysis_known, arguments)
    return int(failed)


def _stress(
    name: str,
    command: list[str],
    line: Callable[[random.Random], bytes],
    known: Callable[[int], tuple[bytes, bytes]],
    arguments: argparse.Namespace,
) -> bool:
    """Send all lines to a program, print what happened, and return whether it failed."""
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as errors:
        program = subprocess.Popen(
            [sys.executable, *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        began, process = time.monotonic(), psutil.Process(program.pid)
        answered, memory = 0, [0.0]
        for sent in _exchange(program, line, known, arguments):
            answered = sent
            memory.append(process.memory_info().rss / 2**20)
        assert program.stdin is not None
        program.stdin.close()
        try:
            status: int | str = program.wait(_MOST_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            status = "none: it had to be killed"
        errors.seek(0)
        tracebacks = errors.read().count(b"Traceback")
    early, late = memory[math.ceil((len(memory) - 1) / 5)], memory[-1]
    print(
        f"{name}: {answered} of {arguments.lines} lines in {time.monotonic() - began:.0f} s, {tracebacks} tracebacks, "
        f"memory {early:.0f} MiB after a fifth, {late:.0f} MiB in the end, exit status {status}",
        flush=True,
    )
    return answered < arguments.lines or bool(tracebacks) or status != 0 or late > 1.2 * early + 20


def _exchange(
    program: "subprocess.Popen[bytes]",
    line: Callable[[random.Random], bytes],
    known: Callable[[int], tuple[bytes, bytes]],
    arguments: argparse.Namespace,
) -> Iterator[int]:
    """Yield how many lines were sent, each time that the program has answered a known command after them."""
    chance = random.Random(arguments.seed)
    assert program.stdin is not None and program.stdout is not None
    seen = _Seen(program.stdout)
    for begin in range(0, arguments.lines, _EVERY):
        sent = min(begin + _EVERY, arguments.lines)
        command, answer = known(sent)
        seen.expect(answer)
        lines = [line(chance) for _ in range(begin, sent)]
        try:
            program.stdin.write(b"\n".join([*lines, b"", command]) + b"\n")
            program.stdin.flush()
        except BrokenPipeError:
            return
        if not seen.came():
            return
        yield sent


class _Seen:
    """A thread that reads lines, and remembers the answers to known commands: those that begin as one of them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._expected = b"\0"
        self._came = threading.Event()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def expect(self, start: bytes) -> None:
        """Begin to look for a line that begins so."""
        self._came.clear()
        self._expected = start

    def came(self) -> bool:
        """Wait for that line, and return whether it came in time."""
        return self._came.wait(_MOST_SECONDS)

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            if line.startswith(self._expected):
                self._came.set()


if __name__ == "__main__":
    sys.exit(main())
