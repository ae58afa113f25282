"""What model.json says about a trained network."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import date
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from goban.counting.expected import INTERVAL
from ownership.inference.config import NetworkConfig
from ownership.training.checkpoints import Progress
from ownership.training.losses import network_inputs
from ownership.training.options import TrainingOptions
from preprocessing.dataset.sampler import Batch

_COVERAGE = 0.9


def describe_training(
    config: NetworkConfig, options: TrainingOptions, progress: Progress, origin: Mapping[str, Any]
) -> dict[str, Any]:
    """Return metrics and origin of the best network of a training, as JSON values.

    Args:
        config: the network.
        options: how it was trained.
        progress: how far, with at least one validation.
        origin: where games and first weights came from: `datasets`, `games` and `initial_weights`.
    """
    record = progress.best
    settled = replace(options, loss=options.loss_for(config), learning_rate=options.peak_for(config))
    return {
        "metrics": {name: value for name, value in record.items() if name.startswith("validation_")},
        "trained": {
            "date": date.today().isoformat(),
            **origin,
            "samples": record["samples"],
            "seconds": progress.seconds,
            "options": asdict(settled),
        },
    }


def deviation_scale(model: keras.Model, batches: Iterable[Batch]) -> float:
    """Return what to multiply standard deviations by, so that nine final scores in ten lie in their 90% interval.

    Args:
        model: a network with a score head.
        batches: positions of labelled games that it was not trained on.
    """
    distances = [_distances(model.predict_on_batch(network_inputs(batch))["score"], batch) for batch in batches]
    return float(np.quantile(np.concatenate(distances), _COVERAGE)) / INTERVAL


def _distances(score: Any, batch: Batch) -> NDArray[np.float64]:
    """Return how many standard deviations the final scores are from the expected ones, (B,); score: (B, 2)."""
    expected, deviation = np.asarray(ops.convert_to_numpy(score), np.float64).T
    distances: NDArray[np.float64] = np.abs(batch.target.sum(axis=(1, 2)) - expected) / deviation
    return distances
