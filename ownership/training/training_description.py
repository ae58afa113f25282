"""What a training says about the network in its `model.json`: figures, size and origin."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from importlib.metadata import version
from typing import Any

import keras

from ownership.training.checkpoints import Progress
from ownership.training.deviation_scales import deviation_scales
from ownership.training.training_options import TrainingOptions
from ownership.training.validation import HeldOut


def describe_training(
    best: keras.Model, held_out: HeldOut, options: TrainingOptions, progress: Progress, origin: Mapping[str, Any]
) -> dict[str, Any]:
    """Return metrics, scale of the deviation, size and origin of the best network of a training, as JSON values.

    Args:
        best: the network.
        held_out: the games on which the scale of its deviation is measured.
        options: how it was trained.
        progress: how far, with at least one validation.
        origin: what `Trainer.export` takes.
    """
    config, record = held_out.config, progress.best
    metrics = {name: value for name, value in record.items() if name.startswith("validation_")}
    scales = deviation_scales(best, held_out, options.validation_positions) if "score" in config.heads else {}
    trained = {
        "date": date.today().isoformat(),
        "version": version("go-ownership"),
        **origin,
        "samples": record["samples"],
        "seconds": progress.seconds,
        "options": asdict(options.settled_for(config)),
    }
    return {"metrics": metrics, **scales, "parameters": best.count_params(), "trained": trained}
