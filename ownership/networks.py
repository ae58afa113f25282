"""Builds networks from their configuration. Loading, saving and training live elsewhere."""

from collections.abc import Callable
from typing import Any

import keras
from keras import layers, ops

from ownership.chain_pooling import ChainPooling
from ownership.network_config import ARCHITECTURES, NetworkConfig, NetworkConfigError

__all__ = ["ARCHITECTURES", "NetworkConfig", "NetworkConfigError", "build_network"]


def build_network(config: NetworkConfig, precision: str = "float32") -> keras.Model:
    """A network with fresh weights, for any batch and any board side.

    Args:
        config: which network.
        precision: a Keras dtype policy, `float32` or `mixed_bfloat16`; weights and output are float32 in both.

    Returns:
        a functional model. Inputs: `planes` (B, N, N, C) float32 and, with chain pooling, `chains` (B, N, N) int32.
        Output: `ownership` (B, N, N) float32, the probability that the side to move owns the point.

    It does not compile the model.
    """
    inputs = {"planes": keras.Input((None, None, config.channels), name="planes", dtype="float32")}
    if config.chain_pooling:
        inputs["chains"] = keras.Input((None, None), name="chains", dtype="int32")
    logits = _BODIES[config.architecture](config, _Parts(precision, inputs.get("chains")), inputs["planes"])
    probability = layers.Activation("sigmoid", dtype="float32", name="probability")(logits)
    return keras.Model(inputs, {"ownership": ops.squeeze(probability, axis=-1)}, name=config.architecture)


class _Parts:
    """The layers that networks are made of, all of one precision and over one set of chains."""

    def __init__(self, precision: str, chains: Any) -> None:
        self._precision = precision
        self._chains = chains

    def convolution(self, x: Any, filters: int, size: int, *, activation: str | None = "relu") -> Any:
        layer = layers.Conv2D(
            filters,
            size,
            padding="same",
            activation=activation,
            kernel_initializer="he_normal" if activation else "glorot_uniform",
            dtype=self._precision,
        )
        return layer(x)

    def normalized(self, x: Any, filters: int, size: int) -> Any:
        convolution = layers.Conv2D(
            filters, size, padding="same", use_bias=False, kernel_initializer="he_normal", dtype=self._precision
        )
        return layers.BatchNormalization(momentum=0.9, dtype=self._precision)(convolution(x))

    def relu(self, x: Any) -> Any:
        return layers.Activation("relu", dtype=self._precision)(x)

    def add(self, x: Any, y: Any) -> Any:
        return layers.Add(dtype=self._precision)([x, y])

    def chain_pooling(self, x: Any) -> Any:
        return x if self._chains is None else ChainPooling(dtype=self._precision)(x, self._chains)

    def global_bias(self, x: Any, filters: int) -> Any:
        """Adds to every point what the mean and the maximum over the board say."""
        mean = layers.GlobalAveragePooling2D(keepdims=True, dtype=self._precision)(x)
        maximum = layers.GlobalMaxPooling2D(keepdims=True, dtype=self._precision)(x)
        board = layers.Concatenate(dtype=self._precision)([mean, maximum])
        return self.add(x, layers.Dense(filters, dtype=self._precision)(board))


def _classic5(config: NetworkConfig, parts: _Parts, planes: Any) -> Any:
    """The five-layer network of 2015; chain pooling follows its third and its last hidden layer."""
    wide, narrow = config.filters, config.filters * 3 // 4
    x = planes
    for number, filters in enumerate((wide, wide, wide, narrow, narrow), start=1):
        x = parts.convolution(x, filters, 5)
        if number in (3, 5):
            x = parts.chain_pooling(x)
    return parts.convolution(x, 1, 5, activation=None)


def _residual(config: NetworkConfig, parts: _Parts, planes: Any) -> Any:
    """A tower of residual blocks; every second one pools over chains, where asked for, and over the board."""
    x = parts.relu(parts.normalized(planes, config.filters, 5))
    for number in range(1, config.blocks + 1):
        pooled = number % 2 == 0 or config.blocks == 1
        x = parts.relu(parts.add(x, _branch(config, parts, x, pooled)))
    return parts.convolution(x, 1, 3, activation=None)


def _branch(config: NetworkConfig, parts: _Parts, x: Any, pooled: bool) -> Any:
    x = parts.relu(parts.normalized(x, config.filters, 3))
    if pooled:
        x = parts.global_bias(parts.chain_pooling(x), config.filters)
    return parts.normalized(x, config.filters, 3)


_BODIES: dict[str, Callable[[NetworkConfig, _Parts, Any], Any]] = {"classic5": _classic5, "residual": _residual}
