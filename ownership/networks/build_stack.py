"""The architecture `stack`: convolutions, then dense layers, as a `Stack` lists them."""

from collections.abc import Sequence
from typing import Any

from keras import layers, ops

from goban.errors import InputError
from ownership.inference.network_config import COLOUR, NetworkConfig, Stack
from ownership.networks.custom_layers import ScoreDistribution
from ownership.networks.layer_factory import Parts
from ownership.networks.stack_layers import LocalResponse, PositionBias, SymmetricConv2D, Unfolded
from planes.feature_sets import parse_feature_set


def stack_trunk(config: NetworkConfig, stack: Stack, parts: Parts, planes: Any) -> Any:
    """Return the output of the convolutions of a stack for planes (B, N, N, C): (B, N, N, filters of the last).

    Chain pooling, if configured, follows the convolution in the middle and the last one.
    """
    x = planes if stack.colours == 1 else _without_colour(config, planes)
    count = len(stack.layers)
    for number, (filters, kernel) in enumerate(stack.layers, start=1):
        x = _convolution(stack, parts, x, filters, kernel, f"layer{number}")
        if stack.steps:
            x = _unfolded(stack, parts, x, filters, kernel, f"layer{number}_steps")
        if stack.normalized:
            x = LocalResponse(dtype=parts.precision)(x)
        if number in stack.pooled:
            x = layers.MaxPooling2D(2, padding="same", dtype=parts.precision)(x)
        if number in ((count + 1) // 2, count):
            x = parts.chain_pooling(x)
    return x


def stack_outputs(config: NetworkConfig, parts: Parts, planes: Any, auxiliary: Sequence[str]) -> dict[str, Any]:
    """Return the outputs of a stack by head, as `networks.build_network` describes them; it has no auxiliary heads."""
    if auxiliary:
        raise InputError(f"a recipe's stack has no head for the training alone. Received: {auxiliary[0]}")
    stack = config.stack
    assert stack is not None
    trunk = stack_trunk(config, stack, parts, planes)
    features = _dense(stack, parts, trunk) if stack.dense else trunk
    outputs: dict[str, Any] = {}
    if "ownership" in config.heads:
        outputs["ownership"] = _ownership(stack, parts, features)
    if "policy" in config.heads or "resign" in config.heads:
        outputs |= _moves(config, stack, parts, features, planes)
    if "score" in config.heads:
        outputs["score"] = ScoreDistribution(trunk.shape[-1], name="score")(trunk, outputs["ownership"])
    return {head: outputs[head] for head in config.heads}


def _without_colour(config: NetworkConfig, planes: Any) -> Any:
    place = parse_feature_set(config.feature_set).planes.index(COLOUR)
    return ops.concatenate([planes[..., :place], planes[..., place + 1 :]], axis=-1)


def _convolution(
    stack: Stack, parts: Parts, x: Any, filters: int, kernel: int, name: str, *, hidden: bool = True
) -> Any:
    activation = stack.activation if hidden else None
    first = "he_normal" if hidden else "glorot_uniform"
    if not stack.position_bias and not stack.symmetric:
        return parts.convolution(x, filters, kernel, name, activation=activation, first=first)
    kind = SymmetricConv2D if stack.symmetric else layers.Conv2D
    x = kind(
        filters,
        kernel,
        padding="same",
        use_bias=not stack.position_bias,
        kernel_initializer=parts.first(first),
        dtype=parts.precision,
        name=name,
    )(x)
    if stack.position_bias:
        initial = parts.first("zeros")
        x = PositionBias(stack.symmetric, initial, dtype=parts.precision, name=f"{name}_bias")(x)
    return layers.Activation(activation, dtype=parts.precision)(x) if activation else x


def _unfolded(stack: Stack, parts: Parts, x: Any, filters: int, kernel: int, name: str) -> Any:
    layer = Unfolded(
        filters,
        kernel,
        stack.steps,
        stack.untied,
        stack.normalized,
        stack.activation,
        parts.first("he_normal"),
        dtype=parts.precision,
        name=name,
    )
    return layer(x)


def _dense(stack: Stack, parts: Parts, x: Any) -> Any:
    """Return the output of the hidden dense layers, (B, units of the last)."""
    x = layers.Flatten(dtype=parts.precision)(x)
    for number, units in enumerate(stack.dense, start=1):
        x = layers.Dense(
            units,
            activation=stack.activation,
            kernel_initializer=parts.first("he_normal"),
            dtype=parts.precision,
            name=f"dense{number}",
        )(x)
        x = layers.Dropout(stack.dropout)(x) if stack.dropout else x
    return x


def _points(stack: Stack, parts: Parts, features: Any, planes: int, extra: int, name: str) -> Any:
    """Return float32 logits of the points, so many planes of them, then `extra` ones of the board, (B, ...)."""
    if stack.dense:
        assert stack.side is not None
        units = stack.side**2 * planes + extra
        first = parts.first("glorot_uniform")
        x = layers.Dense(units, kernel_initializer=first, dtype="float32", name=name)(features)
        return layers.Dropout(stack.dropout)(x) if stack.dropout else x
    x = _convolution(stack, parts, features, planes, stack.layers[-1][1], name, hidden=False)
    x = layers.Reshape((-1,), dtype="float32")(x)
    if not extra:
        return x
    board = layers.Dense(extra, dtype="float32", name=f"{name}_board")(parts.board(features))
    return layers.Concatenate(dtype="float32")([x, layers.Reshape((extra,), dtype="float32")(board)])


def _ownership(stack: Stack, parts: Parts, features: Any) -> Any:
    if not stack.dense:
        logits = _convolution(stack, parts, features, 1, stack.layers[-1][1], "owner", hidden=False)
    else:
        assert stack.side is not None
        logits = _points(stack, parts, features, 1, 0, "owner")
        logits = layers.Reshape((stack.side, stack.side, 1), dtype="float32")(logits)
    probability = layers.Activation("sigmoid", dtype="float32", name="probability")(logits)
    return ops.squeeze(probability, axis=-1)


def _moves(config: NetworkConfig, stack: Stack, parts: Parts, features: Any, planes: Any) -> dict[str, Any]:
    """Return policy and resignation from one softmax over points, pass and resignation, as far as these are there.

    The policy is what moves have of it if neither player resigns; without a pass, that has no probability.
    """
    extra = stack.passes + ("resign" in config.heads)
    if stack.colours == 2:
        logits = _of_colour(config, _points(stack, parts, features, 2, 0, "moves"), planes)
    else:
        logits = _points(stack, parts, features, 1, extra, "moves")
    outputs: dict[str, Any] = {}
    if "resign" in config.heads:
        outputs["resign"] = layers.Softmax(dtype="float32", name="outcome")(logits)[:, -1:]
        logits = logits[:, :-1]
    policy = layers.Softmax(dtype="float32", name="move")(logits)
    outputs["policy"] = policy if stack.passes else ops.pad(policy, ((0, 0), (0, 1)))
    return outputs


def _of_colour(config: NetworkConfig, logits: Any, planes: Any) -> Any:
    """Return the logits of the side to move, (B, N*N), of those of Black and White at each point, (B, 2*N*N)."""
    place = parse_feature_set(config.feature_set).planes.index(COLOUR)
    black = planes[:, 0, 0, place : place + 1]
    pairs = layers.Reshape((-1, 2), dtype="float32")(logits)
    return pairs[:, :, 0] * black + pairs[:, :, 1] * (1 - black)
