"""How a network is trained, as plain data; read without Keras."""

from dataclasses import dataclass
from math import cos, pi
from pathlib import Path

from goban.errors import InputError
from ownership.inference.config import ARCHITECTURES, NetworkConfig

LOSSES = ("squared", "cross_entropy")
PRECISIONS = ("float32", "mixed_bfloat16")
DAME = ("half", "random")
_POSITIVE = (
    "samples",
    "minutes",
    "batch_size",
    "learning_rate",
    "policy_weight",
    "score_weight",
    "validations",
    "validation_positions",
)
_SAMPLES_A_VALIDATION = 20_000
_MOST_VALIDATIONS = 20
_WARM_UP = 0.03
_WARM_UP_STEPS = 100
_LEAST_RATE = 0.001
_CPU_DESCRIPTION = Path("/proc/cpuinfo")


class TrainingOptionsError(InputError):
    """Training options that cannot be used."""


@dataclass(frozen=True)
class TrainingOptions:
    """How long, how fast and how precisely to train; exactly one of `samples` and `minutes` is given.

    Args:
        samples: positions to train on.
        minutes: wall time to train for after the first step, validation included, summed over resumed runs.
        batch_size: positions a step, at least 1.
        seed: of the first weights and of every batch, at least 0.
        learning_rate: the peak of the schedule; None takes the architecture's.
        loss: one of `LOSSES`; None takes the architecture's.
        precision: one of `PRECISIONS`.
        policy_weight, score_weight: what the losses of these heads weigh, that of the ownership weighing 1.
        average: decay a step of the moving average of the weights that is validated and kept; 0 for none.
        forget: share of the positions that are learned without the moves before them, as if they had been set up.
        dame: what points that nobody owns are trained towards: `half` (0.5) or `random` (a coin flip).
        validations: times the network is validated, evenly spread; the last one is at the end. None: once for every
            20,000 samples or minute, 20 times at most, so that a short training is not spent on it.
        validation_positions: the most positions used for it.

    Raises:
        TrainingOptionsError: a value out of range.

    It names no dataset and no folder.
    """

    samples: int | None = None
    minutes: float | None = None
    batch_size: int = 64
    seed: int = 0
    learning_rate: float | None = None
    loss: str | None = None
    precision: str = "float32"
    policy_weight: float = 0.05
    score_weight: float = 0.02
    average: float = 0.999
    forget: float = 0.0
    dame: str = "half"
    validations: int | None = None
    validation_positions: int = 2048

    def __post_init__(self) -> None:
        if (self.samples is None) == (self.minutes is None):
            raise TrainingOptionsError(
                "expected a number of samples or of minutes. "
                f"Received: {'neither' if self.samples is None else 'both'}. Give exactly one"
            )
        if not 0 <= self.average < 1:
            raise TrainingOptionsError(f"average must be from 0 to less than 1. Received: {self.average}")
        if not 0 <= self.forget <= 1:
            raise TrainingOptionsError(f"forget must be from 0 to 1. Received: {self.forget}")
        for name in _POSITIVE:
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise TrainingOptionsError(f"{name} must be above 0. Received: {value}")
        if self.seed < 0:
            raise TrainingOptionsError(f"seed must be 0 or more. Received: {self.seed}")
        for name, choices in (("loss", (None, *LOSSES)), ("precision", PRECISIONS), ("dame", DAME)):
            value = getattr(self, name)
            if value not in choices:
                expected = ", ".join(choice for choice in choices if choice)
                raise TrainingOptionsError(f"{name} must be one of {expected}. Received: {value}")

    def loss_for(self, config: NetworkConfig) -> str:
        """The loss to train this network with."""
        return self.loss or ARCHITECTURES[config.architecture].loss

    def peak_for(self, config: NetworkConfig) -> float:
        """The highest learning rate to train this network with."""
        return self.learning_rate or ARCHITECTURES[config.architecture].learning_rate

    @property
    def validation_count(self) -> int:
        """Times the network is validated."""
        if self.validations is not None:
            return self.validations
        fitting = (self.samples or 0) // _SAMPLES_A_VALIDATION if self.minutes is None else int(self.minutes)
        return max(1, min(_MOST_VALIDATIONS, fitting))

    def progress(self, step: int, seconds: float) -> float:
        """The part of the budget used up, 0 at the start, 1 or more at the end."""
        if self.samples is not None:
            return step * self.batch_size / self.samples
        assert self.minutes is not None
        return seconds / (60 * self.minutes)


def scheduled(peak: float, progress: float, step: int) -> float:
    """The learning rate after a part of the budget: a linear warm-up, then half a cosine down to nearly nothing.

    Args:
        peak: the highest learning rate.
        progress: part of the budget used up, 0..1; more counts as 1.
        step: number of the batch, from 0.

    Returns:
        the learning rate, always above 0.

    However short the budget is, and however much of its time the first steps take, the warm-up lasts a hundred steps:
    Adam's moments are not known before, and full steps can ruin a network for good.
    """
    progress = min(progress, 1.0)
    warmth = min(progress / _WARM_UP, step / _WARM_UP_STEPS, 1.0)
    falling = 0.5 + 0.5 * cos(pi * max(0.0, progress - _WARM_UP) / (1 - _WARM_UP))
    return peak * max(warmth * falling, _LEAST_RATE)


def fastest_precision() -> str:
    """`mixed_bfloat16` where the processor multiplies bfloat16 itself, else `float32`, which is then faster."""
    try:
        flags = _CPU_DESCRIPTION.read_text()
    except OSError:
        return "float32"
    return "mixed_bfloat16" if "avx512_bf16" in flags or "amx_bf16" in flags else "float32"
