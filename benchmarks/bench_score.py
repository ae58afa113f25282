"""Cold start of `ownership score` beside GNU Go on the same game.

Run with `python -m benchmarks score`, or `python -m benchmarks.bench_score [MODEL]` for a model of one's own.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from preprocessing.labels.gnugo import find_gnugo

GAME = Path(__file__).parent.parent / "examples" / "finished-19x19.sgf"
RUNS = 5


def main(arguments: list[str]) -> int:
    """Print every measurement on a line of its own; return 0."""
    model = arguments[0] if arguments else "default"
    score = [sys.executable, "-m", "ownership", "score", "--model", model, str(GAME)]
    gnugo = [str(find_gnugo()), "--quiet", "-l", str(GAME), "-o", os.devnull]
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
    sys.exit(main(sys.argv[1:]))
