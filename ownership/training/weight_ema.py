"""The exponential moving average (EMA) of a network's weights: steadier than the weights themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INTERVAL = 10  # steps between updates, so that copying weights costs next to nothing


class WeightEMA:
    """The average over the last steps, about 1 / (1 - decay) of them, fewer at the start of a training.

    Args:
        weights: arrays to begin with; copied.
        decay: of a step, in [0, 1); 0 keeps the newest weights.

    Attributes:
        weights: the average, float32 arrays in the order given.
    """

    def __init__(self, weights: Sequence[NDArray[Any]], decay: float) -> None:
        self.weights = [np.array(weight, np.float32) for weight in weights]
        self._decay = decay

    def due(self, step: int) -> bool:
        """Return whether `update` is to be called after this step, counted from 1."""
        return step % _INTERVAL == 0

    def update(self, step: int, weights: Sequence[NDArray[Any]]) -> None:
        """Take the weights after a step, counted from 1, into the average."""
        decay = min(self._decay, step / (step + 10 * _INTERVAL)) ** _INTERVAL
        for mean, weight in zip(self.weights, weights, strict=True):
            mean += (1 - decay) * (weight - mean)
