"""Columns of Arrow tables as arrays: numbers, and lists end to end; and tables in files of the disk."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, overload

import numpy as np

from goban.array_types import Bool, Int64
from runtime.mapped_arrays import GrowingArray, mapped_file, temporary_file


class Lists(NamedTuple):
    """A column of lists: values end to end, and where each row's begin, int64 (R + 1,)."""

    values: Any
    offset: Int64

    @property
    def lengths(self) -> Int64:
        """How many values each row has, int64 (R,)."""
        return np.diff(self.offset)

    @property
    def rows(self) -> Int64:
        """The row of each value, int64."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @property
    def contents(self) -> list[bytes]:
        """The values of each row as bytes."""
        return [self.values[start:end].tobytes() for start, end in pairwise(self.offset.tolist())]

    @property
    def sums(self) -> Any:
        """The sum of each row's values, float64 (R,)."""
        return np.bincount(self.rows, weights=self.values, minlength=len(self.lengths))

    def any_in_row(self, bad: Bool) -> Bool:
        """Return which rows have a value that is bad, bool (R,)."""
        return np.bincount(self.rows[bad], minlength=len(self.lengths)) > 0


def has_value(table: Any, name: str) -> Bool:
    """Return which rows have a value, bool (R,)."""
    there: Bool = table[name].is_valid().to_numpy().astype(np.bool_)
    return there


def number_column(table: Any, name: str) -> Any:
    """Return a column as numbers, int64 or float32, 0 where it has none."""
    column = table[name]
    values = (column.fill_null(0) if column.null_count else column).to_numpy()
    return values.astype(np.int64) if values.dtype.kind == "i" else values


def list_column(table: Any, name: str) -> Lists:
    """Return a column of lists of numbers, -1 for each number that is null, or of bytes, as int8."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table[name]
    if pa.types.is_binary(column.type):
        lengths, values = pc.binary_length(column), np.frombuffer(b"".join(column.drop_null().to_pylist()), np.int8)
    else:
        lengths, items = pc.list_value_length(column), column.combine_chunks().flatten()
        values = (items.fill_null(-1) if items.null_count else items).to_numpy(zero_copy_only=False)
    lengths = lengths.fill_null(0).to_numpy(zero_copy_only=False)
    return Lists(values, np.append(0, np.cumsum(lengths, dtype=np.int64)))


class Texts(Sequence[str]):
    """Texts of a column, which are decoded when they are asked for."""

    def __init__(self, encoded: Lists) -> None:
        self._encoded = encoded

    def __len__(self) -> int:
        return len(self._encoded.offset) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...

    @overload
    def __getitem__(self, row: slice) -> list[str]: ...

    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[number] for number in range(len(self))[row]]
        start, end = self._encoded.offset[range(len(self))[row] :][:2]
        return bytes(self._encoded.values[start:end]).decode()


def text_column(table: Any, name: str) -> Lists:
    """Return a column of texts, all of which are there, as the bytes of their UTF-8."""
    import pyarrow as pa

    return list_column(table.select([name]).cast(pa.schema([(name, pa.binary())])), name)


def mapped_table(tables: Iterable[Any]) -> Any:
    """Return tables of one schema as one, in a temporary Arrow file that is mapped; at least one."""
    import pyarrow as pa

    tables = iter(tables)
    first = next(tables)
    with temporary_file() as file:
        with pa.ipc.new_file(file, first.schema) as writer:
            writer.write_table(first)
            for table in tables:
                writer.write_table(table)
        return pa.ipc.open_file(pa.py_buffer(mapped_file(file))).read_all()


def batch_tables(table: Any) -> Iterator[Any]:
    """Yield the batches of a table, each as a table."""
    import pyarrow as pa

    return (pa.Table.from_batches([batch]) for batch in table.to_batches())


def tables_in(table: Any, kept: Bool) -> Iterator[Any]:
    """Yield the kept rows of a table, a table for each of its batches."""
    import pyarrow as pa

    start = 0
    for batch in batch_tables(table):
        yield batch.filter(pa.array(kept[start : start + len(batch)]))
        start += len(batch)


class GrowingLists:
    """Lists on disk, which grow at their end."""

    def __init__(self) -> None:
        self._values, self._offset = GrowingArray(), GrowingArray()
        self._offset.append(np.zeros(1, np.int64))

    def append(self, lists: Lists) -> None:
        """Append further rows."""
        self._offset.append(lists.offset[1:] + self._values.length)
        self._values.append(lists.values)

    def mapped(self) -> Lists:
        """Return the lists; append nothing after that."""
        return Lists(self._values.mapped(), self._offset.mapped())


def joined_columns(parts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return columns, arrays or Lists by name, end to end and on disk; there is one part at least."""
    growing: dict[str, GrowingArray | GrowingLists] = {}
    for part in parts:
        for name, column in part.items():
            if name not in growing:
                growing[name] = GrowingLists() if isinstance(column, Lists) else GrowingArray()
            growing[name].append(column)
    return {name: column.mapped() for name, column in growing.items()}
