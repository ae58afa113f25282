"""Columns of Arrow tables as arrays, and the kernels that check them."""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.jit import kernel
from goban.kernels import check_game, setup_facts

Bool = NDArray[np.bool_]
Int16 = NDArray[np.int16]
Int64 = NDArray[np.int64]


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


@kernel
def crowded_rows(side: Int64, setup: Int16, offset: Int64) -> Bool:
    """Return which rows have two set-up stones on a point, or a chain of them without liberties, bool (R,).

    Args:
        side: int64 (R,).
        setup: int16, codes on the board, those of row r at offset[r]:offset[r + 1].
        offset: int64 (R + 1,).
    """
    crowded = np.zeros(len(side), np.bool_)
    for row in range(len(side)):
        if offset[row] == offset[row + 1]:
            continue
        stones = np.zeros(side[row] * side[row], np.int8)
        for code in setup[offset[row] : offset[row + 1]]:
            crowded[row] |= stones[code >> 1] != 0
            stones[code >> 1] = 1 - 2 * (code & 1)
        crowded[row] |= setup_facts(side[row], stones)[1] >= 0
    return crowded


@kernel
def misplayed_rows(side: Int64, setup: Int16, setup_offset: Int64, moves: Int16, move_offset: Int64) -> Bool:
    """Return which rows have an illegal move, bool (R,): simple ko, suicide allowed.

    Args:
        side: int64 (R,).
        setup: int16, codes of stones that make positions, those of row r at setup_offset[r]:setup_offset[r + 1].
        setup_offset: int64 (R + 1,).
        moves: int16, codes on the board or of passes, likewise.
        move_offset: int64 (R + 1,).
    """
    misplayed = np.zeros(len(side), np.bool_)
    for row in range(len(side)):
        stones = np.zeros(side[row] * side[row], np.int8)
        for code in setup[setup_offset[row] : setup_offset[row + 1]]:
            stones[code >> 1] = 1 - 2 * (code & 1)
        codes = moves[move_offset[row] : move_offset[row + 1]]
        points, colours = (codes >> 1).astype(np.int16), (1 - 2 * (codes & 1)).astype(np.int8)
        misplayed[row] = check_game(side[row], stones, points, colours, True) >= 0
    return misplayed


def valid(table: Any, name: str) -> Bool:
    """Return which rows have a value, bool (R,)."""
    there: Bool = table[name].is_valid().to_numpy().astype(np.bool_)
    return there


def numbers(table: Any, name: str) -> Any:
    """Return a column as numbers, int64 or float32, 0 where it has none."""
    column = table[name]
    values = (column.fill_null(0) if column.null_count else column).to_numpy()
    return values.astype(np.int64) if values.dtype.kind == "i" else values


def lists(table: Any, name: str) -> Lists:
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
