"""All devices of one host or of several at one training: Keras's data parallelism, which JAX alone has."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import keras

from goban.errors import InputError
from ownership.inference.litert_network import NamedArrays

_HOSTS: Final = "KERAS_DISTRIBUTION_JOB_ADDRESSES"
_COUNT, _NUMBER = "KERAS_DISTRIBUTION_NUM_PROCESSES", "KERAS_DISTRIBUTION_PROCESS_ID"


class Devices:
    """The devices that Keras trains on: each has the whole network and takes an equal part of every batch.

    They are those of all hosts that the variables KERAS_DISTRIBUTION_* name, of which each runs the same training.

    Args:
        batch_size: positions in a batch.

    Raises:
        InputError: they cannot be divided equally.
    """

    def __init__(self, batch_size: int) -> None:
        self._hosts, self._number = 1, 0
        if keras.backend.backend() == "jax" and os.environ.get(_HOSTS):
            self._hosts, self._number = _whole(_COUNT), _whole(_NUMBER)
            keras.distribution.initialize()
        found = keras.distribution.list_devices() if keras.backend.backend() == "jax" else []
        if found and batch_size % len(found):
            raise InputError(f"--batch-size must be a multiple of the {len(found)} devices. Received: {batch_size}")
        self._parallel = keras.distribution.DataParallel(devices=found) if len(found) > 1 else None

    @contextmanager
    def used(self) -> Iterator[None]:
        """Build networks on all devices within the block, and run steps on them there."""
        if self._parallel is None:
            yield
        else:
            with self._parallel.scope():
                yield

    def of_this_host(self, arrays: NamedArrays) -> NamedArrays:
        """Return the part of a batch, given by its arrays, that the devices of this host share."""
        if self._hosts == 1:
            return arrays
        size = len(next(iter(arrays.values()))) // self._hosts
        return {name: array[self._number * size :][:size] for name, array in arrays.items()}


def _whole(variable: str) -> int:
    """Return the whole number that a variable of the environment holds; raise InputError for others."""
    text = os.environ.get(variable, "")
    if not text.isdecimal():
        raise InputError(f"{variable}: expected a whole number beside {_HOSTS}. Received: {text or 'nothing'}")
    return int(text)
