"""By which factor a network's standard deviation of the score holds 90% of the final scores."""

from collections.abc import Iterable, Mapping
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from game_datasets.sampler import Batch
from goban.counting.expected_score import INTERVAL
from ownership.training.training_targets import network_inputs
from ownership.training.validation import HeldOut

_COVERAGE = 0.9
_LEAST_POSITIONS = 100


def deviation_scales(model: keras.Model, held_out: HeldOut, positions: int) -> dict[str, Any]:
    """Return the factor of standard deviations with which 90% of the final scores lie in their 90% interval.

    The interval is around the mean of a head of margins, if there is one.

    Args:
        model: a network with a score head.
        held_out: labelled games that it was not trained on.
        positions: the most that are used, in all and of each board side.

    Returns:
        `deviation_scale`, over all positions, and `deviation_scales` by board side, where there are enough positions.
    """
    by_side = {side: _distances_of(model, batches) for side, batches in held_out.batches_by_side(positions).items()}
    return {
        "deviation_scale": _scale(_distances_of(model, held_out.batches(positions))),
        "deviation_scales": {
            str(side): _scale(distances) for side, distances in by_side.items() if len(distances) >= _LEAST_POSITIONS
        },
    }


def _scale(distances: NDArray[np.float64]) -> float:
    return float(np.quantile(distances, _COVERAGE)) / INTERVAL


def _distances_of(model: keras.Model, batches: Iterable[Batch]) -> NDArray[np.float64]:
    return np.concatenate([_distances(model.predict_on_batch(network_inputs(batch)), batch) for batch in batches])


def _distances(answers: Mapping[str, Any], batch: Batch) -> NDArray[np.float64]:
    """Return how many standard deviations the final scores are from the expected ones, (B,)."""
    expected = ops.convert_to_numpy(answers["margin" if "margin" in answers else "score"])[:, 0].astype(np.float64)
    deviation = ops.convert_to_numpy(answers["score"])[:, 1]
    distances: NDArray[np.float64] = np.abs(batch.target.sum(axis=(1, 2)) - expected) / deviation
    return distances
