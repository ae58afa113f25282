"""Files and folders on disk, or at an fsspec URL such as s3://bucket/games: a place is a URL when it holds "://".

Only URLs need fsspec, and the package that it names for their protocol; file:// is the disk.
"""

import errno
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, Protocol

from goban.errors import InputError

_PARTIAL = ".partial"
_BUFFER = 1 << 16
Kind = Literal["file", "folder", "other"]
_CODES = {
    FileNotFoundError: errno.ENOENT,
    PermissionError: errno.EACCES,
    FileExistsError: errno.EEXIST,
    IsADirectoryError: errno.EISDIR,
    NotADirectoryError: errno.ENOTDIR,
}


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a path with the same suffix to write to, which replaces `path` when the block ends without an exception.

    So `path` holds a whole file at any time, the old one or the new one. A link stays a link, to the new file. Yields
    `path` itself for what is not a file, such as a pipe or /dev/stdout. An OSError names `path`. It does not force the
    file to the disk: it guards against a killed process or a full disk, not against a power failure.
    """
    target, partial = _target_and_partial(path)
    try:
        yield partial
        if partial != target:
            os.replace(partial, target)
    except BaseException as error:
        if partial != target:
            with suppress(OSError):
                partial.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(partial), partial):
            error.filename = str(path)
        raise


def check_writable(path: str | Path) -> None:
    """Raise OSError, naming `path`, if no file can be made or replaced there: to be called before long work."""
    target, probe = _target_and_partial(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if probe == target:
        return
    try:
        probe.open("wb").close()
        probe.unlink()
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def usable_folder(folder: Path, files: Iterable[str]) -> Iterator[None]:
    """Make a folder in which these files can be written, and remove it again if it is new and the block raises."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: expected a folder. Received: a file")
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name in files:
            check_writable(folder / name)
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def one_writer(place: str | Path) -> Iterator[None]:
    """Hold a folder of this machine, made if missing, until the block ends or the process dies.

    URLs are not held, nor folders of file systems and platforms that have no such locks.

    Raises:
        InputError: it is held already.
    """
    files, path = locate(place)
    if not isinstance(files, _Disk) or os.name != "posix":
        yield
        return
    if not os.path.exists(path):
        os.makedirs(path)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        _lock(descriptor, str(place))
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, place: str) -> None:
    """Lock an open folder until it is closed; raise InputError for one that is locked."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"{place}: another command writes there. Wait for its end, or choose another folder") from None
    except OSError:
        return  # a file system without locks


def _target_and_partial(path: str | Path) -> tuple[Path, Path]:
    """Return the file that is replaced, and the file beside it that is written first; for a device or pipe the same."""
    given = Path(path)
    if given.exists() and not given.is_file() and not given.is_dir():
        return given, given
    target = Path(os.path.realpath(given))
    return target, target.with_name(f"{target.stem}{_PARTIAL}{given.suffix}")


class Entry(NamedTuple):
    """What a folder holds under `name`; a link to a folder, a pipe or a link to nothing is of kind "other"."""

    name: str
    kind: Kind


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
        return [entry.name for entry in entries if entry.kind == "file" and not entry.name.endswith(_PARTIAL)]

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

    def _file(self, name: str) -> tuple["Files", str]:
        files, path = locate(self.place)
        return files, join(path, name)


class Files(Protocol):
    """The operations of a disk or a server, on paths of its own. They raise OSError alone."""

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is there, or a link to one."""

    def entries(self, path: str) -> list[Entry]:
        """Return the names in a folder, sorted."""

    def open(self, path: str) -> io.BufferedReader:
        """Open a file for reading."""

    def size(self, path: str) -> int:
        """Return the bytes of a file."""

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        """Make or replace a file, all of it or nothing."""

    def remove(self, path: str) -> None:
        """Remove a file."""


def locate(place: str | Path) -> tuple[Files, str]:
    """Return the storage of a place, and its path there; raise InputError for a URL that cannot be used."""
    path = str(place).removeprefix("file://")
    return _at_url(path) if "://" in path else (_Disk(), str(Path(path)))


def join(folder: str, name: str) -> str:
    """Return the path, or the URL, of what a folder holds under `name`."""
    return f"{folder.removesuffix('/')}/{name}"


class _Disk:
    """The files of this machine."""

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def entries(self, path: str) -> list[Entry]:
        with os.scandir(path) as found:
            return sorted(Entry(entry.name, _kind(entry)) for entry in found)

    def open(self, path: str) -> io.BufferedReader:
        return open(path, "rb")

    def size(self, path: str) -> int:
        return os.stat(path).st_size

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        partial = path + _PARTIAL
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


