"""What the footer of a Parquet file claims about its columns, read before Arrow makes anything of it.

The footer is a struct in Thrift's compact protocol. Arrow reads it too, but ends the process where a damaged footer
lacks the metadata of a column.
"""

from collections import Counter
from typing import Any, Final, NamedTuple

_MAGIC: Final = b"PAR1"
_TAIL: Final = 8  # bytes: the length of the footer and the magic number
_DEEPEST: Final = 20  # structs in structs
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_WHOLE: Final = (4, 5, 6)
# Fields by number: of the file, of a group of rows, of a column, of a column's metadata.
_ROW_GROUPS, _COLUMNS, _METADATA, _VALUES, _UNPACKED = 4, 1, 3, 5, 6


class ColumnClaims(NamedTuple):
    """The most values, and bytes once unpacked, that a column of a file has by its footer."""

    values: int
    unpacked: int


def column_claims(data: bytes) -> ColumnClaims:
    """Return what the footer of a Parquet file claims about its largest column; raise ValueError for a damaged one."""
    size = int.from_bytes(data[-_TAIL : -len(_MAGIC)], "little")
    if data[-len(_MAGIC) :] != _MAGIC or not 0 < size <= len(data) - _TAIL:
        raise ValueError("no footer of a Parquet file")
    values, unpacked = Counter[int](), Counter[int]()
    try:
        footer = _Footer(data[-_TAIL - size : -_TAIL]).struct(0)
        for group in footer[_ROW_GROUPS]:
            for number, column in enumerate(group[_COLUMNS]):
                values[number] += column[_METADATA][_VALUES]
                unpacked[number] += column[_METADATA][_UNPACKED]
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError("a damaged footer") from error
    return ColumnClaims(max(values.values(), default=0), max(unpacked.values(), default=0))


class _Footer:
    """A reader of values in Thrift's compact protocol; IndexError or ValueError at the end of the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """Return the fields of a struct by number."""
        if depth > _DEEPEST:
            raise ValueError("a damaged footer")
        fields: dict[int, Any] = {}
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._whole()
            fields[number] = self._value(header & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind in (_BYTE, _DOUBLE):
            return self._bytes(1 if kind == _BYTE else 8)
        if kind in _WHOLE:
            return self._whole()
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise ValueError("a damaged footer")  # maps, too, of which Parquet's footer has none

    def _list(self, depth: int) -> list[Any]:
        header = self._byte()
        size, kind = header >> 4, header & 15
        size = self._varint() if size == 15 else size
        if size > len(self._data) - self._place:
            raise ValueError("a damaged footer")
        if kind in (_TRUE, _FALSE):
            return list(self._bytes(size))
        return [self._value(kind, depth) for _ in range(size)]

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _bytes(self, size: int) -> bytes:
        if size > len(self._data) - self._place:
            raise ValueError("a damaged footer")
        self._place += size
        return self._data[self._place - size : self._place]

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) & 128:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _whole(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
