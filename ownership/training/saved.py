"""Networks that a training saved: as Keras models, and as the weights that another one begins with."""

import hashlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

import keras

from goban.errors import plural
from ownership.inference.config import KataGoConfig, NetworkConfig
from ownership.inference.files import ModelError, ModelFiles, find_model
from ownership.training import layers, stack_layers  # noqa: F401  saved networks name their classes
from ownership.training.losses import compile_network
from ownership.training.options import TrainingOptions

TRAINED = "best.keras"
_MAY_DIFFER = ("blocks", "heads", "dropout", "steps")


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
    config, network = trained_config(files), load_trained(trained_path(files))
    compile_network(network, config, TrainingOptions(samples=1))
    return network


def trained_config(files: ModelFiles) -> NetworkConfig:
    """Return the configuration of a model of `ownership train`; raise ModelError for a network of KataGo."""
    if not isinstance(files.network, NetworkConfig):
        raise ModelError(f"{files.name}: expected a model of `ownership train`. Received: a network of KataGo")
    return files.network


def load_trained(path: Path) -> keras.Model:
    """Return the network that a training saved, not compiled; raise ModelError if the file is damaged or missing."""
    if not is_zipfile(path):
        raise ModelError(f"{path}: expected a network that `ownership train` saved. Received: no .keras file")
    try:
        return keras.saving.load_model(path, compile=False)
    except (
        ValueError,
        OSError,
        BadZipFile,
        LookupError,
        TypeError,
        AttributeError,
        EOFError,
        RuntimeError,  # RecursionError too: nested lists in its config.json
    ) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ModelError(f"{path}: expected a network that `ownership train` saved. Received: {reason}") from error


def trained_path(files: ModelFiles) -> Path:
    """Return the file of the float32 weights of a model; raise ModelError if there is none."""
    path = files.weights.with_name(TRAINED)
    if not path.is_file():
        raise ModelError(f"{path}: expected the float32 weights of a training. Received: no such file")
    return path


def take_weights(model: keras.Model, config: NetworkConfig, start: ModelFiles) -> None:
    """Give a network the weights of a trained one.

    The trained one may have fewer residual blocks, other heads, another dropout and, in a stack, other recurrent steps.
    Layers that it lacks, or has in another shape, keep their fresh weights; new blocks change nothing at first because
    their branches begin as zero.

    Args:
        model: a fresh network of `config`.
        config: its configuration.
        start: the trained one, a model directory with best.keras.

    Raises:
        ModelError: best.keras is not there, is damaged, or is of a network whose weights do not fit this one.
    """
    _check(config, start)
    trained = load_trained(trained_path(start))
    weights = {layer.name: layer.get_weights() for layer in trained.layers}
    for layer in model.layers:
        found = weights.get(layer.name, [])
        if [each.shape for each in found] == [each.shape for each in layer.get_weights()]:
            layer.set_weights(found)


def fingerprint(start: ModelFiles) -> str:
    """Return a name for the weights to begin with; raise ModelError if there are none."""
    return hashlib.blake2b(trained_path(start).read_bytes(), digest_size=8).hexdigest()


def _check(config: NetworkConfig, start: ModelFiles) -> None:
    wanted, found = _fields(config), _fields(start.network)
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


def _fields(network: NetworkConfig | KataGoConfig) -> dict[str, Any]:
    """Return the fields of a network and of its stack."""
    values = network.to_dict()
    stack: dict[str, Any] = values.pop("stack", {})
    return stack | values
