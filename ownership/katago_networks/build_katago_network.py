"""KataGo's networks as Keras models, for any batch and any board side."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import keras
from keras import layers, ops

from ownership.katago_networks.katago_layers import (
    Affine,
    BoardPooling,
    Outcome,
    RootMeanSquareNormalization,
    RotaryAttention,
    ScoreScale,
)
from ownership.katago_networks.network_parts import (
    Attention,
    Block,
    Convolution,
    FeedForward,
    KataGoModel,
    Nested,
    Normalization,
    PolicyHead,
    Pooling,
    Residual,
    RootMeanSquare,
    ValueHead,
    Weights,
)
from planes.katago_inputs import KATAGO_NUMBERS, KATAGO_PLANES


def build_katago_network(model: KataGoModel) -> keras.Model:
    """Return the network of a file as a functional float32 model.

    Args:
        model: from `read_model`.

    Returns:
        Inputs: `planes` (B, N, N, 22) and `globals` (B, 19), float32. Outputs, all from the point of view of the side
        to move: `ownership` (B, N, N), the probability that it owns the point; `policy` (B, N*N + 1), the probability
        of each move by flat index, the last being the pass, illegal moves included; `score` (B, 2), its lead and the
        standard deviation of the score in points; `value` (B, 3), the probability that it wins, loses, no result.
    """
    planes = keras.Input((None, None, KATAGO_PLANES), name="planes", dtype="float32")
    inputs = keras.Input((KATAGO_NUMBERS,), name="globals", dtype="float32")
    builder = _Builder()
    x = builder.convolution(planes, model.planes)
    x = layers.Add()([x, builder.over_board(builder.dense(inputs, model.globals))])
    x = builder.stack(x, model.blocks)
    x = builder.normalized(x, model.tip)
    outputs = {"policy": _policy(builder, x, model.policy), **_value(builder, x, inputs, model)}
    return keras.Model({"planes": planes, "globals": inputs}, outputs, name="katago")


class _Builder:
    """Adds layers with given weights."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def _name(self, kind: str) -> str:
        return f"{kind}_{next(self._numbers)}"

    def convolution(
        self, x: Any, weights: Convolution, scale: Weights | None = None, bias: Weights | None = None
    ) -> Any:
        """Apply a convolution whose outputs are multiplied by `scale`, with `bias` added."""
        kernel = weights.kernel if scale is None else weights.kernel * scale
        layer = layers.Conv2D(
            kernel.shape[3],
            kernel.shape[:2],
            padding="same",
            dilation_rate=weights.dilation,
            use_bias=bias is not None,
            name=self._name("convolution"),
        )
        layer.build(x.shape)
        layer.set_weights([kernel] if bias is None else [kernel, bias])
        return layer(x)

    def dense(self, x: Any, matrix: Weights, bias: Weights | None = None) -> Any:
        layer = layers.Dense(matrix.shape[1], use_bias=bias is not None, name=self._name("dense"))
        layer.build(x.shape)
        layer.set_weights([matrix] if bias is None else [matrix, bias])
        return layer(x)

    def over_board(self, x: Any) -> Any:
        """Return (B, 1, 1, C) of (B, C)."""
        return layers.Reshape((1, 1, x.shape[-1]))(x)

    def activated(self, x: Any, activation: str) -> Any:
        return x if activation == "identity" else layers.Activation(activation)(x)

    def normalized(self, x: Any, norm: Normalization | RootMeanSquare) -> Any:
        if isinstance(norm, RootMeanSquare):
            x = _weighted(RootMeanSquareNormalization(norm.epsilon, norm.spatial), x, [norm.scale, norm.bias])
        else:
            x = _weighted(Affine(), x, [norm.scale, norm.bias])
        return self.activated(x, norm.activation)

    def stack(self, x: Any, blocks: Sequence[Block]) -> Any:
        for block in blocks:
            x = layers.Add()([x, _BRANCHES[type(block)](self, x, block)])
        return x


def _weighted(layer: Any, x: Any, weights: list[Weights]) -> Any:
    layer.build(x.shape)
    layer.set_weights(weights)
    return layer(x)


