"""Files and folders on disk, or at an fsspec URL such as s3://bucket/games: a place is a URL when it holds "://".

Only URLs need fsspec, and the package that it names for their protocol; file:// is the disk.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from runtime.disk_files import PARTIAL, DiskFiles, Files
from runtime.url_files import files_at_url


@dataclass(frozen=True, init=False)
class Folder:
    """A folder of files that are written once: `place` is a path or a URL, as the user wrote it. Looks at nothing yet.

    Every method raises OSError for what the disk or the server refuses, and InputError for a URL that cannot be used
    here: fsspec or the package for its protocol is missing, or the protocol is unknown.
    """

    place: str

    def __init__(self, place: str | Path) -> None:
        object.__setattr__(self, "place", str(place))

    def __str__(self) -> str:
        return self.place

    def names(self) -> list[str]:
        """Return the sorted names of the files directly inside, [] if there is no such folder."""
        files, path = locate(self.place)
        try:
            entries = files.entries(path)
        except FileNotFoundError:
            return []
        return [entry.name for entry in entries if entry.kind == "file" and not entry.name.endswith(PARTIAL)]

    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading; raise FileNotFoundError if it is absent."""
        files, path = self._file(name)
        return files.open(path)

    def read(self, name: str) -> bytes:
        """Return all bytes of a file; raise FileNotFoundError if it is absent."""
        with self.open(name) as stream:
            return stream.read()

    def size(self, name: str) -> int:
        """Return the bytes of a file; raise FileNotFoundError if it is absent."""
        files, path = self._file(name)
        return files.size(path)

    def write(self, name: str, data: bytes | Iterable[bytes]) -> None:
        """Make or replace a file, and the folder if needed; after an error it is unchanged.

        data: the whole file, or its pieces in order, of which a disk needs one at a time in memory.

        One writer at a time for each name. A process that is killed may leave NAME.partial, which `names` leaves
        out and the next `write` replaces.
        """
        files, path = self._file(name)
        files.write(path, [data] if isinstance(data, bytes) else data)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        files, path = self._file(name)
        with suppress(FileNotFoundError):
            files.remove(path)

    def _file(self, name: str) -> tuple[Files, str]:
        files, path = locate(self.place)
        return files, join(path, name)


def locate(place: str | Path) -> tuple[Files, str]:
    """Return the storage of a place, and its path there; raise InputError for a URL that cannot be used."""
    path = str(place).removeprefix("file://")
    return files_at_url(path) if "://" in path else (DiskFiles(), str(Path(path)))


def join(folder: str, name: str) -> str:
    """Return the path, or the URL, of what a folder holds under `name`."""
    return f"{folder.removesuffix('/')}/{name}"
