"""Average the weights of models that were fine-tuned from a common one, and write a model directory.

Examples:
    ownership average default runs/tuned --datasets data/games -o runs/mean

See docs/training.md.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from goban.errors import InputError, plural
from ownership.inference.model_catalogue import distinct_names, find_model
from ownership.inference.model_files import BULK, WEIGHTS, ModelFiles
from ownership.training.checkpoints import LAST
from runtime.command_line import Argument, declare
from runtime.safe_writing import usable_folder
from runtime.standard_streams import silenced_stderr


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership average`."""
    datasets = "folders or URLs made by `ownership prepare`, whose games of split validation measure the mean"
    declare(
        parser,
        Argument("models MODEL", str, "two or more models, by name or directory", count="+"),
        Argument("--datasets DATASET", str, datasets, count="+", required=True),
        Argument("-o --output DIR", Path, "model directory", required=True),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the model directory and print how good it is; return the exit status."""
    if len(arguments.models) < 2:
        raise InputError(f"expected two models or more. Received: {len(arguments.models)}")
    models = [find_model(model) for model in arguments.models]
    _check_output(arguments.output, models)
    with usable_folder(arguments.output, (WEIGHTS, BULK)), silenced_stderr():
        from ownership.training.average_models import average
        from ownership.training.progress_log import VALIDATED

        averaged = average(models, arguments.datasets, arguments.output)
    for name, metrics in zip(distinct_names(models), averaged.members, strict=True):
        print(f"{name}: {_figures(metrics, VALIDATED)}")
    print(f"{arguments.output}, their mean: {_figures(averaged.metrics, VALIDATED)}")
    difference = averaged.difference
    close = f"within {difference.mean:.5f} of Keras on average on {plural(difference.positions, 'position')}"
    print(f"Exported with {difference.weights} weights, {close}")
    for name, metrics in zip(distinct_names(models), averaged.members, strict=True):
        better = [
            text.split(" {")[0]
            for each, text in VALIDATED.items()
            if each in metrics and _loss(each, metrics[each]) < _loss(each, averaged.metrics[each])
        ]
        if better:
            print(
                f"{arguments.output}: warning: {name} is better than the mean in {', '.join(better)}", file=sys.stderr
            )
    return 0


def _check_output(output: Path, models: Sequence[ModelFiles]) -> None:
    """Raise InputError for the directory of one of the models, or one in which a training may go on."""
    for model in models:
        if output.resolve() == model.weights.parent.resolve():
            raise InputError(f"{output}: expected another directory than the models'. Received: one of them")
    if (output / LAST).exists():
        raise InputError(f"{output}: expected a new directory. Received: that of a training")


def _figures(metrics: Mapping[str, float], texts: Mapping[str, str]) -> str:
    return ", ".join(text.format(metrics[name]) for name, text in texts.items() if name in metrics)


def _loss(name: str, value: float) -> float:
    """Return a figure as a number that is smaller for a better network."""
    return value if name.endswith("brier") else -value
