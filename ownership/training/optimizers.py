"""The optimizers that `--optimizer` names."""

from collections.abc import Callable
from functools import partial
from typing import Any

import keras

from ownership.training.muon import ConvolutionMuon
from ownership.training.options import OPTIMIZERS, TrainingOptions


def make_optimizer(options: TrainingOptions) -> keras.optimizers.Optimizer:
    """Return the optimizer of a training; each step sets its learning rate."""
    makers: dict[str, Callable[..., Any]] = {
        "adam": keras.optimizers.Adam,
        "sgd": keras.optimizers.SGD,
        "momentum": partial(keras.optimizers.SGD, momentum=options.momentum),
        "adagrad": keras.optimizers.Adagrad,
        "muon": partial(ConvolutionMuon, momentum=options.momentum),
    }
    if unfinished := makers.keys() ^ set(OPTIMIZERS):
        raise NotImplementedError(f"make_optimizer must have the names of OPTIMIZERS. In one place only: {unfinished}")
    return makers[options.optimizer](weight_decay=options.weight_decay or None)
