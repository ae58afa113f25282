"""Files and folders of this machine that are written by one process, whole or not at all."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from goban.errors import InputError
from runtime.disk_files import PARTIAL, DiskFiles
from runtime.folders import locate


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
    if not isinstance(files, DiskFiles) or os.name != "posix":
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
    return target, target.with_name(f"{target.stem}{PARTIAL}{given.suffix}")
