"""Where records come from: files, collections, folders, zip and tar archives, standard input; one game at a time."""

import os
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from lzma import LZMAError
from pathlib import Path
from typing import IO

from preprocessing.collection import split_games
from preprocessing.record import Game, printable
from preprocessing.sgf import RecordError, parse_game

_CHUNK = 1 << 16
_TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_UNREADABLE = (OSError, EOFError, NotImplementedError, zipfile.BadZipFile, tarfile.TarError, zlib.error, LZMAError)


@dataclass(frozen=True)
class BadRecord:
    """A record, or a whole file, that could not be used: `reason` is one of `preprocessing.sgf.REASONS`."""

    source: str
    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}: {self.detail}"


def read_games(paths: Iterable[str | Path]) -> Iterator[Game | BadRecord]:
    """Yield every game below `paths`, lazily and in a fixed order; a bad record becomes a BadRecord, never an error.

    paths: files (one game or a collection), folders (their .sgf files and archives, sorted by name), zip and tar
    archives (their .sgf members, in archive order), "-" for standard input. Does not look into archives in archives.
    """
    for path in paths:
        if str(path) == "-":
            yield from _read_stream(sys.stdin.buffer, "-")
        elif Path(path).is_dir():
            yield from _read_folder(Path(path))
        else:
            yield from _read_file(Path(path))


def _read_folder(folder: Path) -> Iterator[Game | BadRecord]:
    waiting, found = [folder], False
    while waiting:
        path = waiting.pop()
        if path.is_dir():
            try:
                inside = sorted(path.iterdir(), reverse=True)
            except OSError as error:
                yield _unreadable(_shown(path), error)
                continue
            waiting.extend(p for p in inside if not (p.is_symlink() and p.is_dir()))
        elif path.is_file() and path.name.lower().endswith((".sgf", ".zip", *_TAR)):
            found = True
            yield from _read_file(path)
    if not found:
        yield BadRecord(_shown(folder), "empty", "expected .sgf files or archives inside. Received: none")


def _read_file(path: Path) -> Iterator[Game | BadRecord]:
    name = path.name.lower()
    try:
        if name.endswith(".zip"):
            yield from _read_zip(path)
        elif name.endswith(_TAR):
            yield from _read_tar(path)
        else:
            with path.open("rb") as stream:
                yield from _read_stream(stream, _shown(path))
    except _UNREADABLE as error:
        yield _unreadable(_shown(path), error)


def _read_zip(path: Path) -> Iterator[Game | BadRecord]:
    found = False
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir() or not member.filename.lower().endswith(".sgf"):
                continue
            found = True
            source = f"{_shown(path)}/{_shown(member.filename)}"
            if member.flag_bits & 1:
                yield BadRecord(source, "unreadable", "it is encrypted")
                continue
            try:
                with archive.open(member) as stream:
                    yield from _read_stream(stream, source)
            except _UNREADABLE as error:
                yield _unreadable(source, error)
    if not found:
        yield BadRecord(_shown(path), "empty", "expected .sgf files inside. Received: none")


def _read_tar(path: Path) -> Iterator[Game | BadRecord]:
    found = False
    for name, stream in _tar_members(path):
        if name.lower().endswith(".sgf"):
            found = True
            yield from _read_stream(stream, f"{_shown(path)}/{_shown(name)}")
    if not found:
        yield BadRecord(_shown(path), "empty", "expected .sgf files inside. Received: none")


def _tar_members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.isfile() else None
                if stream is not None:
                    yield member.name, stream
    except OSError:
        raise
    except Exception as error:  # On damaged archives tarfile raises TypeError, ValueError and more of the kind.
        raise tarfile.TarError(f"damaged archive: {error}") from error


def _read_stream(stream: IO[bytes], source: str) -> Iterator[Game | BadRecord]:
    chunks = iter(lambda: stream.read(_CHUNK), b"")
    head = next(chunks, b"")
    games = split_games(chain([head], chunks))
    first, second = next(games, head), next(games, None)
    if second is None:
        yield _parse(first, source)
        return
    for number, data in enumerate(chain([first, second], games), 1):
        yield _parse(data, f"{source}#{number}")


def _parse(data: bytes, source: str) -> Game | BadRecord:
    try:
        return parse_game(data, source)
    except RecordError as error:
        return BadRecord(source, error.reason, error.detail)


def _unreadable(source: str, error: BaseException) -> BadRecord:
    said = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return BadRecord(source, "unreadable", said)


def _shown(path: str | Path) -> str:
    """A path that can be printed and stored, whatever bytes its name holds."""
    return printable(os.fsencode(path).decode("utf-8", "replace"))
