"""The score of a position with its spread: a head that learns how far the sum of the ownership may be off."""

from math import expm1, log
from typing import Any

import keras
from keras import ops

LEAST_DEVIATION = 0.02  # in board sides: a third of a point on 19x19
_FIRST_DEVIATION = 0.5


@keras.saving.register_keras_serializable(package="ownership")
class ScoreSpread(keras.layers.Layer):  # type: ignore[misc]
    """Expected score and standard deviation, both in points.

    Args:
        units: width of its hidden layer.

    Called with:
        trunk: (B, N, N, C) float, the features of the network.
        ownership: (B, N, N) float32, probabilities that the side to move owns the points.

    Returns:
        (B, 2) float32: the sum over the points of the owner's expected sign, and the deviation, learnt in units of the
        board side so that one head serves all boards. No gradient goes back into the rest of the network: a score far
        from what was expected would drown what the other heads have to say.
    """

    def __init__(self, units: int, **options: Any) -> None:
        super().__init__(**options)
        self.units = units
        self.hidden = keras.layers.Dense(units, activation="relu")
        first = keras.initializers.Constant(log(expm1(_FIRST_DEVIATION - LEAST_DEVIATION)))
        self.spread = keras.layers.Dense(1, kernel_initializer="zeros", bias_initializer=first)

    def build(self, trunk_shape: Any, ownership_shape: Any) -> None:
        """Makes the weights."""
        self.hidden.build((None, 2 * trunk_shape[-1] + 1))
        self.spread.build((None, self.units))

    def call(self, trunk: Any, ownership: Any) -> Any:
        trunk, ownership = ops.stop_gradient(ops.cast(trunk, "float32")), ops.stop_gradient(ownership)
        doubt = ops.mean(ownership * (1 - ownership), axis=(1, 2))[:, None]
        board = ops.concatenate([ops.mean(trunk, axis=(1, 2)), ops.max(trunk, axis=(1, 2)), doubt], axis=1)
        spread = ops.softplus(self.spread(self.hidden(board))) + LEAST_DEVIATION
        side = ops.cast(ops.shape(ownership)[1], "float32")
        expected = ops.sum(2 * ownership - 1, axis=(1, 2))[:, None]
        return ops.concatenate([expected, spread * side], axis=1)

    def compute_output_shape(self, trunk_shape: Any, ownership_shape: Any) -> Any:
        """(B, 2)."""
        return (trunk_shape[0], 2)

    def get_config(self) -> dict[str, Any]:
        """The arguments, for saving."""
        return {**super().get_config(), "units": self.units}


def score_loss(wanted: Any, predicted: Any) -> Any:
    """The negative log-likelihood of the score under a normal distribution, without its constant.

    Args:
        wanted: (B, 1), the final score. predicted: (B, 2), as `ScoreSpread` returns it.

    Returns:
        (B,).
    """
    deviation = predicted[:, 1]
    return ops.log(deviation) + 0.5 * ops.square((wanted[:, 0] - predicted[:, 0]) / deviation)
