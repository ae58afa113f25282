"""Networks that a training saved: as Keras models, and as the weights that another one begins with."""

import json
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile, is_zipfile

import keras

from game_records.game_record import printable
from goban.errors import plural
from ownership.inference.katago_config import KataGoConfig
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import DESCRIPTION, ModelError, ModelFiles
from ownership.inference.network_config import NetworkConfig
from ownership.inference.own_config import OwnConfig
from ownership.networks.build_network import build_network
from ownership.training.head_training import compile_network
from ownership.training.training_games import trained_path
from ownership.training.training_options import TrainingOptions

_LAYERS: Final = "config.json"  # in a .keras file
_MOST_BYTES_A_WEIGHT: Final = 16  # with what an optimizer keeps
_MOST_OTHER_BYTES: Final = 1 << 24
_EXPORTED: Final = "a network of `ownership export`"
_SIZES: Final = ("filters", "units", "kernel_size")
_MAY_DIFFER = ("blocks", "heads", "dropout", "steps", "chain_pooling")


def load_network(model: str | Path) -> keras.Model:
    """Return the Keras network of a model, compiled with the losses, metrics and optimizer of `ownership train`.

    Args:
        model: a name or a model directory that has its best.keras, as bundled models do.

    Returns:
        a float32 functional model; `build_network` describes its inputs and outputs.

    Raises:
        ModelError: no such model, no best.keras beside it, or a damaged one.
    """
    files = find_model(model)
    config = trained_config(files)
    network = load_trained(trained_path(files), config)
    compile_network(network, config, TrainingOptions(samples=1))
    return network


def trained_config(files: ModelFiles) -> NetworkConfig:
    """Return the configuration of a model of `ownership train`; raise ModelError for another one."""
    if not isinstance(files.network, NetworkConfig):
        kind = {OwnConfig: "an evaluator of a package", KataGoConfig: "a network of KataGo"}.get(type(files.network))
        raise ModelError(f"{files.name}: expected a model of `ownership train`. Received: {kind or _EXPORTED}")
    return files.network


def load_trained(path: Path, config: NetworkConfig) -> keras.Model:
    """Return the network of `config` with the weights that a training saved, not compiled.

    The layers follow `config`, not the description in the file.

    Raises:
        ModelError: the file is damaged, missing or of another network.
    """
    if not is_zipfile(path):
        raise ModelError(f"{path}: expected a network that `ownership train` saved. Received: no .keras file")
    network = build_network(config)
    try:
        _check_layers(path, network)
        network.load_weights(path)
    except (
        ValueError,
        OSError,
        BadZipFile,
        LookupError,
        TypeError,
        AttributeError,
        EOFError,
        RuntimeError,  # RecursionError too: nested lists in its config.json
        zlib.error,
    ) as error:
        reason = printable(str(error).partition("\n")[0]) or type(error).__name__
        raise ModelError(f"{path}: expected a network that `ownership train` saved. Received: {reason}") from error
    return network


def _check_layers(path: Path, network: keras.Model) -> None:
    """Raise ValueError unless a file has as many layers of each kind and size as a network, and bytes for these."""
    with ZipFile(path) as archive:
        unpacked = sum(each.file_size for each in archive.infolist())
        if unpacked > (most := _MOST_BYTES_A_WEIGHT * network.count_params() + _MOST_OTHER_BYTES):
            raise ValueError(f"{unpacked:,} bytes, where the network has at most {most:,}")
        described = json.loads(archive.read(_LAYERS))
    found = Counter(_kind(each["class_name"], each["config"]) for each in described["config"]["layers"])
    if found != Counter(_kind(type(each).__name__, each.get_config()) for each in network.operations):
        raise ValueError(f"other layers than {DESCRIPTION} describes")


def _kind(name: str, config: Mapping[str, Any]) -> tuple[str, ...]:
    return name, *(json.dumps(config.get(size)) for size in _SIZES)


def take_weights(model: keras.Model, config: NetworkConfig, start: ModelFiles) -> None:
    """Give a network the weights of a trained one.

    The trained one may have fewer residual blocks, other heads, another dropout or pooling over chains and, in a stack,
    other recurrent steps. Layers that it lacks, or has in another shape, keep their fresh weights; new blocks change
    nothing at first because their branches begin as zero.

    Args:
        model: a fresh network of `config`.
        config: its configuration.
        start: the trained one, a model directory with best.keras.

    Raises:
        ModelError: best.keras is not there, is damaged, or is of a network whose weights do not fit this one.
    """
    _check(config, start)
    trained = load_trained(trained_path(start), trained_config(start))
    weights = {layer.name: layer.get_weights() for layer in trained.layers}
    for layer in model.layers:
        found = weights.get(layer.name, [])
        if [each.shape for each in found] == [each.shape for each in layer.get_weights()]:
            layer.set_weights(found)


def _check(config: NetworkConfig, start: ModelFiles) -> None:
    wanted, found = _fields(config), _fields(trained_config(start))
    for name in (name for name in wanted if name not in _MAY_DIFFER):
        if wanted[name] != found.get(name):
            raise ModelError(
                f"--initial-weights {start.name}: expected a network with {name} {wanted[name]}. "
                f"Received: {found.get(name)}"
            )
    if found["blocks"] > wanted["blocks"]:
        raise ModelError(
            f"--initial-weights {start.name}: expected at most {plural(wanted['blocks'], 'block')}. "
            f"Received: {found['blocks']}"
        )


def _fields(network: NetworkConfig) -> dict[str, Any]:
    """Return the fields of a network and of its stack."""
    values = network.to_dict()
    stack: dict[str, Any] = values.pop("stack", {})
    return stack | values
