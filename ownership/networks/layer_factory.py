"""The layers that all architectures are made of: convolutions, pooling over chains and over the board."""

from typing import Any

import keras
from keras import layers

from ownership.inference.network_config import INITIALIZERS, NetworkConfig
from ownership.networks.chain_pooling import ChainPooling

_INITIALIZERS = {
    "he_normal": lambda: keras.initializers.HeNormal(),
    "glorot_uniform": lambda: keras.initializers.GlorotUniform(),
    "narrow_uniform": lambda: keras.initializers.RandomUniform(-0.05, 0.05),
    "narrow_normal": lambda: keras.initializers.RandomNormal(0.0, 0.05),
}

assert _INITIALIZERS.keys() == set(INITIALIZERS)


class LayerFactory:
    """Makes the layers of a network, all of one precision and over one set of chains.

    Args:
        config: the network.
        precision: a Keras dtype policy.
        chains: the input of that name, None without chain pooling.
        initial: how first weights are drawn, of `network_config.INITIALIZERS`; None leaves that to each layer.
    """

    def __init__(self, config: NetworkConfig, precision: str, chains: Any, initial: str | None = None) -> None:
        self._config = config
        self.precision = precision
        self._chains = chains
        self._initial = initial

    def first(self, usual: str) -> Any:
        """Return the initializer of a kernel that is usually drawn in another way."""
        return _INITIALIZERS[self._initial]() if self._initial else usual

    def convolution(
        self, x: Any, filters: int, size: int, name: str, *, activation: str | None = "relu", first: str = "he_normal"
    ) -> Any:
        """Return the output of a convolution over zero-padded boards."""
        layer = layers.Conv2D(
            filters,
            size,
            padding="same",
            activation=activation,
            kernel_initializer=first if first == "zeros" else self.first(first),
            dtype=self.precision,
            name=name,
        )
        return layer(x)

    def relu(self, x: Any) -> Any:
        """Return the positive part."""
        return layers.Activation("relu", dtype=self.precision)(x)

    def add(self, x: Any, y: Any) -> Any:
        """Return the sum."""
        return layers.Add(dtype=self.precision)([x, y])

    def chain_pooling(self, x: Any) -> Any:
        """Return features pooled over chains, unchanged without chain pooling."""
        if self._chains is None:
            return x
        mean = self._config.chain_pooling == "max_mean"
        return ChainPooling(mean, dtype=self.precision)(x, self._chains)

    def board(self, x: Any) -> Any:
        """Return the mean and the maximum of every channel over the board, (B, 1, 1, 2C)."""
        mean = layers.GlobalAveragePooling2D(keepdims=True, dtype=self.precision)(x)
        maximum = layers.GlobalMaxPooling2D(keepdims=True, dtype=self.precision)(x)
        return layers.Concatenate(dtype=self.precision)([mean, maximum])

    def board_pooling(self, x: Any, name: str) -> Any:
        """Add the mean and the maximum over the board, through a dense layer, to every point."""
        if not self._config.board_pooling:
            return x
        return self.add(x, layers.Dense(x.shape[-1], dtype=self.precision, name=name)(self.board(x)))
