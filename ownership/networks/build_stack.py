"""The architecture `stack`: convolutions, then dense layers, as a `Stack` lists them."""

from collections.abc import Sequence
from typing import Any

from keras import layers, ops

from goban.errors import InputError
from ownership.inference.network_config import COLOUR, NetworkConfig
from ownership.inference.stack_config import Stack
from ownership.networks.layer_factory import LayerFactory
from ownership.networks.score_layers import ScoreDistribution
from ownership.networks.stack_layers import LocalResponse, PositionBias, SymmetricConv2D, Unfolded
from planes.feature_sets import parse_feature_set


def stack_trunk(config: NetworkConfig, stack: Stack, factory: LayerFactory, planes: Any) -> Any:
    """Return the output of the convolutions of a stack for planes (B, N, N, C): (B, N, N, filters of the last).

    Chain pooling, if configured, follows the convolution in the middle and the last one.
    """
    return _StackBuilder(config, stack, factory).trunk(planes)


def stack_outputs(
    config: NetworkConfig, factory: LayerFactory, planes: Any, auxiliary: Sequence[str]
) -> dict[str, Any]:
    """Return the outputs of a stack by head, as `build_network` describes them; it has no auxiliary heads."""
    if auxiliary:
        raise InputError(f"a recipe's stack has no head for the training alone. Received: {auxiliary[0]}")
    assert config.stack is not None
    return _StackBuilder(config, config.stack, factory).outputs(planes)


