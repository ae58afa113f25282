"""What a storage of files can do, and the storage that is the disk of this machine."""

import io
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, Literal, NamedTuple, Protocol

PARTIAL: Final = ".partial"
FileKind = Literal["file", "folder", "other"]


class FolderEntry(NamedTuple):
    """What a folder holds under `name`; a link to a folder, a pipe or a link to nothing is of kind "other"."""

    name: str
    kind: FileKind


class Files(Protocol):
    """The operations of a disk or a server, on paths of its own. They raise OSError alone."""

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is there, or a link to one."""

    def entries(self, path: str) -> list[FolderEntry]:
        """Return the names in a folder, sorted."""

    def open(self, path: str) -> io.BufferedReader:
        """Open a file for reading."""

    def size(self, path: str) -> int:
        """Return the bytes of a file."""

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        """Make or replace a file, all of it or nothing."""

    def remove(self, path: str) -> None:
        """Remove a file."""


class DiskFiles:
    """The files of this machine."""

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def entries(self, path: str) -> list[FolderEntry]:
        with os.scandir(path) as found:
            return sorted(FolderEntry(entry.name, _kind(entry)) for entry in found)

    def open(self, path: str) -> io.BufferedReader:
        return open(path, "rb")

    def size(self, path: str) -> int:
        return os.stat(path).st_size

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        partial = path + PARTIAL
        try:
            with open(partial, "wb") as stream:
                stream.writelines(pieces)
            os.replace(partial, path)
        except BaseException as error:
            with suppress(OSError):
                os.remove(partial)
            if isinstance(error, OSError) and error.filename is None:
                error.filename = path  # a full disk does not say which file it has no room for
            raise

    def remove(self, path: str) -> None:
        os.remove(path)


def _kind(entry: os.DirEntry[str]) -> FileKind:
    try:
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file() else "other"
    except OSError:
        return "other"
