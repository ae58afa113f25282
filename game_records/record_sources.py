"""Where records come from: files in any format, collections, folders, archives, at URLs too, and standard input."""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord, MissingSourceError, RecordError
from game_records.record_files import (
    TAR,
    RawRecord,
    RawRecords,
    RecordPlace,
    join_shown,
    read_place,
    read_stdin,
    shown_place,
    walk_folder,
)
from game_records.registered_formats import parse_record
from goban.errors import InputError, wrong_type
from runtime.folders import locate

_STDIN: Final = "/dev/stdin"
_NUMBER = re.compile(r"#([1-9][0-9]*)$")
_IN_ARCHIVE = re.compile(rf"(?:{'|'.join(map(re.escape, ('.zip', *TAR)))})(?=/)", re.IGNORECASE)


def read_games(paths: str | Path | Iterable[str | Path]) -> Iterator[GameRecord | BadRecord]:
    """Yield every game below `paths`, lazily and in a fixed order; a bad record becomes a BadRecord.

    It reads each place once, from begin to end: a pipe is as good as a file.

    Args:
        paths: one or several of: files (one game or a collection, .sgf.gz, .sgf.bz2 and .sgf.xz compressed), folders
            (their .sgf files, compressed ones and archives, sorted by name), zip and tar archives (their .sgf members,
            in archive order), the fsspec URL of any of these, "-" for standard input. Does not look into archives in
            archives. The source of a record, such as "games.zip/a.sgf" or "games.zip/a.sgf#3", names that record alone.

    Raises:
        MissingSourceError: a file or folder of this machine is not there, before any game is read.
    """
    return map(parsed, raw_records(paths))


def _check_there(paths: Iterable[str]) -> None:
    """Raise MissingSourceError for the first path of this machine that names no file, folder or archive's member."""
    for given in paths:
        number = _NUMBER.search(given)
        path = given if number is None or _is_there(given) else given[: number.start()]
        archives = (_on_disk(path[: ending.end()]) for ending in _IN_ARCHIVE.finditer(path))
        if path != "-" and "://" not in _on_disk(path) and _is_missing(path) and not any(map(os.path.isfile, archives)):
            raise MissingSourceError(
                f"{shown_place(given)}: expected a file or folder of game records. Received: no such file"
            )


class ReadRecord(NamedTuple):
    """A game record, and the SGF that it was read from, or that says the same as a file of another format."""

    game: GameRecord
    data: bytes


def read_records(paths: str | Path | Iterable[str | Path]) -> Iterator[ReadRecord | BadRecord]:
    """Yield the same as `read_games`, each game with its bytes."""
    return map(_parse, raw_records(paths))


def raw_records(paths: str | Path | Iterable[str | Path]) -> RawRecords:
    """Yield the bytes of each record of `read_games`, from which `parsed` makes it."""
    given = [paths] if isinstance(paths, str | Path) else paths
    if not isinstance(given, Iterable):
        raise wrong_type("a path, or a list of paths", given)
    places = [str(path) for path in given]
    _check_there(places)
    return _read(places)


def parsed(record: RawRecord | BadRecord) -> GameRecord | BadRecord:
    """Return the game of a record of `raw_records`, or why it has none."""
    found = _parse(record)
    return found if isinstance(found, BadRecord) else found.game


def read_game(path: str | Path) -> GameRecord:
    """Return the only game of a file, folder, archive or URL, or of "-"; raise InputError if there is not one."""
    return read_record(path).game


def read_record(path: str | Path) -> ReadRecord:
    """Return the same as `read_game`, with its bytes."""
    first, *others = islice(read_records([path]), 2)
    if others:
        one = first.source if isinstance(first, BadRecord) else first.game.source
        raise InputError(f"{shown_place(str(path))}: expected one game. Received: several; name one, such as {one}")
    if isinstance(first, BadRecord):
        raise InputError(str(first))
    return first


def files_of(paths: Iterable[str | Path]) -> Iterator[str]:
    """Yield the paths of the files of this machine that `read_games` reads for the same `paths`."""
    for given in map(str, paths):
        number = _NUMBER.search(given)
        path = _on_disk(given if number is None or _is_there(given) else given[: number.start()])
        archives = (path[: ending.end()] for ending in _IN_ARCHIVE.finditer(path))
        if "://" in path:
            continue
        if path == "-":
            yield _STDIN
        elif os.path.isdir(path):
            yield from (
                place.path for place in walk_folder(RecordPlace(*locate(path), path)) if isinstance(place, RecordPlace)
            )
        else:
            yield next(filter(os.path.isfile, archives), path)


def _read(paths: Iterable[str | Path]) -> RawRecords:
    for path in map(str, paths):
        number = _NUMBER.search(path)
        if number is None or _is_there(path):
            yield from _read_source(path)
        else:
            yield _numbered(_read_source(path[: number.start()]), int(number[1]), shown_place(path))


def _numbered(records: RawRecords, number: int, shown: str) -> RawRecord | BadRecord:
    """Return one of the records by its number, from 1; a BadRecord if there are fewer."""
    last, count = None, 0
    while count < number and (record := next(records, None)) is not None:
        last, count = record, count + 1
    if last is not None and (count == number or (count == 1 and isinstance(last, BadRecord))):
        return last
    return BadRecord(shown, "unreadable", f"expected the number of a game, 1..{count}. Received: {number}")


def _read_source(given: str) -> RawRecords:
    """Yield the records of a place, of a member of an archive, or of standard input."""
    if given == "-":
        yield from read_stdin()
        return
    for ending in _IN_ARCHIVE.finditer(given):
        archive = given[: ending.end()]
        if "://" in _on_disk(archive) or os.path.isfile(_on_disk(archive)):
            yield from _read_member(archive, given[ending.end() + 1 :])
            return
    yield from read_place(given)


def _read_member(archive: str, name: str) -> RawRecords:
    """Yield the records of a member of an archive, or why the archive cannot be read."""
    found, wanted = False, join_shown(shown_place(archive), name)
    for record in read_place(archive):
        if record.source in (wanted, shown_place(archive)) or record.source.startswith(f"{wanted}#"):
            found = True
            yield record
    if not found:
        yield BadRecord(wanted, "unreadable", "expected the name of a record in the archive. Received: another name")


def _is_there(given: str) -> bool:
    """Return whether a file or folder of this machine has this name."""
    return os.path.lexists(_on_disk(given))


def _is_missing(given: str) -> bool:
    """Return whether this machine has no such file or folder; one that may not be looked at is not missing."""
    try:
        os.lstat(_on_disk(given))
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):  # a folder that may not be looked into; a name that no file can have
        return False
    return False


def _on_disk(given: str) -> str:
    return given.removeprefix("file://")


def _parse(record: RawRecord | BadRecord) -> ReadRecord | BadRecord:
    if isinstance(record, BadRecord):
        return record
    try:
        return ReadRecord(*parse_record(*record))
    except RecordError as error:
        return BadRecord(record.source, error.reason, error.detail)
