"""Objects that a child process of `os.fork` resets: it has the locks of its parent, but none of its threads."""

import os
from typing import Protocol
from weakref import WeakSet


class ForkReset(Protocol):
    """An object that cannot go on in a child process as it is."""

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
