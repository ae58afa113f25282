"""All devices of a machine at one training: Keras's data parallelism, which JAX alone has."""

from collections.abc import Iterator
from contextlib import contextmanager

import keras

from goban.errors import InputError


class Devices:
    """The devices that Keras trains on: each has the whole network and takes an equal part of every batch.

    Args:
        batch_size: positions in a batch.

    Raises:
        InputError: they cannot be divided equally.
    """

    def __init__(self, batch_size: int) -> None:
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
