"""What a network is trained towards, head by head: targets, losses and their weights."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from game_datasets.sampler import Batch
from ownership.inference.litert_network import NamedArrays
from ownership.inference.network_config import SOFT_POLICY, NetworkConfig
from ownership.training.optimizers import make_optimizer
from ownership.training.training_options import TrainingOptions

_OWNERSHIP_LOSSES = {"squared": "mean_squared_error", "cross_entropy": "binary_crossentropy"}
_SOFT_TEMPERATURE = 4
_POINTS_A_ROW = 5.0  # of the margin's error, from where on its loss is linear
_ROBUST_SHARE = 0.5
_SHOWN = {
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


def network_inputs(batch: Batch) -> NamedArrays:
    """Return the inputs of a network for a batch, by name."""
    return {"planes": batch.planes} if batch.chains is None else {"planes": batch.planes, "chains": batch.chains}


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
    """Return how a head is trained; raise NotImplementedError if `HEAD_TRAINING` does not have it."""
    if head not in HEAD_TRAINING:
        raise NotImplementedError(f"losses.HEAD_TRAINING must have an entry for every head. Missing: {head}")
    return HEAD_TRAINING[head]


def owned(target: NDArray[np.int8], options: TrainingOptions, step: int) -> NDArray[np.float32]:
    """Return whether the side to move owns each point: 1 or 0, for neutral points 1/2 or, with `random`, a coin flip.

    Args:
        target: int8 (B, N, N) of +1, -1 and, for neutral points, 0.
        options: how the network is trained.
        step: number of the batch: the same step flips the same coins.
    """
    signs = target.astype(np.float32)
    if options.dame == "random":
        coins = np.random.default_rng([options.seed, step]).choice(np.array([-1, 1], np.float32), signs.shape)
        np.copyto(signs, coins, where=signs == 0)
    signs += 1
    signs /= 2
    return signs


def wanted_ownership(batch: Batch, options: TrainingOptions, step: int) -> NDArray[np.float32]:
    """Return the probability that the side to move owns each point, float32 (B, N, N): `owned`, or the teacher's."""
    wanted = owned(batch.target, options, step)
    if batch.soft is not None:
        wanted[_taught(batch)] = (1 + batch.soft.ownership) / 2
    return wanted


def wanted_policy(batch: Batch) -> NDArray[np.float32]:
    """Return the probability of each next move, float32 (B, N*N + 1): of the record's 1, or the teacher's; else 0."""
    wanted = np.zeros((len(batch.move), batch.target[0].size + 1), np.float32)
    played = np.flatnonzero(batch.move >= 0)
    wanted[played, batch.move[played]] = 1
    if batch.soft is not None:
        wanted[_taught(batch)] = batch.soft.policy
    return wanted


def wanted_soft_policy(batch: Batch) -> NDArray[np.float32]:
    """Return the teacher's policy at a temperature of 4, float32 (B, N*N + 1), as KataGo trains its soft policy.

    Source: KataGo, docs/KataGoMethods.md, "Auxiliary Soft Policy Target". Moves that the teacher's label leaves out
    keep a probability of 0, and so do all moves of records.
    """
    wanted = np.zeros((len(batch.move), batch.target[0].size + 1), np.float32)
    if batch.soft is not None:
        softened = batch.soft.policy ** (1 / _SOFT_TEMPERATURE)
        wanted[_taught(batch)] = softened / np.maximum(softened.sum(axis=1, keepdims=True), 1)
    return wanted


def wanted_score(batch: Batch) -> NDArray[np.float32]:
    """Return mean and standard deviation of the final score, float32 (B, 2): a record's is certain, 0 if unknown."""
    wanted = np.zeros((len(batch.move), 2), np.float32)
    wanted[:, 0] = batch.target.sum(axis=(1, 2))
    if batch.soft is not None:
        wanted[_taught(batch)] = np.nan_to_num(np.stack([batch.soft.area, batch.soft.deviation], axis=1))
    return wanted


def wanted_margin(batch: Batch) -> NDArray[np.float32]:
    """Return the margin by area, the komi against the side to move and its probability of winning, float32 (B, 3).

    Area and komi are in points. The result of a record is certain, a draw half a win; 0 where nothing is known.
    """
    area = wanted_score(batch)[:, 0]
    against = batch.komi * batch.to_move
    wins = 0.5 + 0.5 * np.sign(area - against)
    if batch.soft is not None:
        wins[_taught(batch)] = np.nan_to_num(batch.soft.win_rate)
    return np.stack([area, against, wins], axis=1).astype(np.float32)


