"""Begin a training with the weights of an earlier one."""

import hashlib
from typing import Any

import keras

from goban.errors import plural
from ownership.inference.config import KataGoConfig, NetworkConfig
from ownership.inference.files import ModelError, ModelFiles
from ownership.training.saved import load_trained, trained_path

_MAY_DIFFER = ("blocks", "heads", "dropout", "steps")


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
