"""What the Parquet files of datasets hold: games, one row a record, and positions that a teacher labelled.

Files are written, read and checked by the columns that stand here; docs/datasets.md says what they mean. Checks come
before any kernel sees the values: kernels trust their arguments. Games are not replayed, labelled positions are.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import filter as matching
from itertools import pairwise
from math import inf
from typing import Any, Final, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from game_datasets.rows import SPLITS, SURE, DatasetError, decode
from game_records.game_record import MAX_MOVES, Kind, course_id, printable
from goban.array_types import Bool, Int16, Int64
from goban.coords import MAX_SIDE, MIN_SIDE
from goban.errors import cut
from goban.jit import kernel
from goban.move_kernels import check_game, setup_facts
from goban.rulesets import RULESETS
from runtime.storage import Folder

_MOST_POINTS: Final = 2000  # more than any margin and komi of a record
_TEXT, _NUMBER, _CODES = "string", "float32", "list<int16>"

Bad = Callable[[Any, str], Bool]


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


class Check(NamedTuple):
    """What a column is expected to have. It may trust the board side, the columns before its own and earlier checks.

    Attributes:
        expected: in words.
        bad: returns the rows that do not have it, bool (R,), given an Arrow table and the column's name.
        beside: other columns that it reads, the board side apart.
    """

    expected: str
    bad: Bad
    beside: tuple[str, ...] = ()


class Column:
    """The type of a column's values, as Arrow names it, and what they must be."""

    def __init__(self, type: str, *checks: Check) -> None:
        self.type, self.checks = type, checks

    def arrow(self) -> Any:
        """Return the Arrow type."""
        import pyarrow as pa

        element = self.type.removeprefix("list<").removesuffix(">")
        values = pa.type_for_alias(element)
        return values if element == self.type else pa.list_(values)


@dataclass(frozen=True)
class Schema:
    """A kind of Parquet file.

    Attributes:
        prefix: of the names of its files.
        folder: what a folder of them is.
        kind: what it is, and which command writes it.
        level: of its compression.
        repeated: columns of which a few values occur again and again.
        columns: by name, in the order of the file; the board side is one of them.
    """

    prefix: str
    folder: str
    kind: str
    level: int
    repeated: tuple[str, ...]
    columns: Mapping[str, Column]

    def file_name(self, number: int) -> str:
        """Return the name of a file by its number, from 0."""
        return f"{self.prefix}-{number:05}.parquet"

    def file_names(self, folder: Folder) -> list[str]:
        """Return the names of the files in a folder, in order."""
        return matching(folder.names(), f"{self.prefix}-*.parquet")

    def arrow(self) -> Any:
        """Return the Arrow schema."""
        import pyarrow as pa

        return pa.schema([(name, column.arrow()) for name, column in self.columns.items()])

    def checked(self, table: Any, name: str) -> Any:
        """Return a table of some of the columns, the board side among them, with their types.

        Args:
            table: an Arrow table.
            name: of its file, for messages.

        Raises:
            DatasetError: a value that no such file holds; it names file, row (from 0), column and value.
        """
        table = self._typed(table, name)
        for field in ("side", *(each for each in self.columns if each != "side")):
            for expected, bad, beside in self.columns[field].checks:
                if {field, *beside} <= {*table.column_names} and (rows := bad(table, field)).any():
                    row = int(rows.argmax())
                    received = cut(repr(table[field][row].as_py()))
                    raise DatasetError(f"{name}: row {row}: {field}: expected {expected}. Received: {received}")
        return table

    def _typed(self, table: Any, name: str) -> Any:
        import pyarrow as pa

        for place, field in enumerate(table.column_names):
            kind = self.columns[field].arrow()
            try:
                table = table.set_column(place, field, table[field].cast(kind))
            except pa.ArrowException as error:
                raise DatasetError(f"{name}: {field}: expected {kind}. Received: {printable(str(error))}") from error
        return table


def _needed(expected: str = "a value", beside: str | None = None) -> Check:
    """Expect a value in each row, or in those that have one in the column `beside`."""
    if beside is None:
        return Check(expected, lambda table, name: ~valid(table, name))
    return Check(expected, lambda table, name: ~valid(table, name) & valid(table, beside), (beside,))


def _within(least: float, most: float, expected: str) -> Check:
    """Expect null, or a number between two, both included."""
    return Check(expected, lambda table, name: valid(table, name) & ~_between(least, numbers(table, name), most))


def _texts(expected: str, good: Callable[[str], Any]) -> Check:
    """Expect null, or a text that is good."""

    def bad(table: Any, name: str) -> Bool:
        return np.array([text is not None and not good(text) for text in table[name].to_pylist()], np.bool_)

    return Check(expected, bad)


