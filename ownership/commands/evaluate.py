"""`ownership evaluate`: how good a model is on games it has not seen."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.errors import InputError
from ownership.commands.filters import add_filter_arguments, game_filter

if TYPE_CHECKING:
    from ownership.evaluation.measure import Measurements
    from ownership.evaluation.mistakes import Mistake
    from ownership.inference.evaluator import Evaluator
    from preprocessing.dataset.table import GameTable

_MISTAKES = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership evaluate`."""
    parser.add_argument("model", metavar="MODEL", help="name of a bundled model, or a model directory")
    parser.add_argument(
        "datasets", metavar="DATASET", nargs="+", help="folder or URL made by `ownership prepare`; several count as one"
    )
    parser.add_argument("--split", default="test", help="train, validation, test or all (default: %(default)s)")
    parser.add_argument(
        "--every", type=int, default=10, metavar="N", help="plies between positions (default: %(default)s)"
    )
    parser.add_argument(
        "--symmetries", type=int, choices=(1, 8), default=1, help="8 averages over the board's symmetries (default: 1)"
    )
    parser.add_argument(
        "--set-up", action="store_true", help="show the model no last moves, as if every position had been set up"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure as JSON")
    parser.add_argument("--picture", metavar="FILE", help="also draw the curves: .png, .svg or .pdf")
    parser.add_argument("--report", type=Path, metavar="FILE", help="also write a page with curves and mistakes: .html")
    add_filter_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print the figures, and write them and their curves where asked."""
    from ownership.evaluation.measure import as_table, report
    from ownership.evaluation.mistakes import mistakes
    from ownership.inference.evaluator import Evaluator
    from preprocessing.dataset.table import load_games

    if args.every < 1:
        raise InputError(f"--every must be at least 1. Received: {args.every}")
    if args.report and args.report.suffix.lower() != ".html":
        raise InputError(f"{args.report}: expected a page ending in .html")
    chosen = game_filter(args)
    split = None if args.split == "all" else args.split
    evaluator, table = Evaluator.load(args.model), load_games(args.datasets, split, chosen)
    if args.picture:
        from viz.figure import check_picture

        check_picture(args.picture)
    measured = _measure(evaluator, table, args)
    figures = {
        "model": evaluator.name,
        "datasets": args.datasets,
        "split": args.split,
        "chosen": chosen.describe(),
        "games": len(table),
        "every": args.every,
        "symmetries": args.symmetries,
        "set_up": args.set_up,
        **report(measured),
    }
    games = f"{figures['games']} {args.split} games of {', '.join(args.datasets)}"
    print(f"{figures['model']} on {games}\n\n{as_table(figures)}")
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if args.picture:
        _draw(figures, args.picture)
    if args.report:
        _write_page(args.report, evaluator, figures, mistakes(evaluator, table, args.every, measured, _MISTAKES))
    return 0


def _write_page(path: Path, evaluator: "Evaluator", figures: dict[str, Any], worst: "list[Mistake]") -> None:
    from ownership.report.model_page import model_page

    path.write_text(model_page(figures, worst, _history(evaluator)), encoding="utf-8")


def _history(evaluator: "Evaluator") -> list[dict[str, float]]:
    """Return the records of the model's training, which bundled models come without."""
    path = evaluator.files.weights.with_name("history.json")
    if not path.is_file():
        return []
    history: list[dict[str, float]] = json.loads(path.read_text(encoding="utf-8"))
    return history


def _measure(evaluator: "Evaluator", table: "GameTable", args: argparse.Namespace) -> "Measurements":
    from tqdm import tqdm

    from ownership.evaluation.measure import measure
    from ownership.inference.evaluator import MAX_BATCH
    from preprocessing.dataset.sampler import evaluation_positions, forget_moves, table_planes

    games, plies = evaluation_positions(table, args.every)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=MAX_BATCH)
    if args.set_up:
        batches = (forget_moves(batch, evaluator.feature_set) for batch in batches)
    total = -(-len(games) // MAX_BATCH)
    shown = tqdm(batches, total=total, unit="batch", disable=not sys.stderr.isatty())
    return measure(evaluator, table, shown, args.symmetries)


def _draw(figures: dict[str, Any], path: str) -> None:
    from viz.curves import draw_accuracy, draw_calibration
    from viz.figure import new_row, save

    left, right = new_row(2)
    moves = [row for row in figures["by_move"] if row["positions"] >= figures["games"] / 10]
    name = f"{figures['model']}: {figures['accuracy']:.1%}, Brier {figures['brier']:.3f}"
    draw_accuracy({name: ([row["move"] for row in moves], [row["accuracy"] for row in moves])}, ax=left)
    rows = figures["calibration"]
    columns = ([row[key] for row in rows] for key in ("predicted", "observed", "points"))
    draw_calibration(*columns, ax=right)
    save(left, path)
