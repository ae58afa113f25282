"""The layers of KataGo's networks that Keras lacks."""

from typing import Any

import keras
import numpy as np
from keras import layers, ops

from ownership.katago_networks.network_parts import Weights

_CENTRE = 14.0  # board side that KataGo's pooling is centred on
_NEVER = 1e5  # logits below the others


@keras.saving.register_keras_serializable(package="ownership")
class Affine(layers.Layer):  # type: ignore[misc]
    """Multiplies every channel by a scale and adds a bias."""

    def build(self, shape: Any) -> None:
        """Make the weights."""
        self.scale = self.add_weight(shape=(shape[-1],), name="scale", initializer="ones")
        self.bias = self.add_weight(shape=(shape[-1],), name="bias", initializer="zeros")

    def call(self, x: Any) -> Any:
        return x * self.scale + self.bias


@keras.saving.register_keras_serializable(package="ownership")
class RootMeanSquareNormalization(layers.Layer):  # type: ignore[misc]
    """Divides by the root mean square over the channels, or over channels and board, then scales and adds a bias."""

    def __init__(self, epsilon: float, spatial: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.epsilon = epsilon
        self.spatial = spatial

    def build(self, shape: Any) -> None:
        """Make the weights."""
        self.scale = self.add_weight(shape=(shape[-1],), name="scale", initializer="ones")
        self.bias = self.add_weight(shape=(shape[-1],), name="bias", initializer="zeros")

    def call(self, x: Any) -> Any:
        mean = ops.mean(ops.square(x), axis=(1, 2, 3) if self.spatial else -1, keepdims=True)
        return x * ops.rsqrt(mean + self.epsilon) * self.scale + self.bias

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), "epsilon": self.epsilon, "spatial": self.spatial}


@keras.saving.register_keras_serializable(package="ownership")
class BoardPooling(layers.Layer):  # type: ignore[misc]
    """Pools (B, N, N, C) over the board to (B, 3C): the mean, the mean times the board side, and the maximum.

    Args:
        squared: the mean times the square of the board side in place of the maximum.
    """

    def __init__(self, squared: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.squared = squared

    def call(self, x: Any) -> Any:
        mean = ops.mean(x, axis=(1, 2))
        side = (ops.cast(ops.shape(x)[1], "float32") - _CENTRE) * 0.1
        last = mean * (side * side - 0.1) if self.squared else ops.max(x, axis=(1, 2))
        return ops.concatenate([mean, mean * side, last], axis=1)

    def compute_output_shape(self, shape: Any) -> Any:
        """Return (B, 3C)."""
        return (shape[0], 3 * shape[-1])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), "squared": self.squared}


@keras.saving.register_keras_serializable(package="ownership")
class RotaryAttention(layers.Layer):  # type: ignore[misc]
    """Attention of every point to every point; pairs of channels of queries and keys turn by column and row.

    Args:
        heads: of the queries. key_heads: of keys and values, a divisor of `heads`.
        frequencies: (key_heads or 1, pairs, 2), see `network_parts.Attention`; None for no rotation.
    """

    def __init__(self, heads: int, key_heads: int, frequencies: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self.heads = heads
        self.key_heads = key_heads
        self.frequencies = None if frequencies is None else np.asarray(frequencies, np.float32)

    def call(self, query: Any, key: Any, value: Any) -> Any:
        batch, rows, columns, _ = ops.shape(query)
        query, key, value = (
            ops.reshape(x, (batch, rows * columns, heads, x.shape[-1] // heads))
            for x, heads in ((query, self.heads), (key, self.key_heads), (value, self.key_heads))
        )
        if self.frequencies is not None:
            query = _turned(query, rows, columns, self.frequencies)
            key = _turned(key, rows, columns, self.frequencies)
        group = self.heads // self.key_heads
        if group > 1:
            key, value = ops.repeat(key, group, axis=2), ops.repeat(value, group, axis=2)
        scores = ops.einsum("bqhc,bkhc->bhqk", query, key) / float(np.sqrt(query.shape[-1]))
        mixed = ops.einsum("bhqk,bkhc->bqhc", ops.softmax(scores, axis=-1), value)
        return ops.reshape(mixed, (batch, rows, columns, self.heads * value.shape[-1]))

    def compute_output_shape(self, query_shape: Any, key_shape: Any, value_shape: Any) -> Any:
        """Return the shape of the queries with the channels of the values of all heads."""
        return (*query_shape[:-1], value_shape[-1] // self.key_heads * self.heads)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        frequencies = None if self.frequencies is None else self.frequencies.tolist()
        return {
            **super().get_config(),
            "heads": self.heads,
            "key_heads": self.key_heads,
            "frequencies": frequencies,
        }


def _turned(x: Any, rows: Any, columns: Any, frequencies: Weights) -> Any:
    """Turn each pair of channels of (B, N*N, heads, C) by the angle of its column and row."""
    points, heads = ops.arange(rows * columns, dtype="int32"), x.shape[2]
    row, column = ops.cast(points // columns, "float32"), ops.cast(points % columns, "float32")
    turning = np.repeat(frequencies, heads // len(frequencies), axis=0)
    angle = column[:, None, None] * turning[..., 0] + row[:, None, None] * turning[..., 1]
    cosine, sine = ops.cos(angle), ops.sin(angle)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = ops.stack([first * cosine - second * sine, first * sine + second * cosine], axis=-1)
    return ops.reshape(turned, (-1, rows * columns, heads, x.shape[-1]))


@keras.saving.register_keras_serializable(package="ownership")
class Outcome(layers.Layer):  # type: ignore[misc]
    """Turns logits (B, 3) and the network's `globals` (B, 19) into the probabilities of win, loss and no result.

    There is always a result with superko and area scoring.
    """

    def call(self, logits: Any, inputs: Any) -> Any:
        decided = inputs[:, 6:7] * (1 - inputs[:, 9:10])
        return ops.softmax(ops.concatenate([logits[:, :2], logits[:, 2:] - _NEVER * decided], axis=1), axis=-1)

    def compute_output_shape(self, logits_shape: Any, inputs_shape: Any) -> Any:
        """Return (B, 3)."""
        return logits_shape


@keras.saving.register_keras_serializable(package="ownership")
class ScoreScale(layers.Layer):  # type: ignore[misc]
    """Turns raw deviation and lead (B, 2), and the value (B, 3), into lead and standard deviation in points (B, 2)."""

    def __init__(self, lead: float, deviation: float, **options: Any) -> None:
        super().__init__(**options)
        self.lead = lead
        self.deviation = deviation

    def call(self, raw: Any, value: Any) -> Any:
        played = 1 - value[:, 2:]
        return ops.concatenate([raw[:, 1:] * self.lead * played, ops.softplus(raw[:, :1]) * self.deviation], axis=1)

    def compute_output_shape(self, raw_shape: Any, value_shape: Any) -> Any:
        """Return (B, 2)."""
        return (raw_shape[0], 2)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), "lead": self.lead, "deviation": self.deviation}
