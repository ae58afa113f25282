"""Measure models on games that they were not trained on.

Examples:
    ownership evaluate default data/games
    ownership evaluate default fast runs/mine data/games --every 5 --table models.csv --picture curves.png
    ownership evaluate default runs/mine --benchmark

See docs/models.md.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.evaluation_positions import EVERY, Positions, evaluation_positions, further_ends, late_positions
from game_datasets.game_filter import GameFilter
from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from game_datasets.position_overlap import keys_at, learned_keys, occur
from game_datasets.rows import SPLITS
from game_datasets.shards import record_sources
from goban.errors import InputError, cut, naming, plural, suggestion
from ownership.commands.shared.benchmark_figures import AGREED, NAME, benchmark_figures
from ownership.commands.shared.filter_arguments import add_filter_arguments, game_filter
from ownership.commands.shared.held_out_games import warn_of_training_games, watched
from ownership.commands.shared.model_arguments import symmetries_argument
from ownership.commands.shared.output_files import InputFiles, dataset_paths, report_file
from ownership.commands.shared.progress import progress_bar
from ownership.commands.shared.run_arguments import cluster_argument
from ownership.evaluation.evaluation_tables import (
    all_figures,
    detail_table,
    note_on_few,
    notes,
)
from ownership.evaluation.measure import Measurements
from ownership.evaluation.measure_by_workers import Measuring
from ownership.evaluation.model_comparison import check_table, comparison, comparison_file
from ownership.evaluation.training_seeds import by_training, note_on_one_seed, with_groups
from ownership.evaluation.worst_positions import worst_positions
from ownership.inference.evaluator import Evaluator
from ownership.inference.learned_games import LEARNED
from ownership.inference.model_catalogue import distinct_names, find_model, named_models, place_of
from ownership.inference.model_files import DESCRIPTION, WEIGHTS, ModelFiles
from runtime.command_line import Argument, declare
from runtime.safe_writing import replacing
from runtime.workers import Workers, chosen_workers

_MISTAKES = 12
_HISTORY = "history.json"
_NAMES_HELP = "models by name or directory, then folders or URLs made by `ownership prepare`, which are joined"
_EVERY_HELP = "moves between positions of a game; an odd number has both colours to move"
_UNSEEN_HELP = (
    "leave out positions that occur in the split train of this dataset, or in this soft dataset, perhaps turned or "
    "mirrored; may be given several times"
)
_BOTH_SIDES_HELP = "set every position up and average over Black and White to move, as for finished boards"
_BENCHMARK_HELP = "measure on the games of the benchmark, which come with the project, instead of datasets"
_DETAILS_HELP = "also print the figures by move number, tenth of the game, side, rank and dataset, and the calibration"
_MOVES_PICTURE_HELP = (
    "also draw some positions, each with the move that was played and with the policy: .png, .svg or .pdf"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership evaluate`."""
    declare(
        parser,
        Argument("names MODEL... DATASET", str, _NAMES_HELP, count="+"),
        Argument("--benchmark", bool, _BENCHMARK_HELP),
        Argument("--split SPLIT", str, "games to measure on: train, validation, test or all", "test"),
        Argument("--every N", int, _EVERY_HELP, EVERY, least=1),
        Argument("--late", bool, "measure in the last tenth of each game alone"),
        Argument("--unseen DATASET", str, _UNSEEN_HELP, repeated=True),
        symmetries_argument(default=1),
        Argument("--set-up", bool, "show the model no last moves, as if every position had been set up"),
        Argument(
            "--games N", int, "the most games to measure on, always the same ones", None, least=1, otherwise="all"
        ),
        Argument("--moves", bool, "measure the policy alone, on games without a target too"),
        Argument("--both-sides", bool, _BOTH_SIDES_HELP),
        Argument("--details", bool, _DETAILS_HELP),
        Argument("--json FILE", Path, "also write every figure as JSON, details included"),
        Argument("--table FILE", Path, "also write a table of the models: .csv, or .tex for LaTeX"),
        Argument("--picture FILE", Path, "also draw the curves: .png, .svg or .pdf"),
        Argument("--moves-picture FILE", Path, _MOVES_PICTURE_HELP),
        Argument("--report FILE", Path, "also write a page with curves and mistakes: .html"),
        cluster_argument("measure"),
    )
    add_filter_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the files of the options, print the figures, and return the exit status."""
    models, arguments.datasets = _models_and_datasets(arguments.names, arguments.benchmark)
    _check(arguments, models)
    chosen = game_filter(arguments)
    evaluators = [Evaluator.load(model) for model in models]
    history = _history(evaluators[0]) if arguments.report else []
    sides = _sides(evaluators)
    with chosen_workers(arguments.cluster, nullcontext()) as cluster:
        measured = _measured(evaluators, sides, chosen, arguments, cluster)
    figures = _with_trainings(evaluators, measured, arguments.split)
    if arguments.json:
        _write(arguments.json, json.dumps(figures if len(figures) > 1 else figures[0], indent=1) + "\n")
    if arguments.table:
        _write(arguments.table, comparison_file(figures, arguments.table))
    if arguments.picture:
        from ownership.commands.shared.accuracy_pictures import draw_curves

        draw_curves(figures[: len(models)], arguments.picture)
    if arguments.moves_picture:
        from ownership.commands.shared.predicted_move_pictures import draw_moves

        draw_moves(evaluators[0], measured[0].table, arguments.datasets, arguments.moves_picture)
    if arguments.report:
        _write_report(evaluators[0], measured[0], history, arguments)
    _print_figures(figures, sides, arguments)
    return 0


class _Measured(NamedTuple):
    """A model's games, the measurements on them, and their figures."""

    table: GameTable
    measurements: Measurements
    figures: dict[str, Any]


