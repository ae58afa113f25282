"""The description of a trained network in model.json."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from importlib.metadata import version
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
from ownership.training.validation import HeldOut
from preprocessing.dataset.sampler import Batch

_COVERAGE = 0.9
_LEAST_POSITIONS = 100


def describe_training(
    config: NetworkConfig, options: TrainingOptions, progress: Progress, origin: Mapping[str, Any]
) -> dict[str, Any]:
    """Return metrics and origin of the best network of a training, as JSON values.

    Args:
        config: the network.
        options: how it was trained.
        progress: how far, with at least one validation.
        origin: what `Trainer.export` takes.
    """
    record = progress.best
    return {
        "metrics": {name: value for name, value in record.items() if name.startswith("validation_")},
        "trained": {
            "date": date.today().isoformat(),
            "version": version("go-ownership"),
            **origin,
            "samples": record["samples"],
            "seconds": progress.seconds,
            "options": asdict(options.settled_for(config)),
        },
    }


def deviation_scales(model: keras.Model, held_out: HeldOut, positions: int) -> dict[str, Any]:
    """Return the factor of standard deviations with which 90% of the final scores lie in their 90% interval.

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
    found = [_distances(model.predict_on_batch(network_inputs(batch))["score"], batch) for batch in batches]
    return np.concatenate(found)


def _distances(score: Any, batch: Batch) -> NDArray[np.float64]:
    """Return how many standard deviations the final scores are from the expected ones, (B,); score: (B, 2)."""
    expected, deviation = np.asarray(ops.convert_to_numpy(score), np.float64).T
    distances: NDArray[np.float64] = np.abs(batch.target.sum(axis=(1, 2)) - expected) / deviation
    return distances
