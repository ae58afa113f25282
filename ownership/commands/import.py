"""Make a model directory from a network file of KataGo.

Examples:
    ownership import b18.bin.gz -o models/b18

See docs/models.md; get networks from katagotraining.org, where their licences are given.
"""

import argparse
from pathlib import Path

from ownership.inference.silence import silenced_stderr
from ownership.inference.store import WEIGHTS
from ownership.katago.model_file import read_model
from preprocessing.storage import check_writable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership import`."""
    parser.add_argument(
        "network", type=Path, metavar="NETWORK", help="file of KataGo's: .bin.gz or .txt.gz, or the same unpacked"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="model directory, for options such as --model"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the model directory and print what it holds; return the exit status."""
    model = read_model(arguments.network)
    arguments.output.mkdir(parents=True, exist_ok=True)
    check_writable(arguments.output / WEIGHTS)
    with silenced_stderr():  # TensorFlow and its converter write many lines
        from ownership.katago.importing import import_network

        difference = import_network(model, arguments.network, arguments.output)
    print(
        f"{model.name}: version {model.version}, {len(model.blocks)} blocks, {model.planes.kernel.shape[3]} channels\n"
        f"{arguments.output}: {difference.weights} weights; ownership differs by "
        f"{difference.mean:.5f} on average and by {difference.rare:.4f} at one point in a thousand"
    )
    return 0