def _measured(
    evaluators: Sequence[Evaluator],
    sides: Sequence[int | None],
    chosen: GameFilter,
    arguments: argparse.Namespace,
    cluster: Workers | None,
) -> list[_Measured]:
    """Return the measurements of each model on the games of its board side, on all games if that is None."""
    names = distinct_names([evaluator.files for evaluator in evaluators])
    owners = not arguments.moves and any("ownership" in evaluator.heads for evaluator in evaluators)
    seen = learned_keys(arguments.unseen) if arguments.unseen else None
    tables = {side: _games(side, chosen, arguments, owners) for side in dict.fromkeys(sides)}
    if arguments.split != "train":
        for evaluator, side in zip(evaluators, sides, strict=True):
            warn_of_training_games(evaluator.files, tables[side])
    positions = {side: _positions(table, seen, arguments) for side, table in tables.items()}
    return [
        _Measured(tables[side], *_figures(evaluator, name, tables[side], positions[side], chosen, arguments, cluster))
        for evaluator, name, side in zip(evaluators, names, sides, strict=True)
    ]


def _with_trainings(evaluators: Sequence[Evaluator], measured: Sequence[_Measured], split: str) -> list[dict[str, Any]]:
    """Return the figures of the models, then of their trainings with several seeds; print warnings on stderr."""
    figures = [model.figures for model in measured]
    _warn_of_few(figures, split)
    names = [model["model"] for model in figures]
    files = [evaluator.files for evaluator in evaluators]
    trainings = by_training(files, [model.measurements for model in measured], names)
    if note := note_on_one_seed(trainings):
        print(f"ownership: warning: {note}", file=sys.stderr)
    return with_groups(trainings, figures)


def _write_report(
    evaluator: Evaluator, measured: _Measured, history: Sequence[Mapping[str, float]], arguments: argparse.Namespace
) -> None:
    from ownership.report.model_page import model_page

    worst = worst_positions(evaluator, measured.table, measured.measurements, _MISTAKES)
    sources = record_sources(arguments.datasets, [mistake.game for mistake in worst])
    named = [replace(mistake, game=sources[mistake.game]) for mistake in worst]
    _write(arguments.report, model_page(measured.figures, named, history))


