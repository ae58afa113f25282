"""The optimizers that `--optimizer` names."""

from typing import Any

import keras

from ownership.training.options import OPTIMIZERS, TrainingOptions


def make_optimizer(options: TrainingOptions) -> keras.optimizers.Optimizer:
    """Return the optimizer of a training; each step sets its learning rate."""
    common: dict[str, Any] = {"weight_decay": options.weight_decay or None}
    makers = {
        "adam": lambda: keras.optimizers.Adam(**common),
        "sgd": lambda: keras.optimizers.SGD(**common),
        "momentum": lambda: keras.optimizers.SGD(momentum=options.momentum, **common),
        "adagrad": lambda: keras.optimizers.Adagrad(**common),
    }
    assert makers.keys() == set(OPTIMIZERS)
    return makers[options.optimizer]()
