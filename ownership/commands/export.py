"""Make a model of a network of Keras of your own, for all commands, after comparing the answers of both.

Examples:
    ownership export net.keras -o models/mine
    ownership export net.keras --features classic8+own_pass_alive -o models/mine

See docs/training.md.
"""

import argparse
from pathlib import Path

from goban.errors import InputError, naming, plural
from ownership.commands.shared.output_files import new_or_whole
from ownership.inference.model_files import BULK, DESCRIPTION, WEIGHTS
from ownership.training.checkpoints import LAST
from planes.feature_sets import parse_feature_set
from runtime.command_line import Argument, declare
from runtime.standard_streams import silenced_stderr
from runtime.this_process import quiet_tensorflow


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership export`."""
    features = "planes that the network reads, as of `ownership train --features`"
    declare(
        parser,
        Argument("network FILE", Path, "file of the network, .keras"),
        Argument("-o --output DIR", Path, "model directory", required=True),
        Argument("--features NAME", str, features, "tactical"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the model directory and print its contents; return the exit status."""
    with naming("--features"):
        parse_feature_set(arguments.features)
    if (arguments.output / LAST).exists():
        raise InputError(f"{arguments.output}: expected a new directory. Received: that of a training")
    quiet_tensorflow()
    with new_or_whole(arguments.output, (WEIGHTS, BULK, DESCRIPTION)), silenced_stderr():
        from ownership.export.keras_export import export_keras, read_keras

        network = read_keras(arguments.network)
        difference = export_keras(network, arguments.output, arguments.features, arguments.network)
    close = f"within {difference.mean:.5f} of Keras on average on {plural(difference.positions, 'position')}"
    print(
        f"{arguments.output}: exported with {difference.weights} weights, {close}\n"
        f"To use it: --model {arguments.output}, or for all commands: ownership models use {arguments.output}"
    )
    return 0
