"""How each head of a network is trained: its loss, the weight of that, its targets and its metrics, a row a head."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from game_datasets.batches import Batch
from ownership.inference.litert_network import NamedArrays
from ownership.inference.network_config import HEADS, SOFT_POLICY, NetworkConfig
from ownership.inference.own_targets import find_target
from ownership.training.losses import decided_accuracy, decided_brier, margin_loss, score_loss, stones_found
from ownership.training.optimizers import make_optimizer
from ownership.training.own_target_values import known_own, wanted_own
from ownership.training.training_options import TrainingOptions
from ownership.training.training_targets import (
    known_margin,
    known_moves,
    known_owners,
    known_score,
    known_soft_policy,
    wanted_margin,
    wanted_ownership,
    wanted_policy,
    wanted_score,
    wanted_soft_policy,
)

_OWNERSHIP_LOSSES = {"squared": "mean_squared_error", "cross_entropy": "binary_crossentropy"}
_SHORT_NAMES = {
    "decided_accuracy": "accuracy",
    "decided_brier": "brier",
    "stones_found": "policy_accuracy",
}


@dataclass(frozen=True)
class HeadTraining:
    """How one head of a network is trained.

    Attributes:
        loss: the Keras loss, by name or as a function, for a network and options.
        weight: of the loss in the sum over the heads.
        target: what the head should answer for a batch, given the options and the number of the step.
        known: float32, what each answer of a batch weighs: 1, or 0 where the target is not known, or the network cannot
            answer it.
        metrics: Keras metrics.
        numbers: in each target, where an answer has others; None where both have the same shape.
    """

    loss: Callable[[NetworkConfig, TrainingOptions], Any]
    weight: Callable[[TrainingOptions], float]
    target: Callable[[Batch, TrainingOptions, int], NDArray[Any]]
    known: Callable[[Batch, NetworkConfig], NDArray[np.float32]]
    metrics: tuple[Any, ...] = ()
    numbers: int | None = None


def compile_network(model: keras.Model, config: NetworkConfig, options: TrainingOptions) -> None:
    """Prepare a network of `config` for training with the losses and weights of `options`."""
    heads = {head: head_training(head) for head in (*config.heads, *options.auxiliary_heads)}
    model.compile(
        optimizer=make_optimizer(options),
        loss={head: each.loss(config, options) for head, each in heads.items()},
        loss_weights={head: each.weight(options) for head, each in heads.items()},
        metrics={head: list(each.metrics) for head, each in heads.items()},
        # XLA's convolutions on a CPU are slower than TensorFlow's own; JAX has no other way
        jit_compile=keras.backend.backend() == "jax",
    )
    model.optimizer.build(model.trainable_variables)
    _build_metrics(model, heads)


def _build_metrics(model: keras.Model, heads: dict[str, HeadTraining]) -> None:
    """Make the variables of losses and metrics: TensorFlow traces a first step that makes variables twice."""
    answers = {name: ops.ones([side or 2 for side in each.shape]) for name, each in model.output.items()}
    targets = answers | {head: ops.ones((2, each.numbers)) for head, each in heads.items() if each.numbers}
    model.compute_loss(y=targets, y_pred=answers)
    model.compute_metrics(None, targets, answers)
    model.reset_metrics()


def network_targets(
    batch: Batch, config: NetworkConfig, options: TrainingOptions, step: int
) -> tuple[NamedArrays, NamedArrays]:
    """Return the targets of a batch and their weights: 0 where the target is unknown.

    Args:
        batch: of any board side.
        config: the network.
        options: how it is trained.
        step: number of the batch, for the coins that are flipped about dame.

    Returns:
        targets and weights by head; weights are 0 or 1, float32 (B,), for the ownership (B, 1).
    """
    heads = {head: head_training(head) for head in (*config.heads, *options.auxiliary_heads)}
    targets = {head: each.target(batch, options, step) for head, each in heads.items()}
    return targets, {head: each.known(batch, config) for head, each in heads.items()}


def head_training(head: str) -> HeadTraining:
    """Return how a head is trained.

    Raises:
        NotImplementedError: a head of this project that `HEAD_TRAINING` does not have.
        InputError: neither such a head nor the target of a package.
    """
    if head in HEAD_TRAINING:
        return HEAD_TRAINING[head]
    if head in HEADS:
        raise NotImplementedError(f"head_training.HEAD_TRAINING must have an entry for every head. Missing: {head}")
    target = find_target(head)
    return HeadTraining(
        loss=lambda config, options: target.loss,
        weight=lambda options: target.weight,
        target=lambda batch, options, step: wanted_own(head, batch),
        known=lambda batch, config: known_own(head, batch),
    )


def short_names(values: dict[str, Any]) -> dict[str, float]:
    """Return Keras's measurements of a step under short names: loss, accuracy, brier and so on."""
    names = {
        name: next((short for full, short in _SHORT_NAMES.items() if name.endswith(full)), name) for name in values
    }
    return {names[name]: float(value) for name, value in values.items()}


HEAD_TRAINING = {
    "ownership": HeadTraining(
        loss=lambda config, options: _OWNERSHIP_LOSSES[options.loss_for(config)],
        weight=lambda options: 1.0,
        target=wanted_ownership,
        known=lambda batch, config: known_owners(batch).astype(np.float32)[:, None],
        metrics=(decided_accuracy, decided_brier),
    ),
    "policy": HeadTraining(
        loss=lambda config, options: "categorical_crossentropy",
        weight=lambda options: options.policy_weight,
        target=lambda batch, options, step: wanted_policy(batch),
        known=lambda batch, config: known_moves(batch, config).astype(np.float32),
        metrics=(stones_found,),
    ),
    "score": HeadTraining(
        loss=lambda config, options: score_loss,
        weight=lambda options: options.score_weight,
        target=lambda batch, options, step: wanted_score(batch),
        known=lambda batch, config: known_score(batch).astype(np.float32),
    ),
    "resign": HeadTraining(
        loss=lambda config, options: "binary_crossentropy",
        weight=lambda options: options.policy_weight,
        target=lambda batch, options, step: np.maximum(batch.resigned, 0).astype(np.float32)[:, None],
        known=lambda batch, config: (batch.resigned >= 0).astype(np.float32),
    ),
    "margin": HeadTraining(
        loss=lambda config, options: margin_loss,
        weight=lambda options: options.margin_weight,
        target=lambda batch, options, step: wanted_margin(batch),
        known=lambda batch, config: known_margin(batch).astype(np.float32),
        numbers=3,
    ),
    SOFT_POLICY: HeadTraining(
        loss=lambda config, options: "categorical_crossentropy",
        weight=lambda options: options.soft_policy_weight,
        target=lambda batch, options, step: wanted_soft_policy(batch),
        known=lambda batch, config: known_soft_policy(batch).astype(np.float32),
    ),
}
