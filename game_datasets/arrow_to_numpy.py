"""Columns of Arrow tables as arrays: numbers, and lists end to end."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from goban.array_types import Bool, Int64


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
