"""python -m experiments.ablations OUTPUT --train DATASET... --test DATASET... --resigned DATASET [--minutes 2]

Networks that differ in one part: trainings that take the same time, one after the other, on the same games. This is
behind the table in docs/lab/models.md, "Networks that differ in one part".

Every line of the table differs from the first in the part that its name gives. OUTPUT keeps the trainings, in folders
with the number of the line as their name, and the same command resumes them; run nothing else on the machine. All games
of the `--test` datasets are test games in every split. Positions a second are those of `benchmarks.bench_evaluator`,
64 at a time, planes included.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import exit_with
from benchmarks.games import last_positions
from benchmarks.timing import speed
from ownership.evaluation.measure import measure
from ownership.evaluation.summary import summary
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from preprocessing.dataset.sampler import evaluation_positions, table_planes
from preprocessing.dataset.table import GameTable, load_games

_EVERY = 20
_LADDERS = "-own_ladder-other_ladder-ladder_capture-ladder_escape"
_RECENT = "".join(f"-recent_{number}" for number in range(1, 6))
_CLASSIC = (
    "--architecture classic5 --features tactical --heads ownership,policy,score --loss cross_entropy "
    "--learning-rate 1e-3"
)

NETWORKS = {
    "5 blocks, 64 filters, `tactical`": "",
    "planes `standard`": "--features standard",
    "planes `classic8`": "--features classic8",
    "without the last moves": f"--features tactical{_RECENT}",
    "without ladders": f"--features tactical{_LADDERS}",
    "`classic5`": _CLASSIC,
    "no board pooling": "--no-board-pooling",
    "chain pooling max": "--chain-pooling max",
    "chain pooling max and mean": "--chain-pooling max_mean",
    "moves of resigned games, too": "RESIGNED",
    "3 blocks, 32 filters": "--blocks 3 --filters 32",
    "5 blocks, 96 filters": "--filters 96",
}

HEAD = (
    "| | network | samples | accuracy | Brier | last tenth | next move | positions/s |\n"
    "|---|---|---|---|---|---|---|---|"
)


def main() -> int:
    """Train what is not there yet, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments.ablations", description=main.__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--train", nargs="+", required=True, metavar="DATASET")
    parser.add_argument("--test", nargs="+", required=True, metavar="DATASET")
    parser.add_argument("--resigned", nargs="+", default=[], metavar="DATASET", help="for the line about their moves")
    parser.add_argument("--minutes", type=float, default=2, help="for each training (%(default)s)")
    arguments = parser.parse_args()
    for dataset in [*arguments.train, *arguments.test, *arguments.resigned]:
        if not Path(dataset).is_dir():
            parser.exit(2, f"{dataset}: expected a dataset of `ownership prepare`. Received: no such folder\n")
    for number, options in enumerate(NETWORKS.values(), 1):
        datasets = [*arguments.train, *(arguments.resigned if options == "RESIGNED" else [])]
        _train(datasets, options.removeprefix("RESIGNED"), arguments.minutes, arguments.output / f"{number}")
    table = load_games(arguments.test)
    print(HEAD)
    for number, name in enumerate(NETWORKS, 1):
        print(f"| {number} | {name} | {_figures(arguments.output / f'{number}', table)} |", flush=True)
    print(f"| | the first, averaged over 8 symmetries | {_figures(arguments.output / '1', table, 8)} |")
    return 0


def _train(datasets: Sequence[str], options: str, minutes: float, output: Path) -> None:
    if (output / "model.tflite").exists():
        return
    budget = ["--minutes", f"{minutes:g}", "--output", str(output)]
    command = [sys.executable, "-m", "ownership", "train", *datasets, *options.split(), *budget]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def _figures(folder: Path, table: GameTable, symmetries: int = 1) -> str:
    evaluator = Evaluator.load(folder, cached=0)
    games, plies = evaluation_positions(table, _EVERY)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=MAX_BATCH)
    figures = summary(measure(evaluator, table, batches, symmetries))
    positions = last_positions()
    rate = max(speed(lambda: evaluator.evaluate(positions, symmetries), len(positions)) for _ in range(3))
    samples = json.loads((folder / "history.json").read_text())[-1]["samples"]
    moves = f"{figures['top_1']:.1%}" if "top_1" in figures else "-"
    return (
        f"{samples:,} | {figures['accuracy']:.2%} | {figures['brier']:.4f} "
        f"| {figures['by_tenth'][-1]['accuracy']:.2%} | {moves} | {rate:,.0f}"
    )


if __name__ == "__main__":
    exit_with(main)