def _sides(evaluators: Sequence[Evaluator]) -> list[int | None]:
    """Return the board side to measure each model on, None for all: models are compared on the same games."""
    own = [evaluator.files.network.side for evaluator in evaluators]
    bound = set(own) - {None}
    return own if len(bound) > 1 else [next(iter(bound), None)] * len(own)


def _warn_of_few(figures: Sequence[Mapping[str, Any]], split: str) -> None:
    for note in dict.fromkeys(note_on_few(each["games"], split) for each in figures):
        if note:
            print(f"ownership: warning: {note}", file=sys.stderr)


def _print_figures(
    figures: Sequence[dict[str, Any]], sides: Sequence[int | None], arguments: argparse.Namespace
) -> None:
    for each, side in zip(figures, sides, strict=False):
        split = "" if arguments.split == "all" else f"{arguments.split} "
        board = f" on {side}x{side}" if side else ""
        games = f"{plural(each['games'], f'{split}game')}{board} of {', '.join(each['datasets'])}"
        print(f"{each['model']} on {games}")
    print(f"\n{comparison(figures)}")
    for each in figures[: len(sides)]:
        for note in notes(each):
            print(f"\n{each['model']}: {note}")
    if arguments.details:
        for each in figures[: len(sides)]:
            print(f"\n{each['model']}\n{detail_table(each)}")


def _models_and_datasets(names: Sequence[str], benchmark: bool) -> tuple[list[str], list[str]]:
    """Return the models, which come first, and the datasets after them, or that of the benchmark."""
    models = list(takewhile(_is_model, names)) or [names[0]]
    datasets = list(names[len(models) :])
    for model in models:
        with naming("MODEL"):
            find_model(model)
    if benchmark and datasets:
        near = suggestion(datasets[0], named_models())
        raise InputError(f"expected models alone with --benchmark. Received: {', '.join(datasets)}{near}")
    if benchmark:
        return models, [str(AGREED)]
    if not datasets:
        raise InputError(f"expected datasets after the models {', '.join(models)}. Received: none")
    for dataset in datasets:
        if _is_model(dataset):
            raise InputError(f"{dataset}: expected a dataset. Received: a model; give all models first, then datasets")
        if "://" not in dataset and not Path(dataset).is_dir():
            near = suggestion(dataset, named_models())
            raise InputError(f"{dataset}: expected a model or a dataset. Received: no such folder{near}")
    return models, datasets


def _is_model(name: str) -> bool:
    return (Path(name) / WEIGHTS).is_file() or (name in named_models() and not Path(name).is_dir())


def _positions(
    table: GameTable, seen: NDArray[np.uint64] | None, arguments: argparse.Namespace
) -> tuple[Positions, Positions]:
    """Return the positions to measure, and last positions, without the positions that occur among `seen`."""
    every = evaluation_positions(table, arguments.every), further_ends(table, arguments.every)
    if arguments.late:
        every = late_positions(table, every[0]), every[1]
        if not len(every[0].games):
            raise InputError(f"--late leaves no position at --every {arguments.every}: give a smaller number")
    if seen is None:
        return every
    positions, further = (each.where(~occur(keys_at(table, *each), seen)) for each in every)
    left_out, places = len(every[0].games) - len(positions.games), ", ".join(arguments.unseen)
    print(f"{left_out:,} of {plural(len(every[0].games), 'position')} left out: they occur in {places}")
    if not len(positions.games):
        raise InputError(f"--unseen leaves no position: all occur in {places}")
    return positions, further


