"""An exponential moving average of a network's weights: steadier than the weights themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_EVERY = 10  # steps between updates, so that copying weights costs next to nothing


class WeightAverage:
    """The average over the last steps, about 1 / (1 - decay) of them, fewer at the start of a training.

    Args:
        weights: arrays to begin with.
        decay: of a step, 0..1; 0 keeps the newest weights.
    """

    def __init__(self, weights: Sequence[NDArray[Any]], decay: float) -> None:
        self.weights = [np.array(weight, np.float32) for weight in weights]
        self._decay = decay

    def due(self, step: int) -> bool:
        """Whether `update` is to be called after this step."""
        return step % _EVERY == 0

    def update(self, step: int, weights: Sequence[NDArray[Any]]) -> None:
        """Takes the weights after a step, counted from 1, into the average."""
        decay = min(self._decay, step / (step + 10 * _EVERY)) ** _EVERY
        for mean, weight in zip(self.weights, weights, strict=True):
            mean += (1 - decay) * (weight - mean)
