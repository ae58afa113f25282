"""Files at URLs, through fsspec and the package that it names for their protocol."""

import errno
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from goban.errors import InputError
from runtime.disk_files import PARTIAL, FileKind, Files, FolderEntry

_BUFFER = 1 << 16
_CODES = {
    FileNotFoundError: errno.ENOENT,
    PermissionError: errno.EACCES,
    FileExistsError: errno.EEXIST,
    IsADirectoryError: errno.EISDIR,
    NotADirectoryError: errno.ENOTDIR,
}


def files_at_url(url: str) -> tuple[Files, str]:
    """Return the storage of a URL, and its path there; raise InputError or OSError for one that cannot be used."""
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

    def entries(self, path: str) -> list[FolderEntry]:
        with _os_errors(self._url(path)):
            self._filesystem.invalidate_cache(path)
            found = self._filesystem.ls(path, detail=True)
            # Many list a file as the one thing inside itself, and some a folder.
            inside = [info for info in found if info["name"].rstrip("/") != path.rstrip("/")]
            if not inside and any(info["type"] == "file" for info in found):
                raise NotADirectoryError(path)
            return sorted(FolderEntry(info["name"].rstrip("/").rpartition("/")[2], self._kind(info)) for info in inside)

    def _kind(self, info: dict[str, Any]) -> FileKind:
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
        partial = path + PARTIAL
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
