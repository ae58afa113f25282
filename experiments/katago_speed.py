"""python -m experiments.katago_speed KATAGO NETWORK MODEL... [--threads N] [--positions N] [--rounds N]

Models that `ownership import` made of a network, compared with KataGo with that network: positions a second on 19x19,
from a position to the answer. This is behind docs/measured.md, "Networks of KataGo".

KATAGO is its program, run as an analysis engine with one visit; NETWORK the file, MODEL a directory. All answer the
same positions of a game in turns. On a machine that does other things as well, wall time is no measure: the last
columns divide by the processor time that each spends.
"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import psutil

from benchmarks.command import exit_with, parser_of
from benchmarks.games import FINISHED, read
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.teaching.program_teacher import AnalysisEngine
from ownership.teaching.teacher_positions import PositionChoice, questions

_SETTINGS: Final = """
logToStderr = false
logAllRequests = false
logSearchInfo = false
maxVisits = 1
nnCacheSizePowerOfTwo = -1
nnMaxBatchSize = 16
numSearchThreadsPerAnalysisThread = 1
numAnalysisThreads = {threads}
numEigenThreadsPerModel = {threads}
"""


def main() -> int:
    """Print a line for KataGo and one for each model."""
    parser = parser_of("experiments.katago_speed", __doc__)
    parser.add_argument("katago")
    parser.add_argument("network", type=Path)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), metavar="N", help="(default: %(default)s)")
    parser.add_argument("--positions", type=int, default=64, metavar="N", help="a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="(default: %(default)s)")
    arguments = parser.parse_args()
    record = read([FINISHED], 1)[0]
    every = max(1, len(record.move_points) // arguments.positions)
    asked = questions(record, PositionChoice(every, 0, None, 0))[: arguments.positions]
    positions = [question.position for question in asked]
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "analysis.cfg"
        settings.write_text(_SETTINGS.format(threads=arguments.threads))
        command = [arguments.katago, "analysis", "-model", str(arguments.network), "-config", str(settings)]
        with AnalysisEngine(command) as engine:
            calls: dict[str, Callable[[], object]] = {"KataGo": lambda: engine.ask(asked)}
            for model in arguments.models:
                evaluator = Evaluator.load(model, threads=arguments.threads, cached=0)
                calls[model] = (
                    lambda evaluator=evaluator: [  # type: ignore[misc]
                        evaluator.evaluate(positions[start : start + MAX_BATCH])
                        for start in range(0, len(positions), MAX_BATCH)
                    ]
                )
            _print(calls, len(positions), arguments.rounds)
    return 0


def _print(calls: dict[str, Callable[[], object]], positions: int, rounds: int) -> None:
    for call in calls.values():
        call()  # loads and compiles
    taken = {name: [_seconds(call)] for name, call in calls.items()}
    for _ in range(rounds - 1):
        for name, call in calls.items():
            taken[name].append(_seconds(call))
    print(f"{'positions a second':40} {'wall time':>9} {'processor time':>14} {'ratio':>6}")
    rates = {Path(name).name: _rates(seconds, positions) for name, seconds in taken.items()}
    for name, (wall, processor) in rates.items():
        print(f"{name:40} {wall:>9.1f} {processor:>14.1f} {processor / rates['KataGo'][1]:>6.2f}")


def _seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Return the wall time and the processor time of a call, its own and that of the programs that it calls."""
    wall, processor = time.perf_counter(), _processor_time()
    call()
    return time.perf_counter() - wall, _processor_time() - processor


def _processor_time() -> float:
    programs = psutil.Process().children(recursive=True)
    times = [program.cpu_times() for program in programs]
    return time.process_time() + float(sum(each.user + each.system for each in times))


def _rates(seconds: Sequence[tuple[float, float]], positions: int) -> tuple[float, float]:
    """Return positions a second of wall time, in the best round, and of processor time, in all of them."""
    return positions / min(wall for wall, _ in seconds), positions * len(seconds) / sum(used for _, used in seconds)


if __name__ == "__main__":
    exit_with(main)