class _StackBuilder:
    """Makes the layers of one stack."""

    def __init__(self, config: NetworkConfig, stack: Stack, factory: LayerFactory) -> None:
        self._config, self._stack, self._factory = config, stack, factory

    def trunk(self, planes: Any) -> Any:
        stack, precision = self._stack, self._factory.precision
        x = planes if stack.colours == 1 else self._without_colour(planes)
        count = len(stack.layers)
        for number, (filters, kernel) in enumerate(stack.layers, start=1):
            x = self._convolution(x, filters, kernel, f"layer{number}")
            if stack.steps:
                x = self._unfolded(x, filters, kernel, f"layer{number}_steps")
            if stack.normalized:
                x = LocalResponse(dtype=precision)(x)
            if number in stack.pooled:
                x = layers.MaxPooling2D(2, padding="same", dtype=precision)(x)
            if number in ((count + 1) // 2, count):
                x = self._factory.chain_pooling(x)
        return x

    def outputs(self, planes: Any) -> dict[str, Any]:
        heads, trunk = self._config.heads, self.trunk(planes)
        features = self._dense(trunk) if self._stack.dense else trunk
        outputs: dict[str, Any] = {}
        if "ownership" in heads:
            outputs["ownership"] = self._ownership(features)
        if "policy" in heads or "resign" in heads:
            outputs |= self._moves(features, planes)
        if "score" in heads:
            outputs["score"] = ScoreDistribution(trunk.shape[-1], name="score")(trunk, outputs["ownership"])
        return {head: outputs[head] for head in heads}

    @property
    def _colour_plane(self) -> int:
        return parse_feature_set(self._config.feature_set).planes.index(COLOUR)

    def _without_colour(self, planes: Any) -> Any:
        place = self._colour_plane
        return ops.concatenate([planes[..., :place], planes[..., place + 1 :]], axis=-1)

    def _convolution(self, x: Any, filters: int, kernel: int, name: str, *, hidden: bool = True) -> Any:
        stack, factory = self._stack, self._factory
        activation = stack.activation if hidden else None
        first = "he_normal" if hidden else "glorot_uniform"
        if not stack.position_bias and not stack.symmetric:
            return factory.convolution(x, filters, kernel, name, activation=activation, first=first)
        kind = SymmetricConv2D if stack.symmetric else layers.Conv2D
        x = kind(
            filters,
            kernel,
            padding="same",
            use_bias=not stack.position_bias,
            kernel_initializer=factory.first(first),
            dtype=factory.precision,
            name=name,
        )(x)
        if stack.position_bias:
            initial = factory.first("zeros")
            x = PositionBias(stack.symmetric, initial, dtype=factory.precision, name=f"{name}_bias")(x)
        return layers.Activation(activation, dtype=factory.precision)(x) if activation else x

    def _unfolded(self, x: Any, filters: int, kernel: int, name: str) -> Any:
        layer = Unfolded(
            filters,
            kernel,
            self._stack.steps,
            self._stack.untied,
            self._stack.normalized,
            self._stack.activation,
            self._factory.first("he_normal"),
            dtype=self._factory.precision,
            name=name,
        )
        return layer(x)

    def _dense(self, x: Any) -> Any:
        """Return the output of the hidden dense layers, (B, units of the last)."""
        stack, precision = self._stack, self._factory.precision
        x = layers.Flatten(dtype=precision)(x)
        for number, units in enumerate(stack.dense, start=1):
            x = layers.Dense(
                units,
                activation=stack.activation,
                kernel_initializer=self._factory.first("he_normal"),
                dtype=precision,
                name=f"dense{number}",
            )(x)
            x = layers.Dropout(stack.dropout)(x) if stack.dropout else x
        return x

    def _points(self, features: Any, planes: int, extra: int, name: str) -> Any:
        """Return float32 logits of the points, plane by plane, then `extra` ones of the board, (B, ...)."""
        stack, factory = self._stack, self._factory
        if stack.dense:
            assert stack.side is not None
            units = stack.side**2 * planes + extra
            first = factory.first("glorot_uniform")
            x = layers.Dense(units, kernel_initializer=first, dtype="float32", name=name)(features)
            return layers.Dropout(stack.dropout)(x) if stack.dropout else x
        x = self._convolution(features, planes, stack.layers[-1][1], name, hidden=False)
        x = layers.Reshape((-1,), dtype="float32")(x)
        if not extra:
            return x
        board = layers.Dense(extra, dtype="float32", name=f"{name}_board")(factory.board(features))
        return layers.Concatenate(dtype="float32")([x, layers.Reshape((extra,), dtype="float32")(board)])

    def _ownership(self, features: Any) -> Any:
        stack = self._stack
        if not stack.dense:
            logits = self._convolution(features, 1, stack.layers[-1][1], "owner", hidden=False)
        else:
            assert stack.side is not None
            logits = self._points(features, 1, 0, "owner")
            logits = layers.Reshape((stack.side, stack.side, 1), dtype="float32")(logits)
        probability = layers.Activation("sigmoid", dtype="float32", name="probability")(logits)
        return ops.squeeze(probability, axis=-1)

    def _moves(self, features: Any, planes: Any) -> dict[str, Any]:
        """Return policy and resignation from one softmax over points, pass and resignation, as far as these are there.

        The policy is what moves have of it if neither player resigns; without a pass, that has no probability.
        """
        stack, resigns = self._stack, "resign" in self._config.heads
        if stack.colours == 2:
            logits = self._of_colour(self._points(features, 2, 0, "moves"), planes)
        else:
            logits = self._points(features, 1, stack.passes + resigns, "moves")
        outputs: dict[str, Any] = {}
        if resigns:
            outputs["resign"] = layers.Softmax(dtype="float32", name="outcome")(logits)[:, -1:]
            logits = logits[:, :-1]
        policy = layers.Softmax(dtype="float32", name="move")(logits)
        outputs["policy"] = policy if stack.passes else ops.pad(policy, ((0, 0), (0, 1)))
        return outputs

    def _of_colour(self, logits: Any, planes: Any) -> Any:
        """Return the side to move's logits, (B, N*N), given Black's and White's at each point, (B, 2*N*N)."""
        place = self._colour_plane
        black = planes[:, 0, 0, place : place + 1]
        pairs = layers.Reshape((-1, 2), dtype="float32")(logits)
        return pairs[:, :, 0] * black + pairs[:, :, 1] * (1 - black)
