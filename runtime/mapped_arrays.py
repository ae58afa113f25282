"""Arrays in temporary files of the disk, which the system maps: they fill memory only as long as it is free."""

import mmap
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

PART: Final = 1 << 16  # rows that are in memory together
_BUCKET: Final = 1 << 20  # keys that are sorted in memory
_ON_DISK: Final = "/var/tmp"  # /tmp may be in memory


def temporary_file() -> IO[bytes]:
    """Return a file without a name on a disk, in $TMPDIR if that is set; it is gone when its last user is."""
    place = None if any(map(os.environ.get, ("TMPDIR", "TEMP", "TMP"))) or not os.path.isdir(_ON_DISK) else _ON_DISK
    return tempfile.TemporaryFile(dir=place)


def mapped_file(file: IO[bytes]) -> mmap.mmap | bytearray:
    """Return the content of a file that is open for reading and writing; changes go to the file."""
    file.flush()
    size = os.fstat(file.fileno()).st_size
    return mmap.mmap(file.fileno(), size) if size else bytearray()  # no empty file can be mapped


class GrowingArray:
    """An array on disk that grows at its end, the first axis."""

    def __init__(self) -> None:
        self._file, self._last = temporary_file(), np.empty(0)
        self.length = 0

    def append(self, values: NDArray[Any]) -> None:
        """Append values, which have the type and the further axes of the ones before."""
        self._last, self.length = values[:0], self.length + len(values)
        self._file.write(np.ascontiguousarray(values).data)

    def mapped(self) -> NDArray[Any]:
        """Return the array; append nothing after that."""
        values = np.frombuffer(mapped_file(self._file), self._last.dtype)
        self._file.close()
        return values.reshape(self.length, *self._last.shape[1:])


def parts_of(length: int, size: int | None = None) -> Iterator[slice]:
    """Yield slices of at most `size` rows, from first to last."""
    return (slice(start, min(start + (size or PART), length)) for start in range(0, length, size or PART))


def joined(arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays end to end, on disk; there is at least one."""
    growing = GrowingArray()
    for array in arrays:
        growing.append(array)
    return growing.mapped()


def made_in_parts(length: int, values: Callable[[slice], NDArray[Any]]) -> NDArray[Any]:
    """Return an array on disk, whose slices are made one after the other; there is one at least, if an empty one."""
    return joined(map(values, parts_of(length) if length else [slice(0, 0)]))


def distinct(values: NDArray[Any]) -> list[Any]:
    """Return the values that occur, rising."""
    return sorted(set().union(*(np.unique(values[part]).tolist() for part in parts_of(len(values)))))


def first_of_each(keys: NDArray[np.uint64], preferred: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows are the first with their key, or the first that is preferred, if one is: bool (R,).

    Keys are hashes, spread evenly. Those of a few remainders are sorted at a time.
    """
    kept = made_in_parts(len(keys), lambda part: np.zeros(part.stop - part.start, np.bool_))
    buckets = max(1, -(-len(keys) // _BUCKET))
    for bucket in range(buckets):
        found = [part.start + np.flatnonzero(keys[part] % buckets == bucket) for part in parts_of(len(keys))]
        rows = np.concatenate([np.empty(0, np.int64), *found])
        rows = rows[np.lexsort((~preferred[rows], keys[rows]))]
        chosen = keys[rows]
        kept[rows[np.append(True, chosen[1:] != chosen[:-1])[: len(rows)]]] = True
    return kept
