"""Where records come from: files in any format, collections, folders, archives, at URLs too, and standard input."""

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final, NamedTuple, TypeVar

import numpy as np

from game_records.archives import UNREADABLE, TooLarge, expanded, tar_members, zip_members
from game_records.game_record import GameRecord, Result, printable
from game_records.registered_formats import ENDINGS, server_nodes
from game_records.sgf import RecordError, game_of_nodes, parse_game
from game_records.text import MAX_GAME, START, Fault, decode, split_games
from goban import text_diagram
from goban.coords import BLACK, gtp_name
from goban.errors import InputError, wrong_type
from goban.move_kernels import setup_facts
from runtime.storage import Files, Kind, join, locate

UNUSABLE: Final = "unusable"
_CHUNK = 1 << 16
_TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_COMPRESSED = (".sgf.gz", ".sgf.bz2", ".sgf.xz")
_RECORDS = (".sgf", *ENDINGS)
_EXPECTED = f"expected {', '.join(_RECORDS[:-1])} or {_RECORDS[-1]} files"
_READ = (*_RECORDS, ".zip", *_TAR, *_COMPRESSED)
_Stream = TypeVar("_Stream", bound=IO[bytes])
_STDIN = "/dev/stdin"
_NUMBER = re.compile(r"#([1-9][0-9]*)$")
_IN_ARCHIVE = re.compile(rf"(?:{'|'.join(map(re.escape, ('.zip', *_TAR)))})(?=/)", re.IGNORECASE)
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)")


class MissingSourceError(InputError, FileNotFoundError):
    """A file or folder of this machine that is not there."""


@dataclass(frozen=True)
class BadRecord:
    """A record, or a whole file, that cannot be used.

    Attributes:
        source: where it is, as in a GameRecord.
        reason: one of `game_records.sgf.REASONS`; "move" for a move number beyond the end of the game;
            UNUSABLE for a readable game that a later step refuses.
        detail: what was found, in words.
    """

    source: str
    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}: {self.detail}"


class _Raw(NamedTuple):
    """The bytes of one record, not yet looked at."""

    data: bytes
    source: str


class _Place(NamedTuple):
    """A file or folder: its storage, its path there, and the name that messages show."""

    files: Files
    path: str
    shown: str


_Records = Iterator[_Raw | BadRecord]


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
    return (each if isinstance(each, BadRecord) else each.game for each in read_records(paths))


def _check_there(paths: Iterable[str]) -> None:
    """Raise MissingSourceError for the first path of this machine that names no file, folder or archive's member."""
    for given in paths:
        number = _NUMBER.search(given)
        path = given if number is None or _is_there(given) else given[: number.start()]
        archives = (_on_disk(path[: ending.end()]) for ending in _IN_ARCHIVE.finditer(path))
        if path != "-" and "://" not in _on_disk(path) and _is_missing(path) and not any(map(os.path.isfile, archives)):
            raise MissingSourceError(
                f"{_shown(given)}: expected a file or folder of game records. Received: no such file"
            )


class ReadRecord(NamedTuple):
    """A game record, and the SGF that it was read from, or that says the same as a file of another format."""

    game: GameRecord
    data: bytes


def read_records(paths: str | Path | Iterable[str | Path]) -> Iterator[ReadRecord | BadRecord]:
    """Yield the same as `read_games`, each game with its bytes."""
    given = [paths] if isinstance(paths, str | Path) else paths
    if not isinstance(given, Iterable):
        raise wrong_type("a path, or a list of paths", given)
    places = [str(path) for path in given]
    _check_there(places)
    return (record if isinstance(record, BadRecord) else _parse(record) for record in _read(places))


def read_game(path: str | Path) -> GameRecord:
    """Return the only game of a file, folder, archive or URL, or of "-"; raise InputError if there is not one."""
    return read_record(path).game


def read_record(path: str | Path) -> ReadRecord:
    """Return the same as `read_game`, with its bytes."""
    first, *others = islice(read_records([path]), 2)
    if others:
        one = first.source if isinstance(first, BadRecord) else first.game.source
        raise InputError(f"{_shown(str(path))}: expected one game. Received: several; name one, such as {one}")
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
            yield from (place.path for place in _walk(_Place(*locate(path), path)) if isinstance(place, _Place))
        else:
            yield next(filter(os.path.isfile, archives), path)


