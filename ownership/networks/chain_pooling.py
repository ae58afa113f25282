"""Pooling over chains as a Keras layer, registered with Keras so that saved networks can be loaded."""

from typing import Any

import keras
from keras import ops


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
            (as `goban.board_kernels.chain_ids` numbers them).

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
