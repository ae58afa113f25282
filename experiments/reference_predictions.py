"""python -m experiments.reference_predictions RECORDS PREDICTIONS DATASET MODEL... [--alone MODEL...]

Models beside another program, whose predictions lie in a file, on the same positions. This is behind the table "Beside
KataGo" in docs/lab/models.md and README.md, and behind the pictures docs/pictures/frontier.png and ablations.png.

PREDICTIONS is a Parquet file with one row a position: `game` (the GN of its record in RECORDS), `ply` (moves played)
and `ownership_percent` (int8, N*N values, top row first, 100 for Black's, -100 for White's). The targets are those of
DATASET, in which games of RECORDS that were rejected are missing: these positions are left out. Models are measured
without and with averaging over the 8 symmetries, those after `--alone` without; positions a second are those of
`benchmarks.bench_evaluator`, 64 at a time, and for the predictions those of `--speed`.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with
from benchmarks.games import last_positions
from benchmarks.timing import speed
from ownership.evaluation.measure import Measurements, joined, measure, measure_batch
from ownership.evaluation.summary import summary
from ownership.inference.evaluator import Evaluator
from preprocessing.dataset.sampler import Batch, table_planes
from preprocessing.dataset.table import GameTable, load_games
from preprocessing.features.sets import parse_feature_set
from preprocessing.records.game import GameRecord

_SPELLED = {"accuracy": "accuracy", "brier": "Brier score"}
_MOVES = (50, 100, 150, 200, 250, 300)


def main() -> int:
    """Print a line for the other program and one or two for each model."""
    parser = argparse.ArgumentParser(prog="python -m experiments.reference_predictions", description=main.__doc__)
    parser.add_argument("records")
    parser.add_argument("predictions")
    parser.add_argument("dataset")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--alone", nargs="+", default=[], metavar="MODEL", help="more, not averaged over symmetries")
    parser.add_argument("--name", default="the predictions", help="what to call the program that made them")
    parser.add_argument("--speed", type=float, metavar="N", help="positions a second of the program that made them")
    parser.add_argument("--picture", metavar="FILE", help="draw accuracy and Brier score against speed")
    arguments = parser.parse_args()
    table = load_games(arguments.dataset)
    games, plies, ownership = _positions(arguments.records, arguments.predictions, table)
    print(f"{len(np.unique(games))} games, {len(games)} positions")
    moves = "  ".join(f"{move:>5}" for move in _MOVES)
    print(f"{'':32}accuracy   Brier  calibration  last tenth  positions/s   accuracy at move {moves}")
    rows = {arguments.name: (arguments.speed, summary(_reference(table, games, plies, ownership)))}
    _print_row(arguments.name, *rows[arguments.name])
    for model in (*arguments.models, *arguments.alone):
        evaluator = Evaluator.load(model, cached=0)
        for symmetries in (1, 8) if model in arguments.models else (1,):
            batches = table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=64)
            name = f"{Path(model).name}{', 8 symmetries' if symmetries == 8 else ''}"
            rows[name] = _speed(evaluator, symmetries), summary(measure(evaluator, table, batches, symmetries))
            _print_row(name, *rows[name])
    if arguments.picture:
        _draw(rows, arguments.picture)
    return 0


def _positions(
    records: str, predictions: str, table: GameTable
) -> tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.float32]]:
    """Return table rows int32 (P,), plies int16 (P,) and Black's ownership float32 (P, N*N), in -1..1."""
    import pandas as pd

    from preprocessing.records.sources import read_games

    ids = {game.name: game.id for game in read_games([records]) if isinstance(game, GameRecord)}
    rows = {name: row for row, name in enumerate(table.ids)}
    frame = pd.read_parquet(predictions)
    games = np.array([rows.get(ids.get(name, ""), -1) for name in frame["game"]], np.int32)
    known = games >= 0
    ownership = np.stack(frame["ownership_percent"][known].to_list()) * np.float32(0.01)
    return games[known], frame["ply"][known].to_numpy().astype(np.int16), ownership


def _reference(
    table: GameTable, games: NDArray[np.int32], plies: NDArray[np.int16], ownership: NDArray[np.float32]
) -> Measurements:
    def measured() -> Iterator[Measurements]:
        start = 0
        for batch in table_planes(table, games, plies, parse_feature_set("classic8")):
            part = ownership[start : start + len(batch.ply)].reshape(batch.target.shape)
            start += len(batch.ply)
            to_move = _side_to_move(table, batch)[:, None, None]
            probability = (1 + part * to_move) / 2
            yield measure_batch(table, batch, {"ownership": probability.astype(np.float32)})

    return joined(list(measured()))


def _side_to_move(table: GameTable, batch: Batch) -> NDArray[np.float32]:
    """Return +1 or -1 (B,): what turns the target, seen by the side to move, into Black's."""
    black = np.stack([table.target[table.target_offset[g] : table.target_offset[g + 1]] for g in batch.game])
    sign: NDArray[np.float32] = np.sign((black * batch.target.reshape(black.shape)).sum(axis=1)).astype(np.float32)
    return sign


def _speed(evaluator: Evaluator, symmetries: int) -> float:
    """Return positions a second, planes and network, the best of some rounds."""
    positions = last_positions()
    return max(speed(lambda: evaluator.evaluate(positions, symmetries), len(positions)) for _ in range(3))


def _draw(rows: Mapping[str, tuple[float | None, Mapping[str, Any]]], path: str) -> None:
    from viz.figure import new_row, save

    axes = new_row(2)
    for ax, quality in zip(axes, ("accuracy", "brier"), strict=True):
        values = {name: (rate, figures[quality]) for name, (rate, figures) in rows.items() if rate}
        _draw_by_speed(ax, values, _SPELLED[quality], percent=quality == "accuracy")
    save(axes[0], path)


def _draw_by_speed(axes: Any, models: Mapping[str, tuple[float, float]], quality: str, percent: bool) -> None:
    """Draw the quality of models, by label with (positions a second, value), by their speed."""
    from matplotlib.ticker import LogLocator, NullFormatter, PercentFormatter, StrMethodFormatter

    from viz.curves import tidy
    from viz.palette import CURVES

    for number, (label, (rate, value)) in enumerate(models.items()):
        colour = CURVES[number % len(CURVES)]
        axes.scatter([rate], [value], s=60, color=colour, edgecolor="white", zorder=3)
        axes.annotate(label, (rate, value), xytext=(6, 6), textcoords="offset points", color=colour)
    axes.set(xlabel="positions a second", ylabel=quality, title=f"{quality.capitalize()} and speed", xscale="log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.margins(0.25)
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1))
    tidy(axes)


def _print_row(name: str, rate: float | None, figures: Mapping[str, Any]) -> None:
    at = {row["move"]: row["accuracy"] for row in figures["by_move"]}
    moves = "  ".join(f"{at[move]:5.1%}" if move in at else "    -" for move in _MOVES)
    last = figures["by_tenth"][-1]["accuracy"]
    print(
        f"{name:32}{figures['accuracy']:8.2%}  {figures['brier']:.4f}  {figures['calibration_error']:11.4f}"
        f"  {last:10.2%}  {f'{rate:,.0f}' if rate else '-':>11}   {'':16} {moves}",
        flush=True,
    )


if __name__ == "__main__":
    exit_with(main)
