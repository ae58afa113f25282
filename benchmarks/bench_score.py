"""python -m benchmarks.bench_score [MODEL]

A cold start of `ownership score` compared with GNU Go on the same game, in seconds.
"""

import os
import subprocess
import sys
import time
from statistics import median

from benchmarks.command import exit_with, parser_of
from benchmarks.games import FINISHED
from preprocessing.gnugo import find_gnugo

RUNS = 5


def main() -> int:
    """Print a line for each program."""
    parser = parser_of("benchmarks.bench_score", __doc__)
    parser.add_argument("model", nargs="?", default="default", help="bundled model or directory (default: %(default)s)")
    model = parser.parse_args().model
    score = [sys.executable, "-m", "ownership", "score", "--model", model, str(FINISHED)]
    gnugo = [str(find_gnugo()), "--quiet", "-l", str(FINISHED), "-o", os.devnull]
    gnugo += ["--score", "aftermath", "--capture-all-dead", "--chinese-rules"]
    for name, command in (("ownership score, a whole process", score), ("GNU Go's score of the same game", gnugo)):
        wall, processor = _process_seconds(command)
        print(f"{name:45} {wall:8.2f} s  ({processor:.2f} s of processor time)")
    return 0


def _process_seconds(command: list[str]) -> tuple[float, float]:
    """Return the median wall and processor times of a process, after one run that fills caches."""
    subprocess.run(command, check=True, capture_output=True)
    walls, processors = [], []
    for _ in range(RUNS):
        before, start = os.times(), time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        after = os.times()
        walls.append(time.perf_counter() - start)
        used = after.children_user - before.children_user + after.children_system - before.children_system
        processors.append(used)
    return median(walls), median(processors)


if __name__ == "__main__":
    exit_with(main)
