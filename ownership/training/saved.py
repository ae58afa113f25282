"""Networks that a training saved, as Keras models."""

from pathlib import Path
from zipfile import BadZipFile, is_zipfile

import keras

from ownership.inference.config import NetworkConfig
from ownership.inference.files import ModelError, ModelFiles, find_model
from ownership.training import layers, stack_layers  # noqa: F401  saved networks name their classes
from ownership.training.losses import compile_network
from ownership.training.options import TrainingOptions

TRAINED = "best.keras"


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