def _residual(builder: _Builder, x: Any, block: Residual) -> Any:
    x = builder.normalized(x, block.first)
    x = builder.convolution(x, block.regular, block.middle.scale, block.middle.bias)
    return builder.convolution(builder.activated(x, block.middle.activation), block.last)


def _pooling(builder: _Builder, x: Any, block: Pooling) -> Any:
    x = builder.normalized(x, block.first)
    pooled = builder.convolution(x, block.pooled, block.pooled_norm.scale, block.pooled_norm.bias)
    pooled = BoardPooling()(builder.activated(pooled, block.pooled_norm.activation))
    bias = builder.dense(pooled, block.pooled_to_bias * block.middle.scale, block.middle.bias)
    x = builder.convolution(x, block.regular, block.middle.scale)
    x = layers.Add()([x, builder.over_board(bias)])
    return builder.convolution(builder.activated(x, block.middle.activation), block.last)


def _nested(builder: _Builder, x: Any, block: Nested) -> Any:
    x = builder.convolution(builder.normalized(x, block.first), block.narrow)
    x = builder.stack(x, block.blocks)
    return builder.convolution(builder.normalized(x, block.middle), block.wide)


def _attention(builder: _Builder, x: Any, block: Attention) -> Any:
    x = builder.normalized(x, block.norm)
    query, key, value = (builder.dense(x, matrix) for matrix in (block.query, block.key, block.value))
    layer = RotaryAttention(block.heads, block.key_heads, block.frequencies)
    return builder.dense(layer(query, key, value), block.out)


def _feed_forward(builder: _Builder, x: Any, block: FeedForward) -> Any:
    x = builder.normalized(x, block.norm)
    gated = layers.Multiply()([builder.activated(builder.dense(x, block.linear), "silu"), builder.dense(x, block.gate)])
    return builder.dense(gated, block.out)


_BRANCHES: dict[type, Callable[[_Builder, Any, Any], Any]] = {
    Residual: _residual,
    Pooling: _pooling,
    Nested: _nested,
    Attention: _attention,
    FeedForward: _feed_forward,
}


def _policy(builder: _Builder, trunk: Any, head: PolicyHead) -> Any:
    norm = head.pooled_norm
    pooled = builder.activated(builder.convolution(trunk, head.pooled, norm.scale, norm.bias), norm.activation)
    pooled = BoardPooling()(pooled)
    bias = builder.dense(pooled, head.pooled_to_bias * head.points_norm.scale, head.points_norm.bias)
    x = builder.convolution(trunk, head.points, head.points_norm.scale)
    x = builder.activated(layers.Add()([x, builder.over_board(bias)]), head.points_norm.activation)
    points = builder.convolution(x, Convolution(head.logits.kernel[..., :1], head.logits.dilation))
    passing = _pass_logit(builder, pooled, head)
    logits = layers.Concatenate()([layers.Reshape((-1,))(points), passing])
    return layers.Softmax(name="policy")(logits)


def _pass_logit(builder: _Builder, pooled: Any, head: PolicyHead) -> Any:
    if head.pass_out is None:
        return builder.dense(pooled, head.pass_hidden[:, :1])
    hidden = builder.activated(builder.dense(pooled, head.pass_hidden, head.pass_bias), head.pass_activation)
    return builder.dense(hidden, head.pass_out[:, :1])


def _value(builder: _Builder, trunk: Any, inputs: Any, model: KataGoModel) -> dict[str, Any]:
    head: ValueHead = model.value
    norm = head.hidden_norm
    x = builder.activated(builder.convolution(trunk, head.hidden, norm.scale, norm.bias), norm.activation)
    pooled = builder.dense(BoardPooling(squared=True)(x), head.pooled, head.pooled_bias)
    pooled = builder.activated(pooled, head.pooled_activation)
    value = Outcome(name="value")(builder.dense(pooled, head.value, head.value_bias), inputs)
    # The second output is the deviation before softplus, the third the lead.
    score = builder.dense(pooled, head.score[:, 1:3], head.score_bias[1:3])
    score = ScoreScale(model.multipliers.lead, model.multipliers.deviation, name="score")(score, value)
    owner = layers.Activation("tanh")(builder.convolution(x, head.ownership))
    probability = layers.Rescaling(0.5, 0.5)(owner)
    return {"ownership": ops.squeeze(probability, axis=-1), "score": score, "value": value}
