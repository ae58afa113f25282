"""python -m benchmarks.bench_gtp [MODEL]

How long a GUI waits for `ownership-gtp`: from a command to its whole answer, in wall time, over pipes to a process, on
a 19x19 board in the middle of a game.
"""

import statistics
import time
from collections.abc import Sequence

from benchmarks.command import exit_with, parser_of
from benchmarks.engine import Engine
from benchmarks.games import MIDDLEGAME

STARTS = 5
STOPS = 10
ROUNDS = 50
DISPLAYS = ("ownership-squares", "ownership-colors", "ownership-territory", "ownership-score", "ownership-change")
SLOW = ("ownership-candidates", "reg_genmove b")


def main() -> int:
    """Print start-up times and latencies."""
    parser = parser_of("benchmarks.bench_gtp", __doc__)
    parser.add_argument("model", nargs="?", default="default", help="bundled model or directory (default: %(default)s)")
    options = ["--model", parser.parse_args().model]
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
    engine.seconds(f"loadsgf {MIDDLEGAME}")
    stops = [engine.seconds_to_stop("kata-analyze b 100", "", after=0.1) for _ in range(STOPS)]
    print(f"a running analysis stops within {1000 * max(stops):.0f} ms, the worst of {STOPS}")
    engine.close()
    lines = [first_line(options) for _ in range(STARTS)]
    print(f"the first line of the first analysis after {1000 * max(lines):.0f} ms, the worst of {STARTS} starts")
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


def first_line(options: Sequence[str]) -> float:
    """Return the seconds from the first `kata-analyze` of a fresh engine, a second after its first map, to a line."""
    engine = Engine(options)
    engine.seconds(f"loadsgf {MIDDLEGAME}")
    engine.seconds("ownership-squares")
    time.sleep(1)
    seconds = engine.seconds_to_line("kata-analyze 100")
    engine.close()
    return seconds


def warm(options: Sequence[str], command: str, rounds: int) -> list[float]:
    """Return the seconds of a command in each of `rounds` positions that are new to an engine, after a cold one."""
    engine, times = Engine(["--player", "greedy", *options]), []
    for number in range(rounds + 1):
        engine.seconds(f"loadsgf {MIDDLEGAME} {60 + number}")
        times.append(engine.seconds(command))
    engine.close()
    return times[1:]


if __name__ == "__main__":
    exit_with(main)