def _figures(
    evaluator: Evaluator,
    name: str,
    table: GameTable,
    positions: tuple[Positions, Positions],
    chosen: GameFilter,
    arguments: argparse.Namespace,
    cluster: Workers | None,
) -> tuple[Measurements, dict[str, Any]]:
    """Return the measurements of a model in positions of games, and its figures, with figures of last positions."""
    inner, further = positions
    measured = _measure(evaluator, table, inner, arguments, cluster)
    if arguments.moves:
        measured = replace(measured, owners=None)
    ends = _measure(evaluator, table, further, arguments, cluster) if measured.owners and len(further.games) else None
    datasets = [NAME] if arguments.benchmark else arguments.datasets
    figures = {
        "model": name,
        "path": place_of(evaluator.files),
        "datasets": datasets,
        "split": arguments.split,
        "chosen": chosen.describe(),
        "games": len(np.unique(measured.record)),
        "every": arguments.every,
        "late": arguments.late,
        "unseen": arguments.unseen,
        "symmetries": arguments.symmetries,
        "set_up": arguments.set_up,
        "sides_averaged": arguments.both_sides,
        **all_figures(measured, datasets, ends),
        **(benchmark_figures(evaluator, table, arguments.symmetries) if arguments.benchmark else {}),
    }
    return measured, figures


def _check(arguments: argparse.Namespace, models: Sequence[str]) -> None:
    """Raise InputError or OSError for mistakes that would show only after minutes of work."""
    if arguments.split not in (*SPLITS, "all"):
        raise InputError(f"--split must be one of {', '.join(SPLITS)}, all. Received: {cut(arguments.split)}")
    for option in ("report", "moves_picture"):
        if getattr(arguments, option) and len(models) > 1:
            raise InputError(f"--{option.replace('_', '-')} is about one model. Received: {', '.join(models)}")
    for option in ("report", "both_sides", "benchmark"):
        if getattr(arguments, option) and arguments.moves:
            raise InputError(f"--{option.replace('_', '-')} is about owners, which --moves leaves out")
    for model in models:
        _check_heads(find_model(model), arguments)
    if arguments.table:
        check_table(arguments.table)
    if arguments.report and arguments.report.suffix.lower() != ".html":
        raise InputError(f"{arguments.report}: expected a page ending in .html")
    pictures = [path for path in (arguments.picture, arguments.moves_picture) if path]
    for path in pictures:
        from viz.figure import check_picture

        check_picture(path)
    inputs = InputFiles([*dataset_paths(arguments.datasets), *_model_paths(models)])
    for path in (arguments.json, arguments.table, *pictures, arguments.report):
        if path:
            inputs.check_output(path)


def _model_paths(models: Sequence[str]) -> Iterator[Path]:
    """Yield the files of models that are read."""
    for model in models:
        for name in (WEIGHTS, DESCRIPTION, LEARNED, _HISTORY):
            yield find_model(model).weights.with_name(name)


def _check_heads(model: ModelFiles, arguments: argparse.Namespace) -> None:
    """Raise InputError if a model lacks a head that an option needs."""
    for option in ("report", "both_sides", "benchmark"):
        if getattr(arguments, option):
            model.require_head("ownership", f"--{option.replace('_', '-')}")
    for option in ("moves", "moves_picture"):
        if getattr(arguments, option):
            model.require_head("policy", f"--{option.replace('_', '-')}")
    if "ownership" not in model.heads:
        model.require_head("policy", "ownership evaluate without owners")


def _games(side: int | None, chosen: GameFilter, arguments: argparse.Namespace, owners: bool) -> GameTable:
    """Return the games to measure on: of one board side unless it is None, labelled ones for `owners`."""
    split = None if arguments.split == "all" else arguments.split
    return load_games(
        arguments.datasets, split, chosen, unlabelled=not owners, labelled=owners, most=arguments.games, side=side
    )


def _measure(
    evaluator: Evaluator, table: GameTable, positions: Positions, arguments: argparse.Namespace, cluster: Workers | None
) -> Measurements:
    how = Measuring(evaluator, arguments.symmetries, arguments.set_up, arguments.both_sides)
    if cluster is None:
        return how.measure(table, positions, watched)
    with progress_bar(unit="position", total=len(positions.games)) as bar:
        return how.measure_on(cluster, table, positions, bar.update)


def _history(evaluator: Evaluator) -> list[dict[str, float]]:
    """Return the records of the model's training, [] for bundled models, which come without; raise InputError."""
    path = evaluator.files.weights.with_name(_HISTORY)
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


def _write(path: Path, text: str) -> None:
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")
    report_file(path)
