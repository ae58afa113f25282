"""A study: trainings for every combination of some options' values, and the table of what these options change."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import product
from pathlib import Path
from typing import Any, Final, NoReturn

from game_datasets.evaluation_positions import evaluation_positions
from game_datasets.game_filter import GameFilter
from game_datasets.load_table import check_games, load_games
from goban.errors import InputError, cut, naming, plural, suggestion
from ownership.commands.shared.held_out_games import warn_of_training_games, watched
from ownership.commands.shared.output_files import report_file
from ownership.evaluation.evaluation_tables import FIGURES
from ownership.evaluation.measure import measure_games
from ownership.evaluation.study_contrasts import (
    Contrast,
    Factor,
    Run,
    Setting,
    contrast_csv,
    contrast_table,
    contrasts,
    half_intervals,
    shown_figures,
)
from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import NetworkConfig
from runtime.safe_writing import replacing

TABLE: Final = "contrasts.csv"
_SPLIT: Final = "test"
_FIXED: Final = ("datasets", "output", "soft", "seeds", "seed", "grid", "picture", "kept", "checkpoint", "run")
_FLAGS: Final = {"board_pooling": ("yes", "no"), "symmetries": ("yes", "no")}


class _Parser(argparse.ArgumentParser):
    """A parser of the values of a grid."""

    def error(self, message: str) -> NoReturn:
        """Raise InputError."""
        raise InputError(message)


def parse_grid(texts: Sequence[str], arguments: argparse.Namespace) -> tuple[Factor, ...]:
    """Return the factors of a study, given as OPTION=VALUE,... or, where values have commas, OPTION=VALUE;...

    Raises:
        InputError: no such option of `ownership train`, or a value that is given twice.
    """
    known = [name for name in vars(arguments) if name not in _FIXED]
    factors: list[Factor] = []
    for text in texts:
        name, _, listed = text.partition("=")
        option, values = name.replace("-", "_"), tuple(listed.split(";" if ";" in listed else ","))
        if option not in known:
            near = suggestion(option, known)
            raise InputError(
                f"--grid: expected an option of one value, such as filters=16,32. Received: {cut(text)}{near}"
            )
        if "" in values or len(set(values)) < len(values) or option in (each.option for each in factors):
            raise InputError(f"--grid: expected {option} once, with different values. Received: {cut(text)}")
        factors.append(Factor(option, values))
    return tuple(factors)


def settings(
    factors: Sequence[Factor], arguments: argparse.Namespace, declare: Callable[[argparse.ArgumentParser], None]
) -> Iterator[tuple[Setting, argparse.Namespace]]:
    """Yield each combination of values with the arguments of its trainings, whose output is a folder of its own.

    Args:
        factors: as `parse_grid` gives them.
        arguments: of the study.
        declare: declares the arguments of a training.

    Raises:
        InputError: a value that its option does not take.
    """
    parser = _Parser(add_help=False)
    declare(parser)
    for setting in product(*(factor.values for factor in factors)):
        named = [f"{factor.option}={value}" for factor, value in zip(factors, setting, strict=True)]
        folder = arguments.output / ",".join(named).replace("/", "_")
        words = [word for factor, value in zip(factors, setting, strict=True) for word in _words(factor.option, value)]
        with naming("--grid"):
            given = parser.parse_args([*arguments.datasets, "--output", str(folder), *words], copy(arguments))
        yield setting, given


def _words(option: str, value: str) -> list[str]:
    """Return the words of a command line that give an option a value."""
    name = option.replace("_", "-")
    if option not in _FLAGS:
        return [f"--{name}={value}"]
    if value not in _FLAGS[option]:
        raise InputError(f"{option} must be yes or no. Received: {cut(value)}")
    if value == "yes":
        return ["--symmetries"] if option == "symmetries" else []
    return [f"--no-{name}"]


def check_study(datasets: Sequence[str], configs: Sequence[NetworkConfig], chosen: GameFilter) -> None:
    """Raise InputError where there are no test games to measure all networks on, before the first is trained."""
    sides = sorted({config.side for config in configs if config.side})
    if len(sides) > 1:
        raise InputError(f"--grid: expected networks of one board side. Received: sides {', '.join(map(str, sides))}")
    check_games(datasets, _SPLIT, chosen, **_usable(configs))


def _usable(configs: Sequence[NetworkConfig]) -> dict[str, Any]:
    owners = all("ownership" in config.heads for config in configs)
    return {
        "labelled": owners,
        "unlabelled": not owners,
        "side": next((each.side for each in configs if each.side), None),
    }


def is_finished(output: Path, expected: Mapping[str, Any]) -> bool:
    """Return whether a folder holds the model of a training.

    Args:
        output: the folder.
        expected: what its `model.json` has of it: `network`, and entries of `trained`.
    """
    try:
        found = json.loads((output / "model.json").read_text("utf-8"))
        trained = {name: found["trained"][name] for name in expected["trained"]}
    except (OSError, ValueError, LookupError, TypeError):
        return False
    return bool({"network": found.get("network"), "trained": trained} == json.loads(json.dumps(expected)))


def report_study(
    factors: Sequence[Factor],
    outputs: Sequence[tuple[Setting, Path]],
    configs: Sequence[NetworkConfig],
    chosen: GameFilter,
    arguments: argparse.Namespace,
) -> None:
    """Measure the models of a study on the test games, print the table of contrasts, and write it and its picture."""
    table = load_games(arguments.datasets, _SPLIT, chosen, **_usable(configs))
    positions = evaluation_positions(table)
    runs = []
    for setting, output in outputs:
        print(f"{output}: measured on {plural(len(table), 'test game')}", file=sys.stderr)
        evaluator = Evaluator.load(output)
        warn_of_training_games(evaluator.files, table)
        runs.append(Run(setting, measure_games(evaluator, table, positions, watch=watched)))
    found = contrasts(factors, runs)
    print(_heading(len(runs), len({setting for setting, _ in outputs}), len(table)))
    print(contrast_table(found))
    path = arguments.output / TABLE
    with replacing(path) as partial:
        partial.write_text(contrast_csv(found), "utf-8")
    report_file(path)
    if arguments.picture:
        draw_study(found, arguments.picture)


def _heading(trainings: int, count: int, games: int) -> str:
    degrees = trainings - count
    over = f", and over trainings, by the spread within settings ({degrees} degrees of freedom)" if degrees else ""
    alone = "" if degrees else "; one training of each tells nothing about other seeds, which --seeds 3 measures"
    return (
        f"{plural(trainings, 'training')} of {plural(count, 'setting')} on {plural(games, 'test game')}; "
        f"± half of the 95% interval over games{over}{alone}\n"
    )


def draw_study(found: Sequence[Contrast], path: Path) -> None:
    """Draw the contrasts of a study, a chart for each figure."""
    from viz.curves import draw_differences
    from viz.figure import new_row, save

    names = shown_figures(found)
    axes = new_row(len(names), height=1.6 + 0.45 * len(found))
    for place, (name, ax) in enumerate(zip(names, axes, strict=True)):
        rows = [(each.name, each.figures[name], *half_intervals(each, name)) for each in found[1:]]
        draw_differences(rows, FIGURES[name][0], percent=FIGURES[name][1].endswith("%"), named=not place, ax=ax)
    with replacing(path) as partial:
        save(axes[0], partial)
    report_file(path)
