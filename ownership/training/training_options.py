"""How a network is trained, as plain data; read without Keras."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Final

from goban.errors import ABOVE_ZERO, BELOW_ONE, InputError, check_fields, naming
from ownership.inference.network_config import ARCHITECTURES, INITIALIZERS, SOFT_POLICY, NetworkConfig
from ownership.inference.own_targets import find_target

LOSSES = ("squared", "cross_entropy")
PRECISIONS = ("float32", "mixed_bfloat16")
DAME_TARGETS = ("half", "random")
OPTIMIZERS = ("adam", "sgd", "momentum", "adagrad", "muon")
WITH_MOMENTUM = ("momentum", "muon")
SCHEDULES = ("cosine", "constant", "halving")
TRAINING_RANGES: Final[Mapping[str, tuple[float, float]]] = {
    **dict.fromkeys(("samples", "batch_size", "validations", "validation_positions", "games", "patience"), (1, inf)),
    **dict.fromkeys(
        ("minutes", "learning_rate", "policy_weight", "score_weight", "margin_weight", "dataset_weights"),
        (ABOVE_ZERO, inf),
    ),
    **dict.fromkeys(("seed", "soft_policy_weight"), (0, inf)),
    **dict.fromkeys(("history_dropout", "teacher_weight", "teacher_until", "endings"), (0, 1)),
    **dict.fromkeys(("ema", "momentum", "weight_decay"), (0, BELOW_ONE)),
}
_SAMPLES_A_VALIDATION = 20_000
_MOST_VALIDATIONS = 20
_CHOICES: Final = {
    "loss": LOSSES,
    "precision": PRECISIONS,
    "dame": DAME_TARGETS,
    "optimizer": OPTIMIZERS,
    "schedule": SCHEDULES,
    "initializer": INITIALIZERS,
}
_CPU_DESCRIPTION = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class TrainingOptions:
    """How long, how fast and how precisely to train; exactly one of `samples` and `minutes` is given.

    Args:
        samples: positions to train on.
        minutes: wall time to train for after the first step, validation included, summed over resumed runs.
        batch_size: positions a step, at least 1.
        seed: of the first weights and of every batch, at least 0.
        learning_rate: the peak of the schedule; None takes the architecture's.
        schedule: the course of the learning rate, one of `SCHEDULES`; see `Schedule.learning_rate`.
        optimizer: one of `OPTIMIZERS`.
        momentum: of the optimizers `WITH_MOMENTUM`.
        weight_decay: the share of the weights, times the learning rate, that every step takes away.
        initializer: how first kernels are drawn, one of `INITIALIZERS`: the last two uniformly from -0.05 to 0.05 and
            with a standard deviation of 0.05, biases at points too; None takes what suits each layer.
        loss: one of `LOSSES`; None takes the architecture's.
        precision: one of `PRECISIONS`.
        policy_weight, score_weight, margin_weight: what the losses of these heads weigh, that of the ownership
            weighing 1.
        soft_policy_weight: the same of a second policy, which learns the teacher's policy at a temperature of 4 and is
            left out when the network is saved; 0 for none.
        ema: decay per step of the exponential moving average of the weights that is validated and kept; 0 for none.
        history_dropout: share of the positions that are learned without the moves before them, as if set up.
        endings: share of the positions that are ends of games in which both players passed.
        symmetries: whether positions are turned at random.
        games: the most games to train on, always the same ones of a dataset; None for all.
        dataset_weights: how often games of each dataset are drawn, relative to each other; None for equally often.
        patience: validations in a row without a better one that end the training; None for never.
        dame: what neutral points are trained towards: `half` (0.5) or `random` (a coin flip).
        teacher_weight: the share of the positions that come from a teacher, where there is one.
        teacher_until: the part of the budget after which all positions come from records, 0..1.
        targets: names of targets of installed packages that heads of the training learn; None for none.
        validations: times the network is validated, evenly spread; the last one is at the end. None: once for every
            20,000 samples or minute, 20 times at most, so that a short training is not spent on it.
        validation_positions: the most positions used for it.

    Raises:
        InputError: a value out of range.

    It names no dataset and no folder.
    """

    samples: int | None = None
    minutes: float | None = None
    batch_size: int = 64
    seed: int = 0
    learning_rate: float | None = None
    schedule: str = "cosine"
    optimizer: str = "adam"
    momentum: float = 0.9
    weight_decay: float = 0.0
    initializer: str | None = None
    loss: str | None = None
    precision: str = "float32"
    policy_weight: float = 0.05
    score_weight: float = 0.02
    margin_weight: float = 0.5
    soft_policy_weight: float = 0.0
    ema: float = 0.999
    history_dropout: float = 0.0
    endings: float = 0.125
    symmetries: bool = True
    games: int | None = None
    dataset_weights: tuple[float, ...] | None = None
    patience: int | None = None
    dame: str = "half"
    teacher_weight: float = 0.5
    teacher_until: float = 1.0
    targets: tuple[str, ...] | None = None
    validations: int | None = None
    validation_positions: int = 2048

    def __post_init__(self) -> None:
        if (self.samples is None) == (self.minutes is None):
            raise InputError(
                "expected --samples or --minutes. "
                f"Received: {'neither' if self.samples is None else 'both'}. Give exactly one"
            )
        check_fields(self, TRAINING_RANGES, _CHOICES)
        with naming("targets"):
            for name in self.targets or ():
                find_target(name)

    @property
    def auxiliary_heads(self) -> tuple[str, ...]:
        """The heads of the training that the trained network does without."""
        return (*((SOFT_POLICY,) if self.soft_policy_weight else ()), *(self.targets or ()))

    def loss_for(self, config: NetworkConfig) -> str:
        """Return the loss to train this network with."""
        return self.loss or ARCHITECTURES[config.architecture].loss

    def peak_for(self, config: NetworkConfig) -> float:
        """Return the highest learning rate to train this network with."""
        return self.learning_rate or ARCHITECTURES[config.architecture].learning_rate

    def settled_for(self, config: NetworkConfig) -> "TrainingOptions":
        """Return these options with the loss and learning rate that this network is trained with."""
        return replace(self, loss=self.loss_for(config), learning_rate=self.peak_for(config))

    @property
    def validation_count(self) -> int:
        """Times the network is validated."""
        if self.validations is not None:
            return self.validations
        fitting = (self.samples or 0) // _SAMPLES_A_VALIDATION if self.minutes is None else int(self.minutes)
        return max(1, min(_MOST_VALIDATIONS, fitting))


def fastest_precision() -> str:
    """Return `mixed_bfloat16` where the processor multiplies bfloat16 itself, else `float32`, which is then faster."""
    try:
        flags = _CPU_DESCRIPTION.read_text()
    except OSError:
        return "float32"
    return "mixed_bfloat16" if "avx512_bf16" in flags or "amx_bf16" in flags else "float32"
