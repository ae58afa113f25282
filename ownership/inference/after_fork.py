"""Evaluation after `os.fork`: a child process has the locks and networks of its parent, but none of its threads."""

import os
import threading
from collections.abc import Callable
from typing import Protocol
from weakref import WeakSet

from ownership.inference.batching import Batcher
from ownership.inference.image_requests import ImageRequest
from ownership.inference.litert_network import NamedArrays


class ForkReset(Protocol):
    """What cannot go on in a child process as it is."""

    def reset_in_child(self) -> None:
        """Forget locks and threads of the parent; no other thread runs yet."""
        ...


_known: "WeakSet[ForkReset]" = WeakSet()


def reset_after_fork(each: ForkReset) -> None:
    """Call `reset_in_child` of an object in every child process."""
    _known.add(each)


def _in_child() -> None:
    for each in list(_known):
        each.reset_in_child()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_in_child)


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
        """Keep the parent's batcher, as to free its networks would wait for their threads, but use it no more."""
        self._is_open, self._opening = False, threading.Lock()

    def run(self, request: ImageRequest) -> NamedArrays:
        """Return the outputs of a request; see `Batcher.run`."""
        if not self._is_open:
            with self._opening:
                if not self._is_open:
                    self._batchers.append(self._open())
                    self._is_open = True
        return self._batchers[-1].run(request)
