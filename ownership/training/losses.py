"""Losses and metrics of the heads that Keras does not have, as functions of what is wanted and what is predicted."""

from typing import Any

from keras import ops

_POINTS_A_ROW = 5.0  # of the margin's error, from where on its loss is linear
_ROBUST_SHARE = 0.5


def score_loss(wanted: Any, predicted: Any) -> Any:
    """Return the expected negative log-likelihood of scores under normal distributions, without its constant, (B,).

    Args:
        wanted: (B, 2), mean and standard deviation of the final score in points.
        predicted: (B, 2), the same, as `ScoreDistribution` returns them.
    """
    deviation = predicted[:, 1]
    squared = ops.square(wanted[:, 0] - predicted[:, 0]) + ops.square(wanted[:, 1])
    return ops.log(deviation) + 0.5 * squared / ops.square(deviation)


def margin_loss(wanted: Any, predicted: Any) -> Any:
    """Return the cross-entropy of the result, and half the Huber loss of the margin a row of the board, (B,).

    Args:
        wanted: (B, 3), as `wanted_margin` returns it.
        predicted: (B, 2), as `MarginDistribution` returns it.
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
