"""Chain pooling: a stone sees the strongest response anywhere in its chain, and the mean response."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="ownership")
class ChainPooling(keras.layers.Layer):  # type: ignore[misc]
    """Replaces the features of every stone by the maximum over its chain, or by the maximum and the mean.

    Connected stones share their fate, so they should share their features. A pool whose windows are the chains of the
    position gives them that; empty points, each a chain of its own, keep what they had.

    Args:
        mean: whether the mean over the chain follows the maximum, as C more channels.

    Called with:
        features: (B, N, N, C) float.
        chains: (B, N, N) int32, equal exactly for the points of one chain, each 0 .. N*N-1
            (as `goban.kernels.chain_ids` numbers them).

    Returns:
        (B, N, N, C) or, with `mean`, (B, N, N, 2C) float. Where several stones of a chain share the maximum, its
        gradient is split among them.

    It has no weights, and does not look at the stones themselves: only at `chains`.
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
        spread = [ops.take(each, segments, axis=0) for each in pooled]
        return ops.reshape(ops.concatenate(spread, axis=1), (batch, rows, columns, channels * len(spread)))

    def compute_output_shape(self, features_shape: Any, chains_shape: Any) -> Any:
        """The shape of the features, with twice the channels where the mean is asked for."""
        return (*features_shape[:-1], features_shape[-1] * (2 if self.mean else 1))

    def get_config(self) -> dict[str, Any]:
        """The arguments, for saving."""
        return {**super().get_config(), "mean": self.mean}