def known_owners(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the owners are known, from the record or from the teacher, bool (B,)."""
    known = batch.labelled.copy()
    known[_taught(batch)] = True
    return known


def known_policy(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the next move, or the teacher's policy, is known, bool (B,)."""
    known: NDArray[np.bool_] = batch.move >= 0
    if batch.soft is not None:
        known[_taught(batch)] = batch.soft.policy.any(axis=1)
    return known


def known_soft_policy(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the teacher's policy is known, bool (B,)."""
    known = np.zeros(len(batch.move), np.bool_)
    known[_taught(batch)] = known_policy(batch)[_taught(batch)]
    return known


def known_moves(batch: Batch, config: NetworkConfig) -> NDArray[np.bool_]:
    """Return in which positions the policy is known and within the outputs of the network, which may lack the pass."""
    known = known_policy(batch)
    if not config.passes:
        known &= batch.move < batch.target[0].size
    return known


def known_score(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the final score, or the teacher's distribution of it, is known, bool (B,)."""
    known = batch.labelled.copy()
    if batch.soft is not None:
        known[_taught(batch)] = ~np.isnan(batch.soft.area)
    return known


def known_margin(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the final score and the result, or the teacher's, are known, bool (B,)."""
    known = known_score(batch)
    if batch.soft is not None:
        known[_taught(batch)] &= ~np.isnan(batch.soft.win_rate)
    return known


def _taught(batch: Batch) -> slice:
    """Return where the teacher's positions are in a batch: at its end."""
    count = 0 if batch.soft is None else len(batch.soft.ownership)
    return slice(len(batch.move) - count, None)


def score_loss(wanted: Any, predicted: Any) -> Any:
    """Return the expected negative log-likelihood of scores under normal distributions, without its constant, (B,).

    Args:
        wanted: (B, 2), mean and standard deviation of the final score in points.
        predicted: (B, 2), likewise, as `layers.ScoreDistribution` returns them.
    """
    deviation = predicted[:, 1]
    squared = ops.square(wanted[:, 0] - predicted[:, 0]) + ops.square(wanted[:, 1])
    return ops.log(deviation) + 0.5 * squared / ops.square(deviation)


def margin_loss(wanted: Any, predicted: Any) -> Any:
    """Return the cross-entropy of the result, and half the Huber loss of the margin a row of the board, (B,).

    Args:
        wanted: (B, 3), as `wanted_margin` returns it.
        predicted: (B, 2), as `layers.MarginDistribution` returns it.
    """
    mean, spread = predicted[:, 0], predicted[:, 1]
    distance = ops.abs(mean - wanted[:, 0]) / _POINTS_A_ROW
    robust = ops.where(distance < 1, 0.5 * ops.square(distance), distance - 0.5)
    logits = (mean - wanted[:, 1]) / spread
    missed = ops.softplus(logits) - wanted[:, 2] * logits
    return missed + _ROBUST_SHARE * robust


def decided_accuracy(wanted: Any, predicted: Any) -> Any:
    """Return the share of the decided points (wanted 0 or 1) whose more probable owner is right.

    This and `decided_brier` run inside the training graph, where `evaluation.metrics`, on numpy, would cost a second
    pass over every batch; they take the mean over all points of a batch.
    """
    right = ops.cast(ops.equal(predicted > 0.5, wanted > 0.5), "float32")
    return _decided_mean(wanted, right)


def stones_found(wanted: Any, predicted: Any) -> Any:
    """Return the share of stones that are predicted as the likeliest move: of the next moves that are no pass."""
    likeliest = ops.argmax(wanted, axis=1)
    stones = ops.logical_and(ops.max(wanted, axis=1) > 0, likeliest < ops.shape(wanted)[1] - 1)
    found = ops.cast(ops.logical_and(stones, ops.equal(likeliest, ops.argmax(predicted, axis=1))), "float32")
    return ops.sum(found) / ops.maximum(ops.sum(ops.cast(stones, "float32")), 1.0)


def decided_brier(wanted: Any, predicted: Any) -> Any:
    """Return the mean squared error of the probability over the decided points."""
    return _decided_mean(wanted, ops.square(ops.cast(predicted, "float32") - wanted))


def _decided_mean(wanted: Any, values: Any) -> Any:
    decided = ops.cast(ops.not_equal(wanted, 0.5), "float32")
    return ops.sum(values * decided) / ops.maximum(ops.sum(decided), 1.0)


def short_names(values: dict[str, Any]) -> dict[str, float]:
    """Return Keras's measurements of a step under short names: loss, accuracy, brier and so on."""
    shown = {name: next((short for full, short in _SHOWN.items() if name.endswith(full)), name) for name in values}
    return {shown[name]: float(value) for name, value in values.items()}


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
