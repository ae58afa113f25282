"""Shards are checked when they are read, before any kernel sees them: kernels trust their arguments.

Games are not replayed: an illegal move ends the replay that meets it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from goban.coords import MAX_SIDE, MIN_SIDE
from goban.jit import kernel
from goban.kernels import setup_facts
from goban.rulesets import RULESETS
from preprocessing.dataset.rows import SPLITS, DatasetError, schema
from preprocessing.records.game import MAX_MOVES, Kind

_MOST_POINTS: Final = 2000.0  # more than any margin and komi of a record
_ALWAYS: Final = ("source", "reason")
_OF_GAMES: Final = (
    "id",
    "opening",
    "komi",
    "rules",
    "handicap",
    "result",
    "ending",
    "black_rank",
    "white_rank",
    "date",
)
_POINTS: Final = ("komi", "recorded_score", "counted_score")
_OF_TARGETS: Final = ("counted_score", "scorer", "moves")
_HASHES: Final = ("id", "opening")
_VALUES: Final = {"rules": ("", *RULESETS), "ending": get_args(Kind), "split": SPLITS}
_SHOWN: Final = 40  # characters of a bad value

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]
Int64 = NDArray[np.int64]


class _Fault(NamedTuple):
    """Rows whose `field` is not what it must be, bool (R,)."""

    field: str
    rows: Bool
    expected: str


class _Codes(NamedTuple):
    """A column of stones or moves: codes int16 end to end, and where each row's begin, int64 (R + 1,)."""

    values: Int16
    offset: Int64

    @property
    def lengths(self) -> Int64:
        return np.diff(self.offset)

    def any_in_row(self, bad: Bool) -> Bool:
        """Return which rows have a code that is bad, bool (R,)."""
        rows = np.repeat(np.arange(len(self.offset) - 1), self.lengths)
        return np.bincount(rows[bad], minlength=len(self.offset) - 1) > 0


def checked(table: Any, name: str) -> Any:
    """Return a shard's table, or some of its columns, side among them, with the types of the schema.

    Args:
        table: an Arrow table.
        name: of the shard, for the message.

    Raises:
        DatasetError: a value that no dataset holds; it names shard, row (from 0), field and value.
    """
    table = _typed(table, name)
    for fault in _faults(table):
        if fault.rows.any():
            row = int(fault.rows.argmax())
            raise _error(name, row, fault.field, fault.expected, repr(table[fault.field][row].as_py()))
    return table


def _error(name: str, row: int, field: str, expected: str, received: str) -> DatasetError:
    shown = received if len(received) <= _SHOWN else f"{received[:_SHOWN]}..."
    return DatasetError(f"{name}: row {row}: {field}: expected {expected}. Received: {shown}")


def _typed(table: Any, name: str) -> Any:
    import pyarrow as pa

    types = schema()
    for place, column in enumerate(table.column_names):
        field = types.field(column)
        if table[column].type == field.type:
            continue
        try:
            table = table.set_column(place, field, table[column].cast(field.type))
        except pa.ArrowException as error:
            raise DatasetError(f"{name}: {column}: expected {field.type}. Received: {error}") from error
    return table


def _faults(table: Any) -> Iterator[_Fault]:
    """Yield what may be wrong with the columns that are there, each check trusting those before it."""
    present = set(table.column_names)
    side = _numbers(table, "side")
    is_game = _valid(table, "side")
    yield _Fault("side", is_game & ((side < MIN_SIDE) | (side > MAX_SIDE)), f"a board side {MIN_SIDE}..{MAX_SIDE}")
    for name in _present(table, ("setup", "moves", "target")):
        yield _Fault("side", _valid(table, name) & ~is_game, f"a board side with {name}")
    for name in _present(table, _ALWAYS):
        yield _Fault(name, ~_valid(table, name), "a text")
    for name in _present(table, _OF_GAMES):
        yield _Fault(name, is_game & ~_valid(table, name), "a value")
    for name in _present(table, _POINTS):
        yield _Fault(name, ~(np.abs(_numbers(table, name)) <= _MOST_POINTS), "a number of points")
    if "handicap" in present:
        yield _Fault("handicap", _numbers(table, "handicap") < 0, "0 or more")
    yield from _text_faults(table)
    yield from _board_faults(table, present, side)


