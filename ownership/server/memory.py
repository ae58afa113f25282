"""What a server keeps in memory: one heap for all threads, and the records that were read last."""

import ctypes
import sys
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from preprocessing.records.game import GameRecord

MOST_KEPT: Final = 4 << 20  # bytes of records' texts
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # of glibc's malloc.h
_LARGE: Final = 1 << 17  # bytes


def share_heap() -> None:
    """Let threads that start from now on share one heap, and give large blocks back when they are freed.

    By default glibc gives each thread a heap, which keeps what was freed there. Other C libraries are left as they are.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
        mallopt(_MMAP_THRESHOLD, _LARGE)


class KeptRecords:
    """Reads records, and keeps those that were read last, as a client sends the same game for each position.

    Args:
        parse: reads the text of a record.
        most: bytes of all texts that are kept.
    """

    def __init__(self, parse: Callable[[bytes], GameRecord], most: int = MOST_KEPT) -> None:
        self._parse, self._most = parse, most
        self._records: OrderedDict[bytes, GameRecord] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def __call__(self, data: bytes) -> GameRecord:
        """Return the record of a text; raise what `parse` raises."""
        with self._lock:
            if (known := self._records.get(data)) is not None:
                self._records.move_to_end(data)
                return known
        found = self._parse(data)
        with self._lock:
            if data not in self._records:
                self._records[data] = found
                self._size += len(data)
            while self._size > self._most:
                oldest, _ = self._records.popitem(last=False)
                self._size -= len(oldest)
        return found
