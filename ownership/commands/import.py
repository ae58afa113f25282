"""Make a model of a network of KataGo, for all commands, which find it by its name.

Examples:
    ownership import ~/Downloads/kata1-b18c384nbt-s9996604416-d4316597426.bin.gz
    ownership import katrain-1.17.1-py3-none-any.whl
    ownership import ~/.katrain --network b18c384
    ownership import b18.bin.gz -o models/b18

See docs/models.md; get networks from katagotraining.org, where their licence is given, or with KaTrain.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from goban.errors import InputError
from ownership.commands.shared.output_files import new_or_whole
from ownership.inference.model_catalogue import bundled_models, imported_folder
from ownership.inference.model_files import BULK, DESCRIPTION, WEIGHTS
from ownership.katago_networks.find_networks import digest_of, find_network, suitable_names
from ownership.katago_networks.katago_file import NetworkFile, read_model
from ownership.katago_networks.network_licences import licence_of
from ownership.katago_networks.network_parts import KataGoModel
from runtime.command_line import Argument, declare
from runtime.standard_streams import silenced_stderr


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership import`."""
    place = (
        "network file of KataGo's (.bin.gz or .txt.gz, or the same unpacked), zip archive with one, such as KaTrain's "
        "wheel, or folder with one, such as ~/.katrain"
    )
    declare(
        parser,
        Argument("place PLACE", Path, place),
        Argument("--network PART", str, "part of the network's name, where the place has several", ""),
        Argument("-o --output DIR", Path, "model directory", otherwise="one that commands find by name"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the model directory and print its contents; return the exit status."""
    file = find_network(arguments.place, arguments.network)
    model = read_model(file)
    _require_room(file)
    directory = arguments.output or imported_folder() / _free_name(model, file)
    with (
        new_or_whole(directory, (WEIGHTS, BULK, DESCRIPTION)),
        silenced_stderr(),
    ):  # TensorFlow and its converter write many lines
        from ownership.katago_networks.import_network import import_network

        difference = import_network(model, file, directory)
    name = directory if arguments.output else directory.name
    print(
        f"{model.name}: version {model.version}, {len(model.blocks)} blocks, {model.planes.kernel.shape[3]} channels\n"
        f"{directory}: {difference.weights} weights; ownership differs by "
        f"{difference.mean:.5f} on average and by {difference.rare:.4f} at one point in a thousand\n"
        f"Licence: {licence_of(model)}\n"
        f"To use it: --model {name}, or for all commands: ownership models use {name}"
    )
    return 0


def _require_room(file: NetworkFile) -> None:
    """Raise InputError if the folder of temporary files has less room than the network, before TensorFlow is loaded."""
    folder, size = tempfile.gettempdir(), file.path.stat().st_size
    if (free := shutil.disk_usage(folder).free) < size:
        raise InputError(f"{folder}: expected room for a copy of the network, {size:,} bytes. Received: {free:,}")


def _free_name(model: KataGoModel, file: NetworkFile) -> str:
    """Return the shortest name that no other network has."""
    names, digest = suitable_names(model, file), digest_of(file)
    free = (
        name for name in names if name not in bundled_models() and _digest_in(imported_folder() / name) in ("", digest)
    )
    return next(free, f"{names[-1]}-{digest[:8]}")


def _digest_in(directory: Path) -> str:
    """Return the SHA-256 of the network that a directory was made of, "" where there is none."""
    try:
        return str(json.loads((directory / DESCRIPTION).read_text("utf-8"))["source"]["sha256"])
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, LookupError, TypeError):
        return "unknown"