def _present(table: Any, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in table.column_names]


def _text_faults(table: Any) -> Iterator[_Fault]:
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in _present(table, _HASHES):
        good = pc.match_substring_regex(table[name], "^[0-9a-f]{16}$")
        yield _Fault(name, ~_bools(good.fill_null(True)), "16 hexadecimal digits")
    for name in _present(table, list(_VALUES)):
        values = _VALUES[name]
        good = pc.or_(pc.is_null(table[name]), pc.is_in(table[name], value_set=pa.array(values)))
        yield _Fault(name, ~_bools(good), f"one of {', '.join(filter(None, values))}")


def _board_faults(table: Any, present: set[str], side: Int64) -> Iterator[_Fault]:
    points = side**2
    if "setup" in present:
        setup = _codes(table, "setup")
        yield from _code_faults("setup", setup, 2 * points)
        crowded = crowded_rows(side, setup.values, setup.offset)
        yield _Fault("setup", crowded, "one stone a point, and a liberty for every chain")
    if "moves" in present:
        moves = _codes(table, "moves")
        yield from _code_faults("moves", moves, 2 * points + 2)
        yield _Fault("moves", moves.lengths > MAX_MOVES, f"at most {MAX_MOVES} moves")
        if "branch" in present:
            branch = _numbers(table, "branch")
            yield _Fault("branch", (branch < 0) | (branch > moves.lengths), "a number of moves of the game")
    if "target" in present:
        yield from _target_faults(table, present, points)
    if {"setup", "moves"} <= present:
        yield _Fault("setup", _valid(table, "setup") != _valid(table, "moves"), "set-up stones with moves")


def _code_faults(name: str, codes: _Codes, end: Int64) -> Iterator[_Fault]:
    outside = (codes.values < 0) | (codes.values >= np.repeat(end, codes.lengths))
    yield _Fault(name, codes.any_in_row(outside), "codes of points on the board")


def _target_faults(table: Any, present: set[str], points: Int64) -> Iterator[_Fault]:
    import pyarrow.compute as pc

    there = _valid(table, "target")
    lengths = pc.binary_length(table["target"]).fill_null(0).to_numpy()
    yield _Fault("target", there & (lengths != points), "a byte for each point of the board")
    values = np.frombuffer(b"".join(table["target"].drop_null().to_pylist()), np.int8)
    owners = _Codes(values.astype(np.int16), np.append(0, np.cumsum(lengths, dtype=np.int64)))
    yield _Fault("target", owners.any_in_row(np.abs(owners.values) > 1), "owners 1, 0 and -1")
    for name in _present(table, _OF_TARGETS):
        yield _Fault(name, there & ~_valid(table, name), "a value with a target")
    if "reason" in present:
        accepted = _bools(pc.equal(table["reason"], ""))
        yield _Fault("reason", there & ~accepted, "no reason with a target")
        yield _Fault("target", ~there & accepted, "a target without a reason")


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


def _valid(table: Any, name: str) -> Bool:
    return _bools(table[name].is_valid())


def _bools(column: Any) -> Bool:
    found: Bool = column.to_numpy(zero_copy_only=False).astype(np.bool_)
    return found


def _numbers(table: Any, name: str) -> Any:
    """Return a column as numbers, int64 or float32, 0 where it has none."""
    column = table[name]
    values = (column.fill_null(0) if column.null_count else column).to_numpy()
    return values.astype(np.int64) if values.dtype.kind == "i" else values


def _codes(table: Any, name: str) -> _Codes:
    """Return a column of codes, -1 for each that is null."""
    import pyarrow.compute as pc

    column = table[name].combine_chunks()
    lengths = pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False)
    values = column.flatten()
    values = values.fill_null(-1) if values.null_count else values
    return _Codes(values.to_numpy(), np.append(0, np.cumsum(lengths, dtype=np.int64)))