def _read(paths: Iterable[str | Path]) -> _Records:
    for path in map(str, paths):
        number = _NUMBER.search(path)
        if number is None or _is_there(path):
            yield from _read_source(path)
        else:
            yield _numbered(_read_source(path[: number.start()]), int(number[1]), _shown(path))


def _numbered(records: _Records, number: int, shown: str) -> _Raw | BadRecord:
    """Return one of the records by its number, from 1; a BadRecord if there are fewer."""
    last, count = None, 0
    while count < number and (record := next(records, None)) is not None:
        last, count = record, count + 1
    if last is not None and (count == number or (count == 1 and isinstance(last, BadRecord))):
        return last
    return BadRecord(shown, "unreadable", f"expected the number of a game, 1..{count}. Received: {number}")


def _read_source(given: str) -> _Records:
    """Yield the records of a place, of a member of an archive, or of standard input."""
    if given == "-":
        yield from _read_stdin()
        return
    for ending in _IN_ARCHIVE.finditer(given):
        archive = given[: ending.end()]
        if "://" in _on_disk(archive) or os.path.isfile(_on_disk(archive)):
            yield from _read_member(archive, given[ending.end() + 1 :])
            return
    yield from _read_place(given)


def _read_member(archive: str, name: str) -> _Records:
    """Yield the records of a member of an archive, or why the archive cannot be read."""
    found, wanted = False, _join_shown(_shown(archive), name)
    for record in _read_place(archive):
        if record.source in (wanted, _shown(archive)) or record.source.startswith(f"{wanted}#"):
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


def _read_stdin() -> _Records:
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        yield BadRecord("-", "unreadable", "standard input is closed")
    else:
        yield from _read_opened(lambda: nullcontext(stream), _read_stream, "-")


def _read_place(given: str) -> _Records:
    shown = _shown(given)
    try:
        files, path = locate(given)
        is_folder = files.is_folder(path)
    except (InputError, OSError) as error:
        yield _unreadable(shown, error)
    else:
        yield from (_read_folder if is_folder else _read_file)(_Place(files, path, shown))


def _read_folder(folder: _Place) -> _Records:
    found = False
    for place in _walk(folder):
        found = True
        if isinstance(place, BadRecord):
            yield place
        else:
            yield from _read_file(place)
    if not found:
        yield BadRecord(folder.shown, "empty", f"{_EXPECTED}, or archives, inside. Received: none")


def _walk(top: _Place) -> Iterator[_Place | BadRecord]:
    """Yield the files to be read below a folder, by name, or why they cannot be; follow no links to folders."""
    waiting: list[tuple[_Place, Kind]] = [(top, "folder")]
    while waiting:
        place, kind = waiting.pop()
        if kind == "file":
            yield place
        elif kind == "other":
            yield BadRecord(place.shown, "unreadable", "expected a file. Received: a folder, pipe, device or dead link")
        else:
            try:
                waiting.extend(reversed(list(_inside(place))))
            except OSError as error:
                yield _unreadable(place.shown, error)


def _inside(folder: _Place) -> Iterator[tuple[_Place, Kind]]:
    """Yield what is worth a look in a folder; one that is named like a file to be read is none."""
    for name, kind in folder.files.entries(folder.path):
        place = _Place(folder.files, join(folder.path, name), _join_shown(folder.shown, name))
        if name.lower().endswith(_READ):
            yield place, "file" if kind == "file" else "other"
        elif kind == "folder":
            yield place, kind


def _read_file(place: _Place) -> _Records:
    return _read_opened(partial(place.files.open, place.path), _reader(place.path), place.shown)


def _reader(path: str) -> Callable[[io.BufferedReader, str], _Records]:
    name = path.lower()
    for ending in (name, name.partition("?")[0]):  # A URL may end in a query.
        if ending.endswith(".zip"):
            return _read_zip
        if ending.endswith(_TAR):
            return _read_tar
        if ending.endswith(_COMPRESSED):
            return _read_compressed
    return _read_stream


def _read_opened(
    open_file: Callable[[], AbstractContextManager[_Stream]], reader: Callable[[_Stream, str], _Records], source: str
) -> _Records:
    try:
        with open_file() as stream:
            yield from reader(stream, source)
    except TooLarge as error:
        yield BadRecord(source, "too large", str(error))
    except UNREADABLE as error:
        yield _unreadable(source, error)


