"""`ownership evaluate`: how good a model is on games it has not seen."""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from goban.errors import InputError
from ownership.commands.checks import naming
from ownership.commands.filters import add_filter_arguments, game_filter
from ownership.commands.progress import progress_bar
from ownership.evaluation.measure import Measurements, measure, measure_both_sides, measure_positions
from ownership.evaluation.mistakes import Mistake, mistakes
from ownership.evaluation.summary import as_table, side_by_side, summary
from ownership.inference.abilities import require_head
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.inference.files import WEIGHTS, bundled_models
from preprocessing.dataset.filters import GameFilter
from preprocessing.dataset.sampler import Batch, drop_history, evaluation_positions, table_planes
from preprocessing.dataset.table import GameTable, load_games
from preprocessing.features.planes import FeatureSet
from preprocessing.storage import check_writable, replacing

_MISTAKES = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership evaluate`."""
    parser.add_argument("model", metavar="MODEL", help="name of a bundled model, or a model directory")
    parser.add_argument(
        "datasets", metavar="DATASET", nargs="+", help="folder or URL made by `ownership prepare`; several count as one"
    )
    parser.add_argument(
        "--split", default="test", help="games to measure on: train, validation, test or all (default: %(default)s)"
    )
    parser.add_argument(
        "--every", type=int, default=10, metavar="N", help="moves between positions of a game (default: %(default)s)"
    )
    parser.add_argument(
        "--symmetries",
        type=int,
        choices=(1, 8),
        default=1,
        help="symmetries of the board to average predictions over (default: %(default)s)",
    )
    parser.add_argument(
        "--set-up", action="store_true", help="show the model no last moves, as if every position had been set up"
    )
    parser.add_argument(
        "--games", type=int, metavar="N", help="the most games to measure on, always the same ones (default: all)"
    )
    parser.add_argument("--moves", action="store_true", help="measure the policy alone, on games without a target too")
    parser.add_argument(
        "--both-sides",
        action="store_true",
        help="set every position up and average over Black and White to move, as for finished boards",
    )
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="MODEL",
        help="another model to measure on the same games, for one table and one picture; may be given several times",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure as JSON")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="also draw the curves: .png, .svg or .pdf")
    parser.add_argument("--report", type=Path, metavar="FILE", help="also write a page with curves and mistakes: .html")
    add_filter_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures, and write them and their curves where asked; return the exit status."""
    _check(arguments)
    chosen = game_filter(arguments)
    with naming("MODEL"):
        evaluator = Evaluator.load(arguments.model)
    with naming("--beside"):
        others = [Evaluator.load(model) for model in arguments.beside]
    history = _history(evaluator) if arguments.report else []
    table, measured, figures = _figures(evaluator, chosen, arguments)
    games = f"{figures['games']} {arguments.split} games of {', '.join(arguments.datasets)}"
    print(f"{figures['model']} on {games}\n\n{as_table(figures)}")
    beside = [_figures(each, chosen, arguments)[2] for each in others]
    if beside:
        print(f"\n{side_by_side([figures, *beside])}")
    if arguments.json:
        _write(arguments.json, json.dumps({**figures, **({"beside": beside} if beside else {})}, indent=1) + "\n")
    if arguments.picture:
        _draw([figures, *beside], arguments.picture)
    if arguments.report:
        worst = mistakes(evaluator, table, arguments.every, measured, _MISTAKES) if measured.owners else []
        _write(arguments.report, _page(figures, worst, history))
    return 0


def _figures(
    evaluator: Evaluator, chosen: GameFilter, arguments: argparse.Namespace
) -> tuple[GameTable, Measurements, dict[str, Any]]:
    """Return the games that a model is measured on, what was measured, and its summary."""
    table = _games(evaluator, chosen, arguments)
    measured = _measure(evaluator, table, arguments)
    figures = {
        "model": evaluator.name,
        "datasets": arguments.datasets,
        "split": arguments.split,
        "chosen": chosen.describe(),
        "games": len(table),
        "every": arguments.every,
        "symmetries": arguments.symmetries,
        "set_up": arguments.set_up,
        "both_sides_asked": arguments.both_sides,
        **summary(measured, arguments.datasets),
    }
    return table, measured, figures


def _check(arguments: argparse.Namespace) -> None:
    """Raise InputError or OSError for what would be found wrong only after minutes of work."""
    if arguments.games is not None and arguments.games < 1:
        raise InputError(f"--games must be at least 1. Received: {arguments.games}")
    if arguments.every < 1:
        raise InputError(f"--every must be at least 1. Received: {arguments.every}")
    for dataset in arguments.datasets:
        if (Path(dataset) / WEIGHTS).is_file() or (dataset in bundled_models() and not Path(dataset).is_dir()):
            raise InputError(f"{dataset}: expected a dataset. Received: a model; give one model, then datasets")
    if arguments.report and arguments.report.suffix.lower() != ".html":
        raise InputError(f"{arguments.report}: expected a page ending in .html")
    if arguments.picture:
        from viz.figure import check_picture

        check_picture(arguments.picture)
    for path in (arguments.json, arguments.picture, arguments.report):
        if path:
            check_writable(path)


def _games(evaluator: Evaluator, chosen: GameFilter, arguments: argparse.Namespace) -> GameTable:
    """Return the games to measure on: of the model's only side if it has one, labelled ones if it tells owners."""
    if evaluator.files.network.side is not None:
        chosen = replace(chosen, sides=(evaluator.files.network.side,))
    owners = "ownership" in evaluator.heads and not arguments.moves
    if not owners:
        require_head(evaluator.files, "policy", "ownership evaluate without owners")
        if arguments.report:
            raise InputError("--report needs games with owners, and a model that tells them. Received: moves alone")
    split = None if arguments.split == "all" else arguments.split
    return load_games(arguments.datasets, split, chosen, unlabelled=not owners, labelled=owners, most=arguments.games)


def _measure(evaluator: Evaluator, table: GameTable, arguments: argparse.Namespace) -> Measurements:
    games, plies = evaluation_positions(table, arguments.every)
    if arguments.set_up and evaluator.reads_terms:
        raise InputError(f"--set-up needs a model of `ownership train`. Received: {evaluator.name}")
    if arguments.both_sides or evaluator.reads_terms:
        drawn = table_planes(table, games, plies, FeatureSet("none", ()), batch_size=MAX_BATCH)
        by_positions = measure_both_sides if arguments.both_sides else measure_positions
        return by_positions(evaluator, table, _progress(drawn, len(games)), arguments.symmetries)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=MAX_BATCH)
    if arguments.set_up:
        batches = (drop_history(batch, evaluator.feature_set) for batch in batches)
    return measure(evaluator, table, _progress(batches, len(games)), arguments.symmetries)


def _progress(batches: Iterator[Batch], positions: int) -> Iterable[Batch]:
    shown: Iterable[Batch] = progress_bar(batches, unit="batch", total=-(-positions // MAX_BATCH))
    return shown


def _history(evaluator: Evaluator) -> list[dict[str, float]]:
    """Return the records of the model's training, [] for bundled models, which come without; raise InputError."""
    path = evaluator.files.weights.with_name("history.json")
    if not path.is_file():
        return []
    try:
        history = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        history = None
    if not isinstance(history, list) or not all(_is_record(record) for record in history):
        raise InputError(
            f"{path}: expected the history that `ownership train` writes. Received: other content; remove the file"
        )
    return history


def _is_record(record: object) -> bool:
    numbers = isinstance(record, dict) and all(isinstance(value, int | float) for value in record.values())
    return isinstance(record, dict) and numbers and "samples" in record


def _page(figures: Mapping[str, Any], worst: Sequence[Mistake], history: Sequence[Mapping[str, float]]) -> str:
    from ownership.report.model_page import model_page

    return model_page(figures, worst, history)


def _write(path: Path, text: str) -> None:
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def _draw(models: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the accuracy of all models, or their moves where one has no ownership, and the calibration of the first."""
    from viz.curves import draw_accuracy, draw_calibration, draw_top
    from viz.figure import new_row, save

    left, right = new_row(2)
    if all("accuracy" in each for each in models):
        tally = "calibration"
        draw_accuracy(dict(map(_accuracy_curve, models)), ax=left)
    else:
        tally = "move_calibration"
        draw_top({f"{each['model']}: {each['top_1']:.1%}": each["top"] for each in models if "top" in each}, ax=left)
    rows = models[0][tally]
    columns = ([row[key] for row in rows] for key in ("predicted", "observed", "points"))
    draw_calibration(*columns, ax=right)
    with replacing(path) as partial:
        save(left, partial)


def _accuracy_curve(figures: Mapping[str, Any]) -> tuple[str, tuple[list[float], list[float]]]:
    """Return the label of a model and its accuracy by move number, as far as one game in ten is that long."""
    moves = [row for row in figures["by_move"] if row["positions"] >= figures["games"] / 10 and "accuracy" in row]
    label = f"{figures['model']}: {figures['accuracy']:.1%}, Brier {figures['brier']:.3f}"
    return label, ([row["move"] for row in moves], [row["accuracy"] for row in moves])
