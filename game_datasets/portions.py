"""The games of a dataset under way, in portions that a run finishes one by one, and joins to files of 64 MB in the end.

A file holds the portion that its name has the number of, and those after it that its metadata count.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

from game_datasets.arrow_to_numpy import list_column
from game_datasets.columns import GAMES
from game_datasets.rows import DatasetError, Row
from game_datasets.shards import (
    MOST_ROWS,
    file_metadata,
    read_shard,
    read_timing,
    timing_name,
    write_parquet,
    write_shard,
)
from runtime.folders import Folder

SHARD_BYTES: Final = 64 << 20  # of games in a file, before compression
_GROUP_BYTES: Final = 4 << 20  # of those in a group of rows
_OTHERS: Final = 256  # bytes of a game besides moves, stones and owners
_COUNTS, _FULL = b"portions", b"full"
_MOVING: Final = "moving.json"  # there while files are joined or split


class _Place(NamedTuple):
    """Where a portion is: the number of its file, and its rows there; None for all."""

    file: int
    rows: slice | None = None


class _File(NamedTuple):
    """A file to join to others: its number, rows, and bytes before compression."""

    number: int
    table: Any
    size: int


class Portions:
    """The portions of a dataset that are there, by number, from 0.

    Args:
        dataset: its folder, which no other process writes to.

    Raises:
        DatasetError: it cannot be read.
    """

    def __init__(self, dataset: Folder) -> None:
        self._dataset = dataset
        self._settle()
        self._places: dict[int, _Place] = {}
        self._read: tuple[int, Any] | None = None
        numbers = list(map(GAMES.number_of, GAMES.file_names(dataset)))
        for number, after in pairwise([*numbers, None]):
            assert number is not None
            counts = [] if after == number + 1 else self._counts(number)
            self._places |= _places(number, counts) if len(counts) > 1 else {number: _Place(number)}

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self._places))

    def rows(self, number: int) -> list[Row]:
        """Return the rows of a portion, [] if it is not there."""
        if number not in self._places:
            return []
        place = self._places[number]
        if self._read is None or self._read[0] != place.file:
            self._read = place.file, read_shard(self._dataset, GAMES.file_name(place.file))
        table = self._read[1] if place.rows is None else self._read[1][place.rows]
        rows: list[Row] = table.to_pylist()
        return rows

    def write(self, number: int, rows: Sequence[Row]) -> None:
        """Write a portion, new or in place of the one there; a file in which it was joined to others is split."""
        if number in self._places and self._places[number].rows is not None:
            self._split(self._places[number].file)
        write_shard(self._dataset, number, rows)
        self._places[number], self._read = _Place(number), None

    def join(self) -> None:
        """Join the portions to files: each ends with the portion by which it has SHARD_BYTES or the most rows."""
        waiting: list[_File] = []
        for number in sorted({place.file for place in self._places.values()}):
            if self._is_joined(number) and _FULL in file_metadata(self._dataset, GAMES.file_name(number)):
                continue
            table = read_shard(self._dataset, GAMES.file_name(number))
            if sum(len(each.table) for each in waiting) + len(table) > MOST_ROWS:
                self._join(waiting, True)
                waiting = []
            waiting.append(_File(number, table, _bytes_of(table)))
            if sum(each.size for each in waiting) >= SHARD_BYTES:
                self._join(waiting, True)
                waiting = []
        if len(waiting) > 1:
            self._join(waiting, False)

    def _join(self, joined: Sequence["_File"], full: bool) -> None:
        import pyarrow as pa

        files, tables = [each.number for each in joined], [each.table for each in joined]
        counts = [count for each in joined for count in self._counts(each.number) or [len(each.table)]]
        metadata = {_COUNTS: " ".join(map(str, counts)).encode()} | ({_FULL: b""} if full else {})
        rows = pa.concat_tables(tables).replace_schema_metadata(metadata)
        portions = [rows[place.rows] for place in _places(0, counts).values()]
        with self._moving(files[0], len(counts)):
            write_parquet(self._dataset, GAMES.file_name(files[0]), list(_groups(portions)), GAMES.dialect)
            self._join_timings(files)
        self._places |= _places(files[0], counts)
        self._read = None

    def _join_timings(self, files: Sequence[int]) -> None:
        import pyarrow as pa

        names = {*self._dataset.names()}
        timed = [name for name in map(timing_name, files) if name in names]
        if timed:
            columns = ("source", "scorer", "seconds")
            table = pa.concat_tables([read_timing(self._dataset, name, columns) for name in timed])
            write_parquet(self._dataset, timing_name(files[0]), [table], {})

    def _split(self, file: int) -> None:
        """Write each portion of a file to one of its own, the first one last."""
        places = [number for number, place in self._places.items() if place.file == file]
        rows = {number: self.rows(number) for number in places}
        self._dataset.write(_MOVING, json.dumps([file, len(places)]).encode())
        for number in sorted(places, reverse=True):
            write_shard(self._dataset, number, rows[number])
            self._places[number] = _Place(number)
        self._dataset.remove(_MOVING)
        self._read = None

    @contextmanager
    def _moving(self, file: int, portions: int) -> Iterator[None]:
        """Remove the files of portions that the block joins in the first of these files."""
        self._dataset.write(_MOVING, json.dumps([file, portions]).encode())
        yield
        self._settle()

    def _settle(self) -> None:
        """Remove the files of portions that are in a file with others too: those of a process that was killed."""
        if _MOVING not in self._dataset.names():
            return
        file, portions = json.loads(self._dataset.read(_MOVING))
        if len(self._counts(file)) == portions:
            for number in range(file + 1, file + portions):
                self._dataset.remove(GAMES.file_name(number))
                self._dataset.remove(timing_name(number))
        self._dataset.remove(_MOVING)

    def _is_joined(self, number: int) -> bool:
        return self._places[number].rows is not None

    def _counts(self, number: int) -> list[int]:
        """Return the rows of each portion of a file; [] for a file of one portion."""
        name = GAMES.file_name(number)
        text = file_metadata(self._dataset, name).get(_COUNTS, b"")
        if not re.fullmatch(rb"[0-9 ]{0,1000000}", text):
            raise DatasetError(f"{self._dataset}/{name}: expected how many rows each portion has. Received: other text")
        return list(map(int, text.split()))


def _places(file: int, counts: Sequence[int]) -> dict[int, _Place]:
    """Return the place of each portion of a file, given how many rows they have."""
    ends = pairwise(accumulate(counts, initial=0))
    return {file + number: _Place(file, slice(start, end)) for number, (start, end) in enumerate(ends)}


def _bytes_of(games: Any) -> int:
    """Return the bytes of games before compression."""
    codes = sum(len(list_column(games, name).values) for name in ("setup", "moves"))
    return 2 * codes + len(list_column(games, "target").values) + _OTHERS * len(games)


def _groups(portions: Sequence[Any]) -> Iterator[Any]:
    """Yield the tables of portions, joined to groups of rows."""
    import pyarrow as pa

    size, group = 0, list[Any]()
    for portion in portions:
        group.append(portion)
        size += _bytes_of(portion)
        if size >= _GROUP_BYTES:
            yield pa.concat_tables(group).combine_chunks()
            size, group = 0, []
    if group:
        yield pa.concat_tables(group).combine_chunks()
