"""Begins a training with the weights of an earlier one."""

import hashlib
from pathlib import Path

import keras

from ownership.inference.config import NetworkConfig
from ownership.inference.files import ModelError, ModelFiles

TRAINED = "best.keras"
_MAY_DIFFER = ("blocks", "heads")


def take_weights(model: keras.Model, config: NetworkConfig, start: ModelFiles) -> None:
    """Gives a network the weights of a trained one.

    The trained one may have fewer residual blocks and other heads. Heads that it lacks keep their fresh weights, and
    so do blocks, which change nothing at first because their branches begin as zero.

    Args:
        model: a fresh network of `config`.
        config: its configuration.
        start: the trained one, a model directory with best.keras.

    Raises:
        ModelError: best.keras is not there, or is of a network that is no beginning of this one.
    """
    _check(config, start)
    trained = keras.saving.load_model(_path(start), compile=False)
    weights = {layer.name: layer.get_weights() for layer in trained.layers}
    for layer in model.layers:
        if weights.get(layer.name):
            layer.set_weights(weights[layer.name])


def fingerprint(start: ModelFiles) -> str:
    """A name for the weights to begin with; raises ModelError if there are none."""
    return hashlib.blake2b(_path(start).read_bytes(), digest_size=8).hexdigest()


def _path(start: ModelFiles) -> Path:
    path = start.weights.with_name(TRAINED)
    if not path.is_file():
        raise ModelError(f"{path}: expected the weights of a training to begin with. Received: no such file")
    return path


def _check(config: NetworkConfig, start: ModelFiles) -> None:
    wanted, found = config.to_dict(), start.network.to_dict()
    for name in (name for name in wanted if name not in _MAY_DIFFER):
        if wanted[name] != found[name]:
            raise ModelError(
                f"--start {start.name}: expected a network with {name} {wanted[name]}. Received: {found[name]}"
            )
    if found["blocks"] > wanted["blocks"]:
        raise ModelError(
            f"--start {start.name}: expected at most {wanted['blocks']} blocks. Received: {found['blocks']}"
        )