def _one_of(values: Collection[str]) -> Check:
    return _texts(f"one of {', '.join(filter(None, values))}", lambda text: text in values)


def _items(expected: str, good: Callable[[Any, Any], Bool]) -> Check:
    """Expect lists of items that are good, given the items of all rows and the board side of each."""

    def bad(table: Any, name: str) -> Bool:
        found = lists(table, name)
        return found.any_in_row(~good(found.values, numbers(table, "side")[found.rows]))

    return Check(expected, bad)


def _codes(per_point: int, others: int = 0) -> Check:
    """Expect lists of so many codes for each point of the board, and of others after these, such as that of a pass."""
    return _items(
        "codes of points on the board", lambda codes, side: _between(0, codes, per_point * side**2 + others - 1)
    )


def _bytes(most: int, expected: str) -> tuple[Check, Check]:
    """Expect null, or a byte from -most to most for each point of the board."""

    def misfit(table: Any, name: str) -> Bool:
        unlike: Bool = lists(table, name).lengths != numbers(table, "side") ** 2
        return valid(table, name) & unlike

    return (
        Check("a byte for each point of the board", misfit),
        _items(expected, lambda values, side: _between(-most, values, most)),
    )


def _at_most(most: int, expected: str) -> Check:
    return Check(expected, lambda table, name: lists(table, name).lengths > most)


def _between(least: Any, values: Any, most: Any) -> Any:
    return (values >= least) & (values <= most)


def _accepted(table: Any) -> Bool:
    return np.array([reason == "" for reason in table["reason"].to_pylist()], np.bool_)


def _unlike_their_id(table: Any, name: str) -> Bool:
    """Return which rows have moves that, with side and set-up stones, are not those of their id, bool (R,)."""
    known, sides = valid(table, name).tolist(), numbers(table, "side").tolist()
    boards, moves = _boards(sides, lists(table, "setup")), lists(table, name)
    points, colours = decode(moves.values)
    rows = zip(known, sides, boards, pairwise(moves.offset.tolist()), table["id"].to_pylist(), strict=True)
    unlike = (
        there and course_id(side, board, points[a:b], colours[a:b]) != id for there, side, board, (a, b), id in rows
    )
    return np.fromiter(unlike, np.bool_, len(sides))


def _boards(sides: list[int], setup: Lists) -> Iterator[NDArray[np.int8]]:
    """Yield the set-up stones of each row as a record has them, int8 (side * side,)."""
    empty = {side: np.zeros(side * side, np.int8) for side in set(sides)}
    points, colours = decode(setup.values)
    for side, (start, end) in zip(sides, pairwise(setup.offset.tolist()), strict=True):
        stones = empty[side] if start == end else empty[side].copy()
        stones[points[start:end]] = colours[start:end]
        yield stones


def _doubled(table: Any, name: str) -> Bool:
    moves = lists(table, name)
    order = np.lexsort((moves.values, moves.rows))
    twice = (np.diff(moves.rows[order]) == 0) & (np.diff(moves.values[order]) == 0)
    doubled = np.zeros(len(order), np.bool_)
    doubled[order[1:][twice]] = True
    return moves.any_in_row(doubled)


_A_SIDE: Final = f"a board side {MIN_SIDE}..{MAX_SIDE}"
_SIDE: Final = _within(MIN_SIDE, MAX_SIDE, _A_SIDE)
_POINTS: Final = _within(-_MOST_POINTS, _MOST_POINTS, "a number of points")
_HASH: Final = _texts("16 hexadecimal digits", re.compile("[0-9a-f]{16}").fullmatch)
_POSITION: Final = Check(
    "one stone a point, and a liberty for every chain",
    lambda table, name: crowded_rows(numbers(table, "side"), *lists(table, name)),
)
_PRINTED: Final = _texts("a text that can be printed", str.isprintable)
_OF_GAME: Final = _needed(beside="side")
_OF_TARGET: Final = _needed("a value with a target", "target")
_WITH: Final = [_needed(f"a board side with {name}", name) for name in ("setup", "moves", "target")]
_PLY: Final = Check(
    "a number of moves of the game",
    lambda table, name: ~_between(0, numbers(table, name), lists(table, "moves").lengths),
    ("moves",),
)
_TARGET: Final = Check(
    "a target without a reason", lambda table, name: ~valid(table, name) & _accepted(table), ("reason",)
)
_REASON: Final = Check(
    "no reason with a target", lambda table, name: valid(table, "target") & ~_accepted(table), ("target",)
)
_LEGAL: Final = Check(
    "legal moves (simple ko, suicide allowed)",
    lambda table, name: misplayed_rows(numbers(table, "side"), *lists(table, "setup"), *lists(table, name)),
    ("setup",),
)
_AS_MANY: Final = Check(
    "a probability for each move",
    lambda table, name: lists(table, name).lengths != lists(table, "policy_moves").lengths,
    ("policy_moves",),
)
_SUMS: Final = Check(
    "probabilities that sum to 1 at most",
    lambda table, name: valid(table, name) & ~((lists(table, name).sums > 0) & (lists(table, name).sums < 1.01)),
)

