"""How long a GUI waits for `ownership-gtp`: from a command to its whole answer, in wall time.

    python -m benchmarks.bench_gtp [MODEL DIRECTORY]

The default is the bundled model. A real process is asked over pipes, on a 19x19 board in the middle of a game.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

GAME = Path(__file__).parents[1] / "examples" / "middlegame-19x19.sgf"
STARTS = 5
STOPS = 10
ROUNDS = 50
DISPLAYS = ("ownership-squares", "ownership-colors", "ownership-territory", "ownership-score", "ownership-change")
SLOW = ("ownership-candidates", "reg_genmove b")


class Engine:
    """An engine in a process of its own."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "gogui_plugin.main", *arguments]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def seconds(self, command: str) -> float:
        """Return the seconds from sending a command to the end of its answer; raise RuntimeError if it fails."""
        assert self._process.stdin and self._process.stdout
        start = time.perf_counter()
        self._process.stdin.write(command.encode() + b"\n")
        self._process.stdin.flush()
        first = self._process.stdout.readline()
        if not first.startswith(b"="):
            raise RuntimeError(f"{command}: expected success. Received: {first!r}")
        while self._process.stdout.readline().strip(b"\n"):
            pass
        return time.perf_counter() - start

    def seconds_to_stop(self, command: str, line: str, after: float) -> float:
        """Return the seconds from a line to the end of the command that it ends, `after` so many since its begin."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(command.encode() + b"\n")
        self._process.stdin.flush()
        time.sleep(after)
        start = time.perf_counter()
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        while self._process.stdout.readline().strip(b"\n"):
            pass
        return time.perf_counter() - start

    def close(self) -> None:
        """End the engine."""
        self.seconds("quit")
        self._process.communicate()


def main(arguments: Sequence[str] = ()) -> int:
    """Print start-up times and latencies."""
    options = ["--model", arguments[0]] if arguments else []
    starts = [first_answers(options) for _ in range(STARTS)]
    names, maps = (statistics.median(column) for column in zip(*starts, strict=True))
    print(f"median of {STARTS} starts, seconds: name answered after {names:.2f}, ownership after {maps:.2f}")
    for command, rounds in [(each, ROUNDS) for each in DISPLAYS] + [(each, 5) for each in SLOW]:
        times = sorted(warm(options, command, rounds))
        print(
            f"{command:22} median {1000 * statistics.median(times):7.1f} ms"
            f"   best {1000 * times[0]:7.1f} ms   worst {1000 * times[-1]:7.1f} ms"
        )
    engine = Engine(options)
    engine.seconds(f"loadsgf {GAME}")
    stops = [engine.seconds_to_stop("kata-analyze b 100", "", after=0.1) for _ in range(STOPS)]
    print(f"a running analysis stops within {1000 * max(stops):.0f} ms, the worst of {STOPS}")
    engine.close()
    return 0


def first_answers(options: Sequence[str]) -> tuple[float, float]:
    """Return the seconds from a fresh start to the answers to `name` and to the first map."""
    engine = Engine(options)
    answers = []
    for command in ("name", "ownership-squares"):
        engine.seconds(command)
        answers.append(time.perf_counter() - engine.started)
    engine.close()
    return answers[0], answers[1]


def warm(options: Sequence[str], command: str, rounds: int) -> list[float]:
    """Return the seconds of a command after each of `rounds` different positions; the first, cold one is left out.

    An engine of its own has seen none of them before.
    """
    engine, times = Engine(["--player", "greedy", *options]), []
    for number in range(rounds + 1):
        engine.seconds(f"loadsgf {GAME} {60 + number}")
        times.append(engine.seconds(command))
    engine.close()
    return times[1:]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
