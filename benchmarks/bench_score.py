"""Cold start of `ownership score` beside GNU Go on the same game, and positions/s of the evaluator.

Run with `python -m benchmarks score`, or `python -m benchmarks.bench_score [MODEL]` for a model of one's own.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from ownership.evaluator import Evaluator
from preprocessing.gnugo import find_gnugo
from preprocessing.record import Game
from preprocessing.sources import read_games

GAME = Path(__file__).parent.parent / "examples" / "finished-19x19.sgf"
RUNS = 5
SECONDS = 2.0


def main(arguments: list[str]) -> int:
    """Print every measurement on a line of its own; return 0."""
    model = arguments[0] if arguments else "default"
    score = [sys.executable, "-m", "ownership", "score", "--model", model, str(GAME)]
    gnugo = [str(find_gnugo()), "--quiet", "-l", str(GAME), "-o", os.devnull]
    gnugo += ["--score", "aftermath", "--capture-all-dead", "--chinese-rules"]
    for name, command in (("ownership score, a whole process", score), ("GNU Go's score of the same game", gnugo)):
        wall, processor = _process_seconds(command)
        print(f"{name:45} {wall:8.2f} s  ({processor:.2f} s of processor time)")
    evaluator = Evaluator.load(model)
    game = next(iter(read_games([GAME])))
    assert isinstance(game, Game)
    positions = list(game.positions())[-64:]
    for batch in (1, 8, 64):
        chosen = positions[-batch:]
        rate = batch * _calls_a_second(lambda chosen=chosen: evaluator.ownership(chosen))  # type: ignore[misc]
        print(f"{f'planes and network, batches of {batch}':45} {rate:8.0f} positions/s")
    rate = _calls_a_second(lambda: evaluator.ownership(positions[-1:], symmetries=8))
    print(f"{'one position, 8 symmetries averaged':45} {rate:8.0f} positions/s")
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


def _calls_a_second(call: Callable[[], object]) -> float:
    call()
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        call()
        calls += 1
    return calls / (time.perf_counter() - start)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
