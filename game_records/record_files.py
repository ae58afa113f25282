"""The bytes of records in files, folders, archives and URLs, one record after the other."""

import io
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from game_records.archives import UNREADABLE, TooLarge, expanded, tar_members, zip_members
from game_records.game_record import printable
from game_records.record_errors import BadRecord
from game_records.registered_formats import ENDINGS
from game_records.sgf_collection import MAX_GAME, split_games
from goban.errors import InputError
from runtime.disk_files import FileKind, Files
from runtime.folders import join, locate

_CHUNK = 1 << 16
TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_COMPRESSED = (".sgf.gz", ".sgf.bz2", ".sgf.xz")
_RECORDS = (".sgf", *ENDINGS)
_EXPECTED = f"expected {', '.join(_RECORDS[:-1])} or {_RECORDS[-1]} files"
_READ = (*_RECORDS, ".zip", *TAR, *_COMPRESSED)
_Stream = TypeVar("_Stream", bound=IO[bytes])
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)")


class RawRecord(NamedTuple):
    """The bytes of one record, not yet looked at."""

    data: bytes
    source: str


class RecordPlace(NamedTuple):
    """A file or folder: its storage, its path there, and the name that messages show."""

    files: Files
    path: str
    shown: str


RawRecords = Iterator[RawRecord | BadRecord]


def read_stdin() -> RawRecords:
    """Yield the records of standard input."""
    stream: IO[bytes] | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        yield BadRecord("-", "unreadable", "standard input is closed")
    else:
        yield from _read_opened(lambda: nullcontext(stream), _read_stream, "-")


def read_place(given: str) -> RawRecords:
    """Yield the records of a file or folder, given by its path or URL, or why it cannot be read."""
    shown = shown_place(given)
    try:
        files, path = locate(given)
        is_folder = files.is_folder(path)
    except (InputError, OSError) as error:
        yield _unreadable(shown, error)
    else:
        yield from (_read_folder if is_folder else _read_file)(RecordPlace(files, path, shown))


def _read_folder(folder: RecordPlace) -> RawRecords:
    found = False
    for place in walk_folder(folder):
        found = True
        if isinstance(place, BadRecord):
            yield place
        else:
            yield from _read_file(place)
    if not found:
        yield BadRecord(folder.shown, "empty", f"{_EXPECTED}, or archives, inside. Received: none")


def walk_folder(top: RecordPlace) -> Iterator[RecordPlace | BadRecord]:
    """Yield the files to be read below a folder, by name, or why they cannot be; follow no links to folders."""
    waiting: list[tuple[RecordPlace, FileKind]] = [(top, "folder")]
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


def _inside(folder: RecordPlace) -> Iterator[tuple[RecordPlace, FileKind]]:
    """Yield the files and folders to look at in a folder, but no folder that is named like a record."""
    for name, kind in folder.files.entries(folder.path):
        place = RecordPlace(folder.files, join(folder.path, name), join_shown(folder.shown, name))
        if name.lower().endswith(_READ):
            yield place, "file" if kind == "file" else "other"
        elif kind == "folder":
            yield place, kind


def _read_file(place: RecordPlace) -> RawRecords:
    return _read_opened(partial(place.files.open, place.path), _reader(place.path), place.shown)


def _reader(path: str) -> Callable[[io.BufferedReader, str], RawRecords]:
    name = path.lower()
    for ending in (name, name.partition("?")[0]):  # A URL may end in a query.
        if ending.endswith(".zip"):
            return _read_zip
        if ending.endswith(TAR):
            return _read_tar
        if ending.endswith(_COMPRESSED):
            return _read_compressed
    return _read_stream


def _read_opened(
    open_file: Callable[[], AbstractContextManager[_Stream]], reader: Callable[[_Stream, str], RawRecords], source: str
) -> RawRecords:
    try:
        with open_file() as stream:
            yield from reader(stream, source)
    except TooLarge as error:
        yield BadRecord(source, "too large", str(error))
    except UNREADABLE as error:
        yield _unreadable(source, error)


def _read_compressed(stream: io.BufferedReader, source: str) -> RawRecords:
    yield from _read_to_end(expanded(stream), source)


def _read_zip(stream: io.BufferedReader, source: str) -> RawRecords:
    found = False
    for name, open_member in zip_members(stream):
        if name.lower().endswith(_RECORDS):
            found = True
            yield from _read_opened(open_member, _read_stream, join_shown(source, name))
    if not found:
        yield _no_member(source)


def _read_tar(stream: io.BufferedReader, source: str) -> RawRecords:
    found = False
    for name, member in tar_members(stream):
        if name.lower().endswith(_RECORDS):
            found = True
            yield from _read_to_end(member, join_shown(source, name))
    if not found:
        yield _no_member(source)


def _read_to_end(stream: IO[bytes], source: str) -> RawRecords:
    """As `_read_stream`, but the last record comes when the stream has ended, so that a bomb costs a line, not two."""
    last: list[RawRecord | BadRecord] = []
    for record in _read_stream(stream, source):
        yield from last
        last = [record]
    while stream.read(_CHUNK):
        pass
    yield from last


def _read_stream(stream: IO[bytes], source: str) -> RawRecords:
    begin: list[bytes] = []
    games = split_games(_kept(iter(lambda: stream.read(_CHUNK), b""), begin))
    first = next(games, None)
    if first is None:  # no SGF
        yield RawRecord(b"".join(begin), source)
        return
    second = next(games, None)
    if second is None:
        yield RawRecord(first, source)
        return
    for number, data in enumerate(chain([first, second], games), 1):
        yield RawRecord(data, f"{source}#{number}")


def _kept(chunks: Iterator[bytes], begin: list[bytes]) -> Iterator[bytes]:
    """Yield chunks, and keep up to MAX_GAME bytes of them in `begin`."""
    for number, chunk in enumerate(chunks):
        if number < MAX_GAME // _CHUNK:
            begin.append(chunk)
        yield chunk


def _unreadable(source: str, error: BaseException) -> BadRecord:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return BadRecord(source, "unreadable", printable(_without_password(" ".join(said.split()))))


def shown_place(given: str) -> str:
    """Return a path or URL as messages name it."""
    return printable(_without_password(given) if "://" in given else str(Path(given)))


def _without_password(text: str) -> str:
    return _PASSWORD.sub(r"\1", text)


def _no_member(source: str) -> BadRecord:
    return BadRecord(source, "empty", f"{_EXPECTED} inside. Received: none")


def join_shown(source: str, name: str) -> str:
    """Return the name of a file in a folder or archive, also with bytes that are not UTF-8."""
    return join(source, printable(name)).removeprefix("./")
