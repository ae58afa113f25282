"""Calibrate the score of a model: fit its 90% interval and its chance to win on games that it was not trained on.

Examples:
    ownership calibrate runs/mine data/games
    ownership calibrate runs/mine data/other --split all

It replaces the factors of the datasets' board sides in `calibration` of the model's model.json. See docs/training.md.
"""

import argparse
from collections.abc import Mapping

from game_datasets.load_table import load_games
from game_datasets.rows import SPLITS
from goban.errors import InputError, cut, naming
from ownership.commands.shared.held_out_games import warn_of_training_games, watched
from ownership.commands.shared.model_arguments import model_names, symmetries_argument
from ownership.commands.shared.output_files import report_file
from ownership.evaluation.calibration_fit import POSITIONS, calibrate
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import DESCRIPTION
from ownership.inference.score_calibration import Factors, ScoreCalibration
from runtime.command_line import Argument, declare
from runtime.safe_writing import check_writable

_MODEL_HELP = "model by name or directory"
_DATASETS_HELP = "folders or URLs made by `ownership prepare`, which are joined"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership calibrate`."""
    declare(
        parser,
        Argument("model MODEL", str, _MODEL_HELP, completer=model_names),
        Argument("datasets DATASET", str, _DATASETS_HELP, count="+"),
        Argument("--split SPLIT", str, "games to fit on: train, validation, test or all", "validation"),
        Argument("--positions N", int, "the most positions of each board side", POSITIONS, least=1),
        symmetries_argument(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the calibration into the model's description and print it; return the exit status."""
    if arguments.split not in (*SPLITS, "all"):
        raise InputError(f"--split must be one of {', '.join(SPLITS)}, all. Received: {cut(arguments.split)}")
    with naming("MODEL"):
        model = find_model(arguments.model)
    model.require_head("score", "ownership calibrate")
    description = model.weights.with_name(DESCRIPTION)
    check_writable(description)
    split = None if arguments.split == "all" else arguments.split
    table = load_games(arguments.datasets, split, side=model.network.side)
    warn_of_training_games(model, table)
    calibration = calibrate(model, table, arguments.positions, arguments.symmetries, watched)
    print(_text(calibration, "margin" in model.heads))
    report_file(description)
    return 0


def _text(calibration: Mapping[int, ScoreCalibration], with_spread: bool) -> str:
    """Return the factors by board side, as a table."""
    lines = [f"{'board':7} {'factors on':11} {'by ownership':>15} {'by size':>15}"]
    for side, each in calibration.items():
        rows = {"deviation": each.deviation} | ({"spread": each.spread} if with_spread else {})
        lines += [f"{f'{side}x{side}':7} {name:11} {_ranges(factors)}" for name, factors in rows.items()]
    return "\n".join(lines)


def _ranges(factors: Factors) -> str:
    curves = ([factor for _, factor in curve] for curve in (factors.unsettled, factors.size))
    return " ".join(f"{f'{min(curve):.2f} to {max(curve):.2f}':>15}" for curve in curves)
