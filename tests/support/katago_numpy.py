"""KataGo's networks in plain NumPy: the formulas of their blocks and heads, from the weights of a file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ownership.katago_networks.network_parts import (
    Attention,
    Block,
    Convolution,
    FeedForward,
    KataGoModel,
    Nested,
    Normalization,
    Pooling,
    RootMeanSquare,
)

Array = NDArray[np.float64]


def answers(model: KataGoModel, planes: NDArray[np.float32], numbers: NDArray[np.float32]) -> dict[str, Array]:
    """Return the outputs of a network as `build_katago_network` names them, for planes (B, N, N, 22) and (B, 19)."""
    x = _convolved(planes.astype(float), model.planes) + (numbers @ model.globals)[:, None, None]
    x = _normalized(_through(x, model.blocks), model.tip)
    policy, value = model.policy, model.value

    pooled = _pooled(_normalized(_convolved(x, policy.pooled), policy.pooled_norm))
    points = _convolved(x, policy.points) + (pooled @ policy.pooled_to_bias)[:, None, None]
    logits = _convolved(_normalized(points, policy.points_norm), policy.logits)[..., 0].reshape(len(x), -1)
    passing = pooled @ policy.pass_hidden
    if policy.pass_bias is not None and policy.pass_out is not None:
        passing = _activated(passing + policy.pass_bias, policy.pass_activation) @ policy.pass_out
    moves = _softmax(np.hstack([logits, passing[:, :1]]))

    x = _normalized(_convolved(x, value.hidden), value.hidden_norm)
    pooled = _activated(_pooled(x, of_values=True) @ value.pooled + value.pooled_bias, value.pooled_activation)
    outcome = pooled @ value.value + value.value_bias
    outcome[:, 2] -= 1e5 * numbers[:, 6] * (1 - numbers[:, 9])  # superko and area scoring always have a result
    chances = _softmax(outcome)
    raw = pooled @ value.score + value.score_bias
    lead = raw[:, 2] * model.multipliers.lead * (1 - chances[:, 2])
    deviation = np.log1p(np.exp(raw[:, 1])) * model.multipliers.deviation
    ownership = (1 + np.tanh(_convolved(x, value.ownership)[..., 0])) / 2
    return {"policy": moves, "value": chances, "score": np.column_stack([lead, deviation]), "ownership": ownership}


def _through(x: Array, blocks: tuple[Block, ...]) -> Array:
    for block in blocks:
        x = x + _branch(x, block)
    return x


def _branch(x: Array, block: Block) -> Array:
    if isinstance(block, Attention):
        return _attended(_normalized(x, block.norm), block)
    if isinstance(block, FeedForward):
        x = _normalized(x, block.norm)
        product: Array = (_activated(x @ block.linear, "silu") * (x @ block.gate)) @ block.out
        return product
    inside = _normalized(x, block.first)
    if isinstance(block, Nested):
        inside = _through(_convolved(inside, block.narrow), block.blocks)
        return _convolved(_normalized(inside, block.middle), block.wide)
    x = _convolved(inside, block.regular)
    if isinstance(block, Pooling):
        pooled = _pooled(_normalized(_convolved(inside, block.pooled), block.pooled_norm))
        x = x + (pooled @ block.pooled_to_bias)[:, None, None]
    return _convolved(_normalized(x, block.middle), block.last)


def _convolved(x: Array, convolution: Convolution) -> Array:
    kernel, (rows, columns) = convolution.kernel, convolution.dilation
    side = x.shape[1]
    down, right = (kernel.shape[0] - 1) // 2 * rows, (kernel.shape[1] - 1) // 2 * columns
    padded = np.pad(x, ((0, 0), (down, down), (right, right), (0, 0)))
    parts = [
        padded[:, row * rows : row * rows + side, column * columns : column * columns + side] @ kernel[row, column]
        for row in range(kernel.shape[0])
        for column in range(kernel.shape[1])
    ]
    total: Array = np.sum(parts, axis=0)
    return total


def _normalized(x: Array, norm: Normalization | RootMeanSquare) -> Array:
    if isinstance(norm, RootMeanSquare):
        over = (1, 2, 3) if norm.spatial else -1
        x = x / np.sqrt((x**2).mean(axis=over, keepdims=True) + norm.epsilon)
    return _activated(x * norm.scale + norm.bias, norm.activation)


def _activated(x: Array, activation: str) -> Array:
    functions: dict[str, Any] = {
        "identity": lambda x: x,
        "relu": lambda x: np.maximum(x, 0),
        "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
        "silu": lambda x: x / (1 + np.exp(-x)),
    }
    result: Array = functions[activation](x)
    return result


def _pooled(x: Array, *, of_values: bool = False) -> Array:
    mean, from_14 = x.mean(axis=(1, 2)), (x.shape[1] - 14) / 10
    third = mean * (from_14**2 - 0.1) if of_values else x.max(axis=(1, 2))
    return np.hstack([mean, mean * from_14, third])


def _softmax(logits: Array) -> Array:
    exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = exponents / exponents.sum(axis=1, keepdims=True)
    return shares


def _attended(x: Array, block: Attention) -> Array:
    """Return the answer of attention without rotary positions, each key head serving the next heads of queries."""
    batch, side = x.shape[:2]
    query, key, value = (
        (x @ matrix).reshape(batch, side * side, -1) for matrix in (block.query, block.key, block.value)
    )
    width = query.shape[-1] // block.heads
    heads = []
    for head in range(block.heads):
        shared = head * block.key_heads // block.heads
        mine, theirs = (slice(number * width, (number + 1) * width) for number in (head, shared))
        scores = query[..., mine] @ key[..., theirs].transpose(0, 2, 1) / np.sqrt(width)
        exponents = np.exp(scores - scores.max(axis=-1, keepdims=True))
        wide = value.shape[-1] // block.key_heads
        heads.append(
            exponents / exponents.sum(axis=-1, keepdims=True) @ value[..., shared * wide : (shared + 1) * wide]
        )
    joined: Array = np.concatenate(heads, axis=-1).reshape(batch, side, side, -1) @ block.out
    return joined
