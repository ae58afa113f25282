"""Build networks from their configuration. Loading, saving and training live elsewhere."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import keras
from keras import layers, ops

from ownership.inference.network_config import ARCHITECTURES, HEADS, SOFT_POLICY, NetworkConfig
from ownership.inference.own_targets import find_target
from ownership.inference.stack_config import Stack
from ownership.networks.build_stack import stack_outputs, stack_trunk
from ownership.networks.layer_factory import LayerFactory
from ownership.networks.score_layers import MarginDistribution, ScoreDistribution


def build_network(
    config: NetworkConfig,
    precision: str = "float32",
    initializer: str | None = None,
    auxiliary: Sequence[str] = (),
) -> keras.Model:
    """Return a network with fresh weights, for any batch and any board side. It does not compile the model.

    Args:
        config: which network.
        precision: a Keras dtype policy, `float32` or `mixed_bfloat16`; weights and outputs are float32 in both.
        initializer: how kernels are drawn, of `network_config.INITIALIZERS`; None takes what suits each layer.
        auxiliary: further heads, only for training, that `without_auxiliary` removes: `soft_policy` (B, N*N +
            1), the policy at a high temperature, and answers to targets of packages by their names.

    Returns:
        a functional model. Inputs: `planes` (B, N, N, C) float32 and, with chain pooling, `chains` (B, N, N) int32.
        Outputs, one for each of `config.heads`, float32 and from the perspective of the side to move: `ownership` (B,
        N, N), the probability that it owns the point; `policy` (B, N*N + 1), the probability that it plays at the point
        of that flat index, the last being a pass; `score` (B, 2), its expected area minus the other's in points, komi
        left out, which is the sum over `ownership`, and the standard deviation; `resign` (B, 1), the probability that
        it resigns; `margin` (B, 2), the same expected area, corrected, and the spread of a logistic distribution around
        it, in points.
    """
    board = (config.side, config.side)
    inputs = {"planes": keras.Input((*board, config.channels), name="planes", dtype="float32")}
    if config.reads_chains:
        inputs["chains"] = keras.Input(board, name="chains", dtype="int32")
    factory = LayerFactory(config, precision, inputs.get("chains"), initializer)
    outputs = _BUILDERS[config.architecture](config, factory, inputs["planes"], auxiliary)
    return keras.Model(inputs, outputs, name=config.architecture)


def without_auxiliary(model: keras.Model, config: NetworkConfig) -> keras.Model:
    """Return the network itself if it has only the heads of `config`, else a copy that has."""
    if tuple(model.output) == config.heads:
        return model
    copy = build_network(config)
    for layer in (each for each in copy.layers if each.weights):
        layer.set_weights(model.get_layer(layer.name).get_weights())
    return copy


def _classic5(config: NetworkConfig, factory: LayerFactory, planes: Any, auxiliary: Sequence[str]) -> dict[str, Any]:
    """The five-layer network of 2015; chain pooling follows its third and its last hidden layer."""
    wide, narrow = config.filters, config.filters * 3 // 4
    stack = Stack(layers=tuple((filters, 5) for filters in (wide, wide, wide, narrow, narrow)))
    return _outputs(config, factory, stack_trunk(config, stack, factory, planes), auxiliary)


def _residual(config: NetworkConfig, factory: LayerFactory, planes: Any, auxiliary: Sequence[str]) -> dict[str, Any]:
    """A tower of residual blocks; every second one pools over chains, if the configuration does, and over the board.

    Branches that begin as zero take the place of batch normalization (Zhang, Dauphin, Ma: Fixup Initialization, 2019).
    """
    x = factory.convolution(planes, config.filters, 5, "stem")
    for number in range(1, config.blocks + 1):
        x = factory.relu(factory.add(x, _branch(config, factory, x, number)))
    return _outputs(config, factory, x, auxiliary)


def _branch(config: NetworkConfig, factory: LayerFactory, x: Any, number: int) -> Any:
    name = f"block{number}"
    x = factory.convolution(x, config.filters, 3, f"{name}_first")
    if number % 2 == 0 or config.blocks == 1:
        x = factory.board_pooling(factory.chain_pooling(x), f"{name}_board")
    return factory.convolution(x, config.filters, 3, f"{name}_second", activation=None, first="zeros")


def _outputs(config: NetworkConfig, factory: LayerFactory, trunk: Any, auxiliary: Sequence[str]) -> dict[str, Any]:
    """Return the outputs of all heads from the features of the trunk, (B, N, N, filters)."""
    outputs: dict[str, Any] = {}
    for head in (*config.heads, *auxiliary):
        if head in _OUTPUTS:
            outputs[head] = _OUTPUTS[head](config, factory, trunk, outputs)
        elif head in HEADS:
            raise NotImplementedError(f"build_network._OUTPUTS must have an entry for every head. Missing: {head}")
        else:
            outputs[head] = _own(head, factory, trunk)
    return outputs


def _ownership(config: NetworkConfig, factory: LayerFactory, trunk: Any, outputs: dict[str, Any]) -> Any:
    size = ARCHITECTURES[config.architecture].ownership_size
    logits = factory.convolution(trunk, 1, size, "owner", activation=None, first="glorot_uniform")
    probability = layers.Activation("sigmoid", dtype="float32", name="probability")(logits)
    return ops.squeeze(probability, axis=-1)


def _policy(
    config: NetworkConfig, factory: LayerFactory, trunk: Any, outputs: dict[str, Any], name: str = "policy"
) -> Any:
    """Return probabilities of moves: points see the trunk and the board as a whole, the pass the board alone."""
    filters = config.filters // 2
    x = factory.convolution(trunk, filters, 1, name, activation=None, first="glorot_uniform")
    board = factory.board(factory.relu(x))
    x = factory.relu(factory.add(x, layers.Dense(filters, dtype="float32", name=f"{name}_board")(board)))
    last = {"kernel_initializer": "zeros", "dtype": "float32"}  # every move as likely as another
    points = layers.Reshape((-1,), dtype="float32")(
        layers.Conv2D(1, 1, use_bias=False, name=f"{name}_point", **last)(x)
    )
    passing = layers.Reshape((1,), dtype="float32")(layers.Dense(1, name=f"{name}_pass", **last)(board))
    logits = layers.Concatenate(dtype="float32")([points, passing])
    return layers.Softmax(dtype="float32", name="move" if name == "policy" else f"{name}_move")(logits)


def _score(config: NetworkConfig, factory: LayerFactory, trunk: Any, outputs: dict[str, Any]) -> Any:
    return ScoreDistribution(config.filters, name="score")(trunk, outputs["ownership"])


def _resign(config: NetworkConfig, factory: LayerFactory, trunk: Any, outputs: dict[str, Any]) -> Any:
    board = layers.Flatten(dtype="float32")(factory.board(trunk))
    logits = layers.Dense(1, kernel_initializer="zeros", dtype="float32", name="resign")(board)
    return layers.Activation("sigmoid", dtype="float32", name="resignation")(logits)


def _margin(config: NetworkConfig, factory: LayerFactory, trunk: Any, outputs: dict[str, Any]) -> Any:
    """Return the margin: the sum over the ownership, to which the board as a whole adds points, and its spread."""
    x = factory.convolution(trunk, config.filters // 2, 1, "margin_points", first="glorot_uniform")
    board = layers.Flatten(dtype="float32")(factory.board(x))
    return MarginDistribution(config.filters, name="margin")(board, outputs["ownership"])


def _own(head: str, factory: LayerFactory, trunk: Any) -> Any:
    """Return the answer to the target of a package: at points from the trunk, else from the board as a whole."""
    target = find_target(head)
    answer = layers.Activation(_ACTIVATIONS[target.loss], dtype="float32", name=f"own_{head}_answer")
    if target.numbers is None:
        logits = factory.convolution(trunk, 1, 3, f"own_{head}", activation=None, first="glorot_uniform")
        return ops.squeeze(answer(logits), axis=-1)
    board = layers.Flatten(dtype="float32")(factory.board(trunk))
    return answer(layers.Dense(target.numbers, kernel_initializer="zeros", dtype="float32", name=f"own_{head}")(board))


# By the loss of a target.
_ACTIVATIONS = {
    "binary_crossentropy": "sigmoid",
    "mean_squared_error": "linear",
    "categorical_crossentropy": "softmax",
}
# The output of each head from the trunk; a head may read the outputs of the heads before it.
_OUTPUTS: dict[str, Callable[[NetworkConfig, LayerFactory, Any, dict[str, Any]], Any]] = {
    "ownership": _ownership,
    "policy": _policy,
    "score": _score,
    "resign": _resign,
    "margin": _margin,
    SOFT_POLICY: partial(_policy, name=SOFT_POLICY),
}
_BUILDERS: dict[str, Callable[[NetworkConfig, LayerFactory, Any, Sequence[str]], dict[str, Any]]] = {
    "classic5": _classic5,
    "residual": _residual,
    "stack": stack_outputs,
}
if _BUILDERS.keys() != ARCHITECTURES.keys():
    raise ImportError(
        "expected a builder here for each architecture in ownership.inference.network_config, and no other. "
        f"In one place only: {', '.join(sorted(_BUILDERS.keys() ^ ARCHITECTURES.keys()))}"
    )
