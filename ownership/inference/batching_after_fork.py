"""Batches after `os.fork`: a child process cannot use the networks of its parent, and opens others."""

import threading
from collections.abc import Callable

from ownership.inference.batching import Batcher
from ownership.inference.fork_reset import reset_after_fork
from ownership.inference.image_requests import ImageRequest
from ownership.inference.litert_network import NamedArrays


class ForkedBatcher:
    """A batcher, in whose place a child process opens another one when it first runs a request.

    Args:
        open_batcher: returns it.
    """

    def __init__(self, open_batcher: Callable[[], Batcher]) -> None:
        self._open = open_batcher
        self._batchers = [open_batcher()]
        self._is_open = True
        self._opening = threading.Lock()
        reset_after_fork(self)

    def reset_in_child(self) -> None:
        """Leave the parent's batcher unused, but keep it: to free its networks would wait for their threads."""
        self._is_open, self._opening = False, threading.Lock()

    def run(self, request: ImageRequest) -> NamedArrays:
        """Return the outputs of a request; see `Batcher.run`."""
        if not self._is_open:
            with self._opening:
                if not self._is_open:
                    self._batchers.append(self._open())
                    self._is_open = True
        return self._batchers[-1].run(request)
