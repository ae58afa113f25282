"""The course of a training over its budget: learning rate, validations, end. Read without Keras."""

from math import cos, floor, pi

from ownership.training.checkpoints import Progress
from ownership.training.training_options import TrainingOptions

_WARM_UP = 0.03
_WARM_UP_STEPS = 100
_LEAST_RATE = 0.001
_STEADY = 25 / 28  # of the epochs of 2014, before the rate was halved once an epoch
_HALVINGS = 3


class Schedule:
    """What is due at which part of the budget of a training.

    Args:
        options: of the training.
        peak: the highest learning rate, above 0.
    """

    def __init__(self, options: TrainingOptions, peak: float) -> None:
        self._options, self._peak = options, peak

    def used(self, progress: Progress) -> float:
        """Return the part of the budget that is used up: 0 at the start, 1 or more at the end."""
        if self._options.samples is not None:
            return progress.step * self._options.batch_size / self._options.samples
        assert self._options.minutes is not None
        return progress.seconds / (60 * self._options.minutes)

    def learning_rate(self, used: float, step: int) -> float:
        """Return the learning rate of a step, of the course that the options name.

        `constant` is the peak throughout, `halving` the peak and, in the last 3 of 28 parts of the budget, a half, a
        quarter and an eighth of it, `cosine` a linear warm-up, then half a cosine down to nearly nothing. However short
        the budget is, and however much of its time the first steps take, that warm-up lasts a hundred steps: Adam's
        moments are not known before, and full steps can ruin a network.

        Args:
            used: part of the budget used up before the step; more than 1 counts as 1.
            step: number of the step, from 0.

        Returns:
            the learning rate, always above 0.
        """
        used = min(used, 1.0)
        if self._options.schedule == "constant":
            return self._peak
        if self._options.schedule == "halving":
            part = (used - _STEADY) / (1 - _STEADY)
            halvings = min(max(0, floor(part * _HALVINGS) + 1), _HALVINGS)
            return float(self._peak / 2**halvings)
        warmth = min(used / _WARM_UP, step / _WARM_UP_STEPS, 1.0)
        falling = 0.5 + 0.5 * cos(pi * max(0.0, used - _WARM_UP) / (1 - _WARM_UP))
        return self._peak * max(warmth * falling, _LEAST_RATE)

    def teaches(self, used: float) -> bool:
        """Return whether a step draws positions from a teacher: not at the end, where records decide."""
        return self._options.teacher_weight > 0 and used < self._options.teacher_until

    def validation_due(self, before: float, after: float) -> bool:
        """Return whether a validation falls between two parts of the budget used up, the last one to the end."""
        count = self._options.validation_count
        return int(min(after, 1.0) * count) > int(before * count)
