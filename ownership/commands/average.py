"""Average the weights of models that were fine-tuned from a common one, and write a model directory.

Examples:
    ownership average default play runs/mine --datasets data/games -o runs/mean

See docs/training.md.
"""

import argparse
from pathlib import Path

from goban.errors import InputError
from ownership.inference.files import WEIGHTS, find_model
from ownership.inference.silence import silenced_stderr
from preprocessing.storage import check_writable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership average`."""
    parser.add_argument("models", nargs="+", metavar="MODEL", help="two or more bundled models or model directories")
    parser.add_argument(
        "--datasets",
        nargs="+",
        required=True,
        metavar="DATASET",
        help="folders or URLs made by `ownership prepare`, whose games of split validation measure the mean",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="model directory")


def run(arguments: argparse.Namespace) -> int:
    """Write the model directory and print how good it is; return the exit status."""
    if len(arguments.models) < 2:
        raise InputError(f"expected two models or more. Received: {len(arguments.models)}")
    models = [find_model(model) for model in arguments.models]
    arguments.output.mkdir(parents=True, exist_ok=True)
    check_writable(arguments.output / WEIGHTS)
    with silenced_stderr():
        from ownership.training.averaging import average

        metrics, difference = average(models, arguments.datasets, arguments.output)
    figures = ", ".join(f"{name.removeprefix('validation_')} {value:.4f}" for name, value in metrics.items())
    print(f"{arguments.output}: the mean of {', '.join(model.name for model in models)}: {figures}")
    print(f"LiteRT is within {difference.mean:.4f} of Keras on average on {difference.positions} positions")
    return 0
