"""What a network is trained towards, head by head, and how well it does that."""

from collections.abc import Iterable
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from ownership.inference.config import NetworkConfig
from ownership.training.options import TrainingOptions
from ownership.training.score_spread import score_loss
from preprocessing.dataset.sampler import Batch

_OWNERSHIP_LOSSES = {"squared": "mean_squared_error", "cross_entropy": "binary_crossentropy"}
_SHOWN = {
    "decided_accuracy": "accuracy",
    "decided_brier": "brier",
    "policy_sparse_categorical_accuracy": "policy_accuracy",
}

Arrays = dict[str, NDArray[Any]]


def compile_network(model: keras.Model, config: NetworkConfig, options: TrainingOptions) -> None:
    """Prepares a network of `config` for training with the losses and weights of `options`."""
    losses = {
        "ownership": _OWNERSHIP_LOSSES[options.loss_for(config)],
        "policy": "sparse_categorical_crossentropy",
        "score": score_loss,
    }
    weights = {"ownership": 1.0, "policy": options.policy_weight, "score": options.score_weight}
    weighted = {"ownership": [], "policy": ["sparse_categorical_accuracy"], "score": []}
    model.compile(
        optimizer=keras.optimizers.Adam(),
        loss={head: losses[head] for head in config.heads},
        loss_weights={head: weights[head] for head in config.heads},
        metrics={"ownership": [decided_accuracy, decided_brier]},
        weighted_metrics={head: weighted[head] for head in config.heads},
        # XLA's convolutions on a CPU are slower than TensorFlow's own; JAX has no other way
        jit_compile=keras.backend.backend() == "jax",
    )
    model.optimizer.build(model.trainable_variables)


def network_inputs(batch: Batch) -> Arrays:
    """What the network reads of a batch."""
    return {"planes": batch.planes} if batch.chains is None else {"planes": batch.planes, "chains": batch.chains}


def network_targets(batch: Batch, config: NetworkConfig, options: TrainingOptions, step: int) -> tuple[Arrays, Arrays]:
    """What the network should answer, and what each answer of the batch weighs: nothing where it is not known.

    Args:
        batch: of any board side.
        step: number of the batch, for the coins that are flipped about dame.

    Returns:
        targets and weights by head; weights are 0 or 1, float32 (B,), for the ownership (B, 1).
    """
    targets = {
        "ownership": owned(batch.target, options, step),
        "policy": np.maximum(batch.move, 0).astype(np.int32),
        "score": batch.target.sum(axis=(1, 2), dtype=np.float32)[:, None],
    }
    labelled = batch.labelled.astype(np.float32)
    weights = {"ownership": labelled[:, None], "policy": (batch.move >= 0).astype(np.float32), "score": labelled}
    return {head: targets[head] for head in config.heads}, {head: weights[head] for head in config.heads}


def owned(target: NDArray[np.int8], options: TrainingOptions, step: int) -> NDArray[np.float32]:
    """Whether the side to move owns each point: 1 or 0, or for neutral points 1/2 or, with `random`, a coin flip.

    Args:
        target: int8 (B, N, N) of +1, -1 and, for neutral points, 0.
        step: number of the batch: the same step flips the same coins.
    """
    signs = target.astype(np.float32)
    if options.dame == "random":
        coins = np.random.default_rng([options.seed, step]).choice(np.array([-1, 1], np.float32), signs.shape)
        np.copyto(signs, coins, where=signs == 0)
    signs += 1
    signs /= 2
    return signs


def decided_accuracy(wanted: Any, predicted: Any) -> Any:
    """The part of the decided points (wanted 0 or 1) whose more probable owner is right."""
    right = ops.cast(ops.equal(predicted > 0.5, wanted > 0.5), "float32")
    return _decided_mean(wanted, right)


def decided_brier(wanted: Any, predicted: Any) -> Any:
    """The mean squared error of the probability over the decided points."""
    return _decided_mean(wanted, ops.square(ops.cast(predicted, "float32") - wanted))


def _decided_mean(wanted: Any, values: Any) -> Any:
    decided = ops.cast(ops.not_equal(wanted, 0.5), "float32")
    return ops.sum(values * decided) / ops.maximum(ops.sum(decided), 1.0)


def shown(values: dict[str, Any]) -> dict[str, float]:
    """Keras's measurements of a step under short names: loss, accuracy, brier and so on."""
    names = {name: name.removeprefix("ownership_") if "decided" in name else name for name in values}
    return {_SHOWN.get(names[name], name): float(value) for name, value in values.items()}


def validate(model: keras.Model, batches: Iterable[Batch]) -> dict[str, float]:
    """Accuracy and Brier score over decided points, and the share of moves that the policy puts first.

    Args:
        model: a network.
        batches: of labelled games; averages are over positions, for the policy over those where a stone is played next.
    """
    accuracy, brier, first = [], [], []
    for batch in batches:
        answers = model.predict_on_batch(network_inputs(batch))
        predicted = ops.convert_to_numpy(answers["ownership"])
        decided = batch.target != 0
        points = np.maximum(decided.sum((1, 2)), 1)
        accuracy.append((((predicted > 0.5) == (batch.target > 0)) & decided).sum((1, 2)) / points)
        brier.append((np.square(predicted - (batch.target > 0)) * decided).sum((1, 2)) / points)
        if "policy" in answers:
            chosen = ops.convert_to_numpy(answers["policy"]).argmax(axis=1)
            stones = (batch.move >= 0) & (batch.move < decided[0].size)
            first.append((chosen == batch.move)[stones])
    means = {"accuracy": accuracy, "brier": brier, "policy_accuracy": first}
    return {f"validation_{name}": float(np.concatenate(each).mean()) for name, each in means.items() if each}