def _read_compressed(stream: io.BufferedReader, source: str) -> _Records:
    yield from _read_to_end(expanded(stream), source)


def _read_zip(stream: io.BufferedReader, source: str) -> _Records:
    found = False
    for name, open_member in zip_members(stream):
        if name.lower().endswith(_RECORDS):
            found = True
            yield from _read_opened(open_member, _read_stream, _join_shown(source, name))
    if not found:
        yield _no_member(source)


def _read_tar(stream: io.BufferedReader, source: str) -> _Records:
    found = False
    for name, member in tar_members(stream):
        if name.lower().endswith(_RECORDS):
            found = True
            yield from _read_to_end(member, _join_shown(source, name))
    if not found:
        yield _no_member(source)


def _read_to_end(stream: IO[bytes], source: str) -> _Records:
    """As `_read_stream`, but the last record comes when the stream has ended, so that a bomb costs a line, not two."""
    last: list[_Raw | BadRecord] = []
    for record in _read_stream(stream, source):
        yield from last
        last = [record]
    while stream.read(_CHUNK):
        pass
    yield from last


def _read_stream(stream: IO[bytes], source: str) -> _Records:
    begin: list[bytes] = []
    games = split_games(_kept(iter(lambda: stream.read(_CHUNK), b""), begin))
    first = next(games, None)
    if first is None:  # no SGF
        yield _Raw(b"".join(begin), source)
        return
    second = next(games, None)
    if second is None:
        yield _Raw(first, source)
        return
    for number, data in enumerate(chain([first, second], games), 1):
        yield _Raw(data, f"{source}#{number}")


def _kept(chunks: Iterator[bytes], begin: list[bytes]) -> Iterator[bytes]:
    """Yield chunks, and keep up to MAX_GAME bytes of them in `begin`."""
    for number, chunk in enumerate(chunks):
        if number < MAX_GAME // _CHUNK:
            begin.append(chunk)
        yield chunk


def _parse(record: _Raw) -> ReadRecord | BadRecord:
    try:
        return ReadRecord(*parse_record(*record))
    except RecordError as error:
        return BadRecord(record.source, error.reason, error.detail)


def _unreadable(source: str, error: BaseException) -> BadRecord:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return BadRecord(source, "unreadable", printable(_without_password(" ".join(said.split()))))


def _shown(given: str) -> str:
    """Return a path or URL as messages name it."""
    return printable(_without_password(given) if "://" in given else str(Path(given)))


def _without_password(text: str) -> str:
    return _PASSWORD.sub(r"\1", text)


def _no_member(source: str) -> BadRecord:
    return BadRecord(source, "empty", f"{_EXPECTED} inside. Received: none")


def _join_shown(source: str, name: str) -> str:
    """The name of what a folder or archive holds, also with bytes that are not UTF-8."""
    return join(source, printable(name)).removeprefix("./")


def parse_record(data: bytes, source: str) -> tuple[GameRecord, bytes]:
    """Return the first game, or the board, in a file, and the file as SGF.

    Raises:
        RecordError: it cannot be used, or is no record.
    """
    text = decode(data[:MAX_GAME])
    if START.search(text):
        return parse_game(data, source), data
    try:
        nodes = server_nodes(text)
        if nodes is not None:
            game = game_of_nodes(nodes, source)
        elif text_diagram.has_board(text):
            game = _board(text, source)
        else:
            return parse_game(data, source), data
    except Fault as fault:
        raise RecordError(source, fault.reason, fault.detail) from None
    except text_diagram.DiagramError as error:
        raise RecordError(source, "bad diagram", str(error)) from None
    return game, game.to_sgf()


def _board(text: str, source: str) -> GameRecord:
    """Return a board without moves, Black to move, as the record of a game; raise DiagramError or Fault."""
    stones = text_diagram.parse_text(text)
    _, without = setup_facts(len(stones), stones.ravel())
    if without >= 0:
        found = f"none at {gtp_name(int(without), len(stones))}"
        raise Fault("bad set-up", f"expected a liberty for every chain. Received: {found}")
    return GameRecord(
        source=source,
        side=len(stones),
        setup=stones.ravel(),
        to_move=BLACK,
        moves=np.array([], np.int16),
        colours=np.array([], np.int8),
        komi=0.0,
        handicap=0,
        rules="",
        result=Result(0, None, "unknown", ""),
        komi_given=False,
    )
