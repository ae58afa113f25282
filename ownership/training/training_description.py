"""What a training says about the network in its `model.json`: figures, size and origin."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from importlib.metadata import version
from typing import Any

import keras

from ownership.inference.network_config import NetworkConfig
from ownership.training.checkpoints import Progress
from ownership.training.training_options import TrainingOptions


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
        "version": version("go-ownership"),
        **origin,
        "samples": record["samples"],
        "seconds": progress.seconds,
        "options": asdict(options.settled_for(config)),
    }
    return {"metrics": metrics, "parameters": best.count_params(), "trained": trained}
