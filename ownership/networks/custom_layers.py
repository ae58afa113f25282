"""Layers of our own, registered with Keras so that saved networks can be loaded: chain pooling, heads of the score."""

from math import expm1, log
from typing import Any

import keras
from keras import ops

LEAST_DEVIATION = 0.02  # in board sides: a third of a point on 19x19
_FIRST_DEVIATION = 0.5
_FIRST_SPREAD = 0.3


@keras.saving.register_keras_serializable(package="ownership")
class ChainPooling(keras.layers.Layer):  # type: ignore[misc]
    """Pooling whose windows are the chains: a stone gets the maximum over its chain, or the maximum and the mean.

    Connected stones live or die together, so they share their features. Empty points, each a chain of its own, keep
    theirs. The layer has no weights, and reads `chains` alone, not the stones.

    Args:
        mean: whether the mean over the chain follows the maximum, as C more channels.

    Input shape:
        features: (B, N, N, C) float.
        chains: (B, N, N) int32, equal exactly for the points of one chain, each 0 .. N*N-1
            (as `goban.chain_kernels.label_chains` numbers them).

    Output shape:
        (B, N, N, C) or, with `mean`, (B, N, N, 2C) float. Where several stones of a chain share the maximum, its
        gradient is split among them.
    """

    def __init__(self, mean: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.mean = mean

    def call(self, features: Any, chains: Any) -> Any:
        batch, rows, columns, channels = ops.shape(features)
        points = rows * columns
        first = ops.expand_dims(ops.arange(batch, dtype="int32") * points, 1)
        segments = ops.reshape(ops.reshape(chains, (batch, points)) + first, (batch * points,))
        stacked = ops.reshape(features, (batch * points, channels))
        pooled = [ops.segment_max(stacked, segments, num_segments=batch * points)]
        if self.mean:
            counts = ops.segment_sum(ops.ones_like(stacked[:, :1]), segments, num_segments=batch * points)
            sums = ops.segment_sum(stacked, segments, num_segments=batch * points)
            pooled.append(sums / ops.maximum(counts, 1))
        gathered = [ops.take(each, segments, axis=0) for each in pooled]
        return ops.reshape(ops.concatenate(gathered, axis=1), (batch, rows, columns, channels * len(gathered)))

    def compute_output_shape(self, features_shape: Any, chains_shape: Any) -> Any:
        """Return the shape of the features, with twice the channels if the mean follows."""
        return (*features_shape[:-1], features_shape[-1] * (2 if self.mean else 1))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), "mean": self.mean}


@keras.saving.register_keras_serializable(package="ownership")
class ScoreDistribution(keras.layers.Layer):  # type: ignore[misc]
    """Score head: mean and standard deviation of the final score, both in points.

    The mean is the sum over the points of the owner's expected sign. The deviation is learned in units of the board
    side, so that one head serves all boards. No gradient goes back into the rest of the network: scores far from what
    was expected would outweigh the losses of the other heads.

    Args:
        units: width of its hidden layer.

    Input shape:
        trunk: (B, N, N, C) float, the features of the network.
        ownership: (B, N, N) float32, probabilities that the side to move owns the points.

    Output shape:
        (B, 2) float32, mean and standard deviation.
    """

    def __init__(self, units: int, **options: Any) -> None:
        super().__init__(**options)
        self.units = units
        self.hidden = keras.layers.Dense(units, activation="relu")
        first = keras.initializers.Constant(log(expm1(_FIRST_DEVIATION - LEAST_DEVIATION)))
        self.deviation = keras.layers.Dense(1, kernel_initializer="zeros", bias_initializer=first)

    def build(self, trunk_shape: Any, ownership_shape: Any) -> None:
        """Make the weights."""
        self.hidden.build((None, 2 * trunk_shape[-1] + 1))
        self.deviation.build((None, self.units))

    def call(self, trunk: Any, ownership: Any) -> Any:
        trunk, ownership = ops.stop_gradient(ops.cast(trunk, "float32")), ops.stop_gradient(ownership)
        doubt = ops.mean(ownership * (1 - ownership), axis=(1, 2))[:, None]
        board = ops.concatenate([ops.mean(trunk, axis=(1, 2)), ops.max(trunk, axis=(1, 2)), doubt], axis=1)
        deviation = ops.softplus(self.deviation(self.hidden(board))) + LEAST_DEVIATION
        side = ops.cast(ops.shape(ownership)[1], "float32")
        mean = ops.sum(2 * ownership - 1, axis=(1, 2))[:, None]
        return ops.concatenate([mean, deviation * side], axis=1)

    def compute_output_shape(self, trunk_shape: Any, ownership_shape: Any) -> Any:
        """Return (B, 2)."""
        return (trunk_shape[0], 2)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), "units": self.units}


@keras.saving.register_keras_serializable(package="ownership")
class MarginDistribution(keras.layers.Layer):  # type: ignore[misc]
    """Margin head: a logistic distribution of the margin of the side to move by area, without komi, in points.

    Its mean is the sum over the points of the owner's expected sign, to which the head adds points of its own. Unlike
    the score head it teaches the rest of the network.

    Args:
        units: width of its hidden layer.

    Input shape:
        board: (B, C) float32, features of the board as a whole.
        ownership: (B, N, N) float32, probabilities that the side to move owns the points.

    Output shape:
        (B, 2) float32, mean and spread: by a komi of k it wins with the probability sigmoid((mean - k) / spread).
    """

    def __init__(self, units: int, **options: Any) -> None:
        super().__init__(**options)
        self.units = units
        self.hidden = keras.layers.Dense(units, activation="relu")
        self.correction = keras.layers.Dense(1, kernel_initializer="zeros")
        first = keras.initializers.Constant(log(expm1(_FIRST_SPREAD - LEAST_DEVIATION)))
        self.spread = keras.layers.Dense(1, kernel_initializer="zeros", bias_initializer=first)

    def build(self, board_shape: Any, ownership_shape: Any) -> None:
        """Make the weights."""
        self.hidden.build((None, board_shape[-1] + 2))
        self.correction.build((None, self.units))
        self.spread.build((None, self.units))

    def call(self, board: Any, ownership: Any) -> Any:
        ownership = ops.stop_gradient(ownership)
        side = ops.cast(ops.shape(ownership)[1], "float32")
        doubt = ops.mean(ownership * (1 - ownership), axis=(1, 2))[:, None]
        mean = ops.sum(2 * ownership - 1, axis=(1, 2))[:, None] / side
        hidden = self.hidden(ops.concatenate([board, doubt, mean], axis=1))
        spread = ops.softplus(self.spread(hidden)) + LEAST_DEVIATION
        return ops.concatenate([mean + self.correction(hidden), spread], axis=1) * side

    def compute_output_shape(self, board_shape: Any, ownership_shape: Any) -> Any:
        """Return (B, 2)."""
        return (board_shape[0], 2)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), "units": self.units}
