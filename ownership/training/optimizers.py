"""The optimizers that `--optimizer` names, and Muon for convolutions: steps whose matrices are made orthogonal."""

from collections.abc import Callable
from functools import partial
from typing import Any

import keras
from keras import ops

from ownership.training.training_options import OPTIMIZERS, TrainingOptions

# These methods are no part of keras's documentation. Without one, kernels would take other steps, without an error.
_OVERRIDDEN = ("_should_use_adamw", "zeropower_via_newtonschulz5", "lr_adjust")


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


for _name in _OVERRIDDEN:
    if not hasattr(keras.optimizers.Muon, _name):
        raise ImportError(f"expected keras.optimizers.Muon.{_name}. Received: keras {keras.__version__}, without it")


class ConvolutionMuon(keras.optimizers.Muon):  # type: ignore[misc]
    """Muon (Jordan and others, 2024) that also takes the kernels of convolutions, as matrices from inputs to outputs.

    Vectors, and kernels of 1 output such as those of the ownership head, take steps of Adam. Steps are as long as those
    of Adam at the same learning rate (Liu and others: Muon is Scalable for LLM Training, 2025).
    """

    def __init__(self, learning_rate: float = 1e-3, *, weight_decay: float | None = None, **others: Any) -> None:
        super().__init__(learning_rate, weight_decay=weight_decay, **{"adam_weight_decay": weight_decay, **others})

    def _should_use_adamw(self, variable: Any) -> bool:
        return len(variable.shape) < 2 or variable.shape[-1] == 1

    def zeropower_via_newtonschulz5(self, x: Any, steps: int) -> Any:
        """Return the nearest orthogonal matrix, in the shape of the kernel, times the factor for its length."""
        matrix = ops.reshape(x, (-1, x.shape[-1]))
        step = super().zeropower_via_newtonschulz5(matrix, steps)
        longest = max(matrix.shape)
        return ops.reshape(step * (self.rms_rate * longest**0.5), x.shape)

    def lr_adjust(self, x: Any) -> Any:
        """Return the step as it is: its length is right already."""
        return x
