"""Chain pooling: a stone sees the strongest response anywhere in its chain."""

from typing import Any

import keras
from keras import ops


@keras.saving.register_keras_serializable(package="ownership")
class ChainPooling(keras.layers.Layer):  # type: ignore[misc]
    """Replaces the features of every stone by the maximum over its chain.

    Connected stones share their fate, so they should share their features. A max pool whose windows are the
    chains of the position gives them that; empty points, each a chain of its own, keep what they had.

    Called with:
        features: (B, N, N, C) float.
        chains: (B, N, N) int32, equal exactly for the points of one chain, each 0 .. N*N-1
            (as `goban.kernels.chain_ids` numbers them).

    Returns:
        (B, N, N, C) float. Where several stones of a chain share the maximum, its gradient is split among them.

    It has no weights, and does not look at the stones themselves: only at `chains`.
    """

    def call(self, features: Any, chains: Any) -> Any:
        batch, rows, columns, channels = ops.shape(features)
        points = rows * columns
        first = ops.expand_dims(ops.arange(batch, dtype="int32") * points, 1)
        segments = ops.reshape(ops.reshape(chains, (batch, points)) + first, (batch * points,))
        stacked = ops.reshape(features, (batch * points, channels))
        maxima = ops.segment_max(stacked, segments, num_segments=batch * points)
        return ops.reshape(ops.take(maxima, segments, axis=0), (batch, rows, columns, channels))

    def compute_output_shape(self, features_shape: Any, chains_shape: Any) -> Any:
        """The shape of the features, unchanged."""
        return features_shape