GAMES: Final = Schema(
    prefix="shard",
    folder="a dataset folder",
    kind="a Parquet file of games, as `ownership prepare` writes it",
    level=19,
    repeated=("rules", "scorer", "split", "reason", "black_rank", "white_rank", "date", "result", "ending"),
    columns={
        "id": Column(_TEXT, _OF_GAME, _HASH),
        "opening": Column(_TEXT, _OF_GAME, _HASH),
        "source": Column(_TEXT, _needed("a text"), _PRINTED),
        "side": Column("int8", _SIDE, *_WITH),
        "komi": Column(_NUMBER, _OF_GAME, _POINTS),
        "rules": Column(_TEXT, _OF_GAME, _one_of(("", *RULESETS))),
        "handicap": Column("int16", _OF_GAME, _within(0, inf, "0 or more")),
        "result": Column(_TEXT, _OF_GAME, _PRINTED),
        "ending": Column(_TEXT, _OF_GAME, _one_of(get_args(Kind))),
        "black_rank": Column(_TEXT, _OF_GAME, _PRINTED),
        "white_rank": Column(_TEXT, _OF_GAME, _PRINTED),
        "date": Column(_TEXT, _OF_GAME, _PRINTED),
        "recorded_score": Column(_NUMBER, _POINTS),
        "counted_score": Column(_NUMBER, _POINTS, _OF_TARGET),
        "setup": Column(_CODES, _codes(2), _POSITION, _needed("set-up stones with moves", "moves")),
        "moves": Column(
            _CODES,
            _codes(2, 2),
            _at_most(MAX_MOVES, f"at most {MAX_MOVES} moves"),
            _OF_TARGET,
            _needed("moves with set-up stones", "setup"),
            Check("the moves that the id of the row is a hash of", _unlike_their_id, ("id", "setup")),
        ),
        "branch": Column("int16", _PLY),
        "target": Column("binary", *_bytes(1, "owners 1, 0 and -1"), _TARGET),
        "scorer": Column(_TEXT, _OF_TARGET, _PRINTED),
        "split": Column(_TEXT, _one_of(SPLITS)),
        "reason": Column(_TEXT, _needed("a text"), _PRINTED, _REASON),
        "detail": Column(_TEXT, _PRINTED),
    },
)

SOFT: Final = Schema(
    prefix="soft",
    folder="a soft dataset, a folder",
    kind="a Parquet file of soft rows, as `ownership teach` writes it",
    level=6,
    repeated=("source", "teacher", "rules"),
    columns={
        "source": Column(_TEXT, _needed(), _PRINTED),
        "teacher": Column(_TEXT, _needed(), _PRINTED),
        "side": Column("int8", _needed(_A_SIDE), _SIDE),
        "setup": Column(_CODES, _needed(), _codes(2), _POSITION),
        "moves": Column(
            _CODES, _needed(), _codes(2, 2), _at_most(MAX_MOVES - 1, f"fewer than {MAX_MOVES} moves"), _LEGAL
        ),
        "to_move": Column("int8", Check("1 or -1", lambda table, name: np.abs(numbers(table, name)) != 1)),
        "rules": Column(_TEXT, _needed(), _one_of(RULESETS)),
        "komi": Column(_NUMBER, _needed(), _POINTS),
        "ownership": Column("binary", _needed(), *_bytes(SURE, f"values {-SURE}..{SURE}")),
        "lead": Column(_NUMBER, _POINTS),
        "deviation": Column(_NUMBER, _within(0, _MOST_POINTS, "a number of points, 0 or more")),
        "win_rate": Column(_NUMBER, _within(0, 1, "a probability")),
        "policy_moves": Column(_CODES, _codes(1, 1), Check("each move once", _doubled)),
        "policy": Column(
            "list<float32>", _AS_MANY, _items("probabilities", lambda chances, side: _between(0, chances, 1)), _SUMS
        ),
    },
)
