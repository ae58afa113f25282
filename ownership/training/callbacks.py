"""Callbacks of Keras during a training that does not run through `fit`."""

from collections.abc import Sequence
from typing import Any, Self

import keras

from ownership.training.checkpoints import Progress


class Callbacks:
    """Tells callbacks what happens to a model; a context manager. An epoch lasts from one validation to the next.

    Args:
        callbacks: to be told.
        model: the network that is trained.
        progress: how far it has come, which the training keeps up to date.
    """

    def __init__(self, callbacks: Sequence[keras.callbacks.Callback], model: keras.Model, progress: Progress) -> None:
        self._told, self._progress = keras.callbacks.CallbackList(list(callbacks), model=model), progress
        self._in_epoch = False

    def __enter__(self) -> Self:
        self._told.on_train_begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._told.on_train_end()

    def begin(self) -> None:
        """Tell that a step begins, and an epoch with the first step of one."""
        if not self._in_epoch:
            self._told.on_epoch_begin(len(self._progress.history))
            self._in_epoch = True
        self._told.on_train_batch_begin(self._progress.step)

    def end(self, values: dict[str, float]) -> None:
        """Tell that a step has ended, with the means since the last validation."""
        self._told.on_train_batch_end(self._progress.step - 1, dict(values))

    def validated(self) -> None:
        """Tell that an epoch has ended, with the newest record of the history."""
        record: dict[str, Any] = dict(self._progress.history[-1])
        self._told.on_epoch_end(len(self._progress.history) - 1, record)
        self._in_epoch = False
