"""Build networks from their configuration. Loading, saving and training live elsewhere."""

from collections.abc import Callable
from typing import Any

import keras
from keras import layers, ops

from ownership.inference.config import ARCHITECTURES, NetworkConfig
from ownership.training.layers import ChainPooling, ScoreDistribution


def build_network(config: NetworkConfig, precision: str = "float32") -> keras.Model:
    """Return a network with fresh weights, for any batch and any board side. It does not compile the model.

    Args:
        config: which network.
        precision: a Keras dtype policy, `float32` or `mixed_bfloat16`; weights and outputs are float32 in both.

    Returns:
        a functional model. Inputs: `planes` (B, N, N, C) float32 and, with chain pooling, `chains` (B, N, N) int32.
        Outputs, those of `config.heads`, all float32 and seen by the side to move: `ownership` (B, N, N), the
        probability that it owns the point; `policy` (B, N*N + 1), the probability that it plays at the point of that
        flat index, the last being a pass; `score` (B, 2), its expected area minus the other's in points, komi left
        out, which is the sum over `ownership`, and the standard deviation.
    """
    inputs = {"planes": keras.Input((None, None, config.channels), name="planes", dtype="float32")}
    if config.reads_chains:
        inputs["chains"] = keras.Input((None, None), name="chains", dtype="int32")
    parts = _Parts(config, precision, inputs.get("chains"))
    trunk = _TRUNKS[config.architecture](config, parts, inputs["planes"])
    outputs: dict[str, Any] = {}
    for head in config.heads:
        if head not in _OUTPUTS:
            raise NotImplementedError(f"networks._OUTPUTS must have an entry for every head. Missing: {head}")
        outputs[head] = _OUTPUTS[head](config, parts, trunk, outputs)
    return keras.Model(inputs, outputs, name=config.architecture)


class _Parts:
    """The layers that networks are made of, all of one precision and over one set of chains."""

    def __init__(self, config: NetworkConfig, precision: str, chains: Any) -> None:
        self._config = config
        self._precision = precision
        self._chains = chains

    def convolution(
        self, x: Any, filters: int, size: int, name: str, *, activation: str | None = "relu", first: str = "he_normal"
    ) -> Any:
        layer = layers.Conv2D(
            filters,
            size,
            padding="same",
            activation=activation,
            kernel_initializer=first,
            dtype=self._precision,
            name=name,
        )
        return layer(x)

    def relu(self, x: Any) -> Any:
        return layers.Activation("relu", dtype=self._precision)(x)

    def add(self, x: Any, y: Any) -> Any:
        return layers.Add(dtype=self._precision)([x, y])

    def chain_pooling(self, x: Any) -> Any:
        if self._chains is None:
            return x
        mean = self._config.chain_pooling == "max_mean"
        return ChainPooling(mean, dtype=self._precision)(x, self._chains)

    def board(self, x: Any) -> Any:
        """Return the mean and the maximum of every channel over the board, (B, 1, 1, 2C)."""
        mean = layers.GlobalAveragePooling2D(keepdims=True, dtype=self._precision)(x)
        maximum = layers.GlobalMaxPooling2D(keepdims=True, dtype=self._precision)(x)
        return layers.Concatenate(dtype=self._precision)([mean, maximum])

    def board_pooling(self, x: Any, name: str) -> Any:
        """Add the mean and the maximum over the board, through a dense layer, to every point."""
        if not self._config.board_pooling:
            return x
        return self.add(x, layers.Dense(x.shape[-1], dtype=self._precision, name=name)(self.board(x)))


def _classic5(config: NetworkConfig, parts: _Parts, planes: Any) -> Any:
    """The five-layer network of 2015; chain pooling follows its third and its last hidden layer."""
    wide, narrow = config.filters, config.filters * 3 // 4
    x = planes
    for number, filters in enumerate((wide, wide, wide, narrow, narrow), start=1):
        x = parts.convolution(x, filters, 5, f"layer{number}")
        if number in (3, 5):
            x = parts.chain_pooling(x)
    return x


def _residual(config: NetworkConfig, parts: _Parts, planes: Any) -> Any:
    """A tower of residual blocks; every second one pools over chains, where asked for, and over the board.

    Branches that begin as zero take the place of batch normalization (Zhang, Dauphin, Ma: Fixup Initialization, 2019).
    """
    x = parts.convolution(planes, config.filters, 5, "stem")
    for number in range(1, config.blocks + 1):
        x = parts.relu(parts.add(x, _branch(config, parts, x, number)))
    return x


def _branch(config: NetworkConfig, parts: _Parts, x: Any, number: int) -> Any:
    name = f"block{number}"
    x = parts.convolution(x, config.filters, 3, f"{name}_first")
    if number % 2 == 0 or config.blocks == 1:
        x = parts.board_pooling(parts.chain_pooling(x), f"{name}_board")
    return parts.convolution(x, config.filters, 3, f"{name}_second", activation=None, first="zeros")


def _ownership(config: NetworkConfig, parts: _Parts, trunk: Any, outputs: dict[str, Any]) -> Any:
    size = ARCHITECTURES[config.architecture].ownership_size
    logits = parts.convolution(trunk, 1, size, "owner", activation=None, first="glorot_uniform")
    probability = layers.Activation("sigmoid", dtype="float32", name="probability")(logits)
    return ops.squeeze(probability, axis=-1)


def _policy(config: NetworkConfig, parts: _Parts, trunk: Any, outputs: dict[str, Any]) -> Any:
    """Return probabilities of moves: points see the trunk and the board as a whole, the pass the board alone."""
    filters = config.filters // 2
    x = parts.convolution(trunk, filters, 1, "policy", activation=None, first="glorot_uniform")
    board = parts.board(parts.relu(x))
    x = parts.relu(parts.add(x, layers.Dense(filters, dtype="float32", name="policy_board")(board)))
    last = {"kernel_initializer": "zeros", "dtype": "float32"}  # every move as likely as another
    points = layers.Reshape((-1,), dtype="float32")(layers.Conv2D(1, 1, use_bias=False, name="policy_point", **last)(x))
    passing = layers.Reshape((1,), dtype="float32")(layers.Dense(1, name="policy_pass", **last)(board))
    logits = layers.Concatenate(dtype="float32")([points, passing])
    return layers.Softmax(dtype="float32", name="move")(logits)


def _score(config: NetworkConfig, parts: _Parts, trunk: Any, outputs: dict[str, Any]) -> Any:
    return ScoreDistribution(config.filters, name="score")(trunk, outputs["ownership"])


# The output of each head from the trunk; a head may read the outputs of the heads before it.
_OUTPUTS: dict[str, Callable[[NetworkConfig, _Parts, Any, dict[str, Any]], Any]] = {
    "ownership": _ownership,
    "policy": _policy,
    "score": _score,
}
_TRUNKS: dict[str, Callable[[NetworkConfig, _Parts, Any], Any]] = {"classic5": _classic5, "residual": _residual}
if _TRUNKS.keys() != ARCHITECTURES.keys():
    raise ImportError(
        "expected a builder here for each architecture in ownership.inference.config, and no other. "
        f"In one place only: {', '.join(sorted(_TRUNKS.keys() ^ ARCHITECTURES.keys()))}"
    )
