"""The claims of a Parquet file's footer about its columns, read before Arrow reads a column.

Arrow reads the footer, a struct in Thrift's compact protocol, but ends the process where code asks it about a column
whose metadata is missing. So its own copy of what it read is looked at here: that is whole, however damaged the file.
"""

from collections import Counter
from typing import Any, Final, NamedTuple

_TAIL: Final = 8  # bytes: the length of the footer and a magic number
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_WHOLE: Final = (4, 5, 6)
# Fields by number: of the file, of a group of rows, of a column, of a column's metadata.
_ROW_GROUPS, _COLUMNS, _METADATA, _VALUES, _UNPACKED = 4, 1, 3, 5, 6


class ColumnClaims(NamedTuple):
    """The most values of a column in a group of rows, and the most bytes of one in the file once unpacked."""

    values: int
    unpacked: int


def column_claims(metadata: Any) -> ColumnClaims:
    """Return what the footer of a Parquet file claims about its largest columns.

    Args:
        metadata: of a `pyarrow.parquet.ParquetFile`.

    Raises:
        ValueError: a column has no metadata, or a number of rows, values or bytes is below 0.
    """
    if metadata.num_rows < 0:
        raise ValueError("a damaged footer")
    values, unpacked = 0, Counter[int]()
    for group in _footer(metadata)[_ROW_GROUPS]:
        for number, column in enumerate(group[_COLUMNS]):
            claimed = column.get(_METADATA)
            if claimed is None or min(claimed[_VALUES], claimed[_UNPACKED]) < 0:
                raise ValueError("a damaged footer")
            values = max(values, claimed[_VALUES])
            unpacked[number] += claimed[_UNPACKED]
    return ColumnClaims(values, max(unpacked.values(), default=0))


def _footer(metadata: Any) -> dict[int, Any]:
    import pyarrow as pa

    stream = pa.BufferOutputStream()
    metadata.write_metadata_file(stream)
    data = stream.getvalue().to_pybytes()
    size = int.from_bytes(data[-_TAIL : -_TAIL // 2], "little")
    return _CompactReader(data[-_TAIL - size : -_TAIL]).struct()


class _CompactReader:
    """A reader of values in Thrift's compact protocol, as Arrow writes them: it trusts them."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0

    def struct(self) -> dict[int, Any]:
        """Return the fields of a struct by number."""
        fields: dict[int, Any] = {}
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._whole()
            fields[number] = self._value(header & 15)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind in (_BYTE, _DOUBLE):
            return self._bytes(1 if kind == _BYTE else 8)
        if kind in _WHOLE:
            return self._whole()
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in (_LIST, _SET):
            return self._list()
        assert kind == _STRUCT, kind  # no maps, of which Parquet's footer has none
        return self.struct()

    def _list(self) -> list[Any]:
        header = self._byte()
        size, kind = header >> 4, header & 15
        size = self._varint() if size == 15 else size
        if kind in (_TRUE, _FALSE):
            return list(self._bytes(size))
        return [self._value(kind) for _ in range(size)]

    def _byte(self) -> int:
        self._place += 1
        return self._data[self._place - 1]

    def _bytes(self, size: int) -> bytes:
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
