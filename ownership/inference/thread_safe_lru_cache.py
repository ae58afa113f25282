"""A cache of the values that were used last, for threads and for processes that `os.fork` makes."""

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from ownership.inference.fork_reset import reset_after_fork

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """The `size` values that were used last, by key; a size of 0 keeps none."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()
        reset_after_fork(self)

    def reset_in_child(self) -> None:
        """Forget the lock, which a thread of the parent process may have held."""
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()

    def find(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those keys that are known, which counts as a use of them."""
        with self._lock:
            found = {key: self._values[key] for key in keys if key in self._values}
            for key in found:
                self._values.move_to_end(key)
        return found

    def add(self, values: Mapping[K, V]) -> None:
        """Keep values, in place of those used longest ago."""
        with self._lock:
            for key, value in values.items():
                self._values[key] = value
                self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