def _kind(entry: os.DirEntry[str]) -> Kind:
    try:
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file() else "other"
    except OSError:
        return "other"


def _at_url(url: str) -> tuple[Files, str]:
    protocol = url.partition("://")[0]
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError:
        install = "in a clone, pip install -e '.[train]'"
        raise InputError(f"{protocol}:// needs fsspec, which is not installed: {install}") from None
    try:
        filesystem, path = url_to_fs(url)
    except OSError as error:
        raise _as_os_error(error, url) from error
    except Exception as error:
        raise InputError(f"{protocol}:// cannot be used: {error}") from error
    return _Remote(filesystem), path


@contextmanager
def _os_errors(url: str) -> Iterator[None]:
    """Turn any exception of the packages behind a URL into the OSError that a disk would raise."""
    try:
        yield
    except Exception as error:
        raise _as_os_error(error, url) from error


def _as_os_error(error: Exception, url: str) -> OSError:
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), None)
    said = os.strerror(code) if code else getattr(error, "strerror", None) or str(error) or type(error).__name__
    if code and error.__cause__:
        said += f": {error.__cause__}"  # Over HTTP everything is a missing file, because of something else.
    return OSError(code or getattr(error, "errno", None) or errno.EIO, said, url)


class _Remote:
    """The files of an fsspec filesystem."""

    def __init__(self, filesystem: Any) -> None:
        self._filesystem = filesystem

    def _url(self, path: str) -> str:
        return str(self._filesystem.unstrip_protocol(path))

    def is_folder(self, path: str) -> bool:
        # Not isdir(), which fetches the whole file over HTTP to look for links.
        with _os_errors(self._url(path)):
            return bool(self._filesystem.info(path)["type"] == "directory")

    def entries(self, path: str) -> list[Entry]:
        with _os_errors(self._url(path)):
            self._filesystem.invalidate_cache(path)
            found = self._filesystem.ls(path, detail=True)
            # Many list a file as the one thing inside itself, and some a folder.
            inside = [info for info in found if info["name"].rstrip("/") != path.rstrip("/")]
            if not inside and any(info["type"] == "file" for info in found):
                raise NotADirectoryError(path)
            return sorted(Entry(info["name"].rstrip("/").rpartition("/")[2], self._kind(info)) for info in inside)

    def _kind(self, info: dict[str, Any]) -> Kind:
        if info["type"] == "directory":
            return "folder"
        link = info["type"] == "link" or info.get("islink")
        return "file" if info["type"] == "file" or (link and self._filesystem.isfile(info["name"])) else "other"

    def open(self, path: str) -> io.BufferedReader:
        with _os_errors(self._url(path)):
            return io.BufferedReader(_RemoteStream(self._filesystem.open(path, "rb"), self._url(path)), _BUFFER)

    def size(self, path: str) -> int:
        with _os_errors(self._url(path)):
            return int(self._filesystem.info(path)["size"])

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        data = b"".join(pieces)
        with _os_errors(self._url(path)):
            if self._can_rename():
                self._write_and_rename(path, data)
            else:
                self._filesystem.pipe_file(path, data)

    def _can_rename(self) -> bool:
        """Whether this is like a disk; an object store needs no folders, and what it holds is always whole."""
        from fsspec import AbstractFileSystem

        return type(self._filesystem).mv is not AbstractFileSystem.mv

    def _write_and_rename(self, path: str, data: bytes) -> None:
        partial = path + _PARTIAL
        self._filesystem.makedirs(path.rpartition("/")[0], exist_ok=True)
        try:
            self._filesystem.pipe_file(partial, data)
            self._filesystem.mv(partial, path)
        except BaseException:
            with suppress(Exception):
                self._filesystem.rm_file(partial)
            raise

    def remove(self, path: str) -> None:
        with _os_errors(self._url(path)):
            self._filesystem.rm_file(path)


class _RemoteStream(io.RawIOBase):
    """A file of an fsspec filesystem, which raises OSError alone."""

    def __init__(self, stream: Any, url: str) -> None:
        self._stream, self._url = stream, url

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._stream.seekable())

    def readinto(self, buffer: Any) -> int:
        with _os_errors(self._url):
            data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _os_errors(self._url):
            return int(self._stream.seek(offset, whence))

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
