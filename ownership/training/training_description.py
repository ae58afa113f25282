"""What a training says about the network in its `model.json`: figures, size and origin."""

import platform
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, Final

import keras

from ownership.inference.network_config import NetworkConfig
from ownership.training.checkpoints import Progress
from ownership.training.training_options import TrainingOptions
from runtime.source_version import PROJECT, installed_version, source_commit

_PACKAGES: Final = ("tensorflow", "jax", "keras", "numpy")


def describe_training(
    best: keras.Model, config: NetworkConfig, options: TrainingOptions, progress: Progress, origin: Mapping[str, Any]
) -> dict[str, Any]:
    """Return metrics, size and origin of the best network of a training, as JSON values.

    Args:
        best: the network.
        config: its configuration.
        options: how it was trained.
        progress: how far, with at least one validation.
        origin: what `Trainer.export` takes.
    """
    record = progress.best
    metrics = {name: value for name, value in record.items() if name.startswith("validation_")}
    trained = {
        "date": date.today().isoformat(),
        "version": installed_version(PROJECT),
        "commit": source_commit(),
        "versions": _versions(),
        **origin,
        "samples": record["samples"],
        "seconds": progress.seconds,
        "options": asdict(options.settled_for(config)),
    }
    return {"metrics": metrics, "parameters": best.count_params(), "trained": trained}


def _versions() -> dict[str, str]:
    """Return the versions of what a training runs on, by name, as far as it is installed."""
    found = {name: installed_version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), **{name: each for name, each in found.items() if each}}
