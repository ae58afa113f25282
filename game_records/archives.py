"""Members of zip and tar archives, and compressed files, as streams: in bounded memory, for they may be bombs."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any

# Real archives of games expand 2 to 9 fold, and what is small does no harm at any ratio.
MAX_EXPANDED = 1 << 26
MAX_RATIO = 200

# What damaged archives raise, here and while a member is read.
UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
)
_MAX_TAR_HEADER = 1 << 20
_LONG_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class TooLarge(Exception):
    """A compressed file expands to more than MAX_EXPANDED bytes and more than MAX_RATIO times its size."""

    def __init__(self) -> None:
        super().__init__(
            f"expected at most {MAX_EXPANDED >> 20} MiB, or {MAX_RATIO} times the compressed size. Received: more"
        )


def zip_members(stream: io.BufferedReader) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    """Yield name and opener of each member of a zip archive, in its order.

    Raises what is in UNREADABLE, and TooLarge for the sum of all members that are not too large themselves: many may
    name the same data. An opener raises the same for its member alone.
    """
    size = stream.seek(0, os.SEEK_END)
    with _open_zip(stream) as archive:
        members = archive.infolist()
        sizes = ((member.file_size, min(member.compress_size, size)) for member in members)
        _check(sum(expanded for expanded, packed in sizes if not _is_too_large(expanded, packed)), size)
        for member in members:
            yield member.filename, partial(_open_zipped, archive, member, size)


def _open_zip(stream: io.BufferedReader) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except zipfile.BadZipFile as error:
        # zipfile calls a file that cannot be read, for instance on a server without ranges, no zip file.
        if isinstance(error.__context__, OSError):
            raise error.__context__ from None
        raise


def _open_zipped(archive: zipfile.ZipFile, member: zipfile.ZipInfo, archive_size: int) -> IO[bytes]:
    if member.flag_bits & 1:
        raise zipfile.BadZipFile("it is encrypted")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # zipfile would expand 64 KiB of bzip2 or LZMA in one step, into gigabytes at worst.
        raise zipfile.BadZipFile("expected a member that is stored or deflated. Received: another compression")
    # The sizes may lie, but zipfile gives out no more than the expanded one.
    _check(member.file_size, min(member.compress_size, archive_size))
    return archive.open(member)


def tar_members(stream: io.BufferedReader) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield name and content of each file in a tar archive, compressed or not, in its order.

    Raises what is in UNREADABLE, and TooLarge; so does reading a content, which ends when the next one is drawn.
    """
    try:
        with tarfile.open(fileobj=_Expanded(stream), mode="r|", tarinfo=_TarMember) as archive:
            while (member := archive.next()) is not None:
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None:
                    yield member.name, content
                archive.members.clear()  # type: ignore[attr-defined]  # They would pile up.
    except (OSError, TooLarge):
        raise
    except Exception as error:  # On damaged archives tarfile raises TypeError, ValueError and more of the kind.
        raise tarfile.TarError(f"damaged archive: {error}") from error


def expanded(stream: io.BufferedReader) -> io.BufferedReader:
    """Return the expanded content of a gzip, bzip2 or xz file; reading raises errors of UNREADABLE, and TooLarge."""
    return io.BufferedReader(_Expanded(stream))


class _Expanded(io.RawIOBase):
    """The expanded bytes of a compressed file. tarfile itself would expand 10 KiB in one step, into gigabytes."""

    def __init__(self, packed: io.BufferedReader) -> None:
        self._packed, self._plain, self._size = packed, _decompressed(packed), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._plain.read(len(buffer))
        buffer[: len(data)] = data
        self._size += len(data)
        _check(self._size, self._packed.tell())
        return len(data)


def _decompressed(packed: io.BufferedReader) -> io.BufferedIOBase:
    head = packed.peek(6)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=packed)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(packed)
    return lzma.LZMAFile(packed) if head.startswith((b"\xfd7zXZ", b"\x5d\0\0\x80")) else packed


class _TarMember(tarfile.TarInfo):
    """A member whose header is damaged is an error: tarfile would end there without an error."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_TarMember":
        try:
            member = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if buf.strip(b"\0"):
                raise tarfile.ReadError(str(error)) from error
            raise  # Nothing, or zeros, is the end.
        if member.type in _LONG_HEADERS and member.size > _MAX_TAR_HEADER:
            raise tarfile.ReadError(f"expected a header of at most {_MAX_TAR_HEADER} bytes. Received: {member.size}")
        return member


def _check(expanded: int, packed: int) -> None:
    if _is_too_large(expanded, packed):
        raise TooLarge


def _is_too_large(expanded: int, packed: int) -> bool:
    return expanded > MAX_EXPANDED and expanded > MAX_RATIO * packed
