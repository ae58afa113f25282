"""Compiled kernels on disk, each valid while no code has changed that it was compiled from and its file is whole."""

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b, sha1
from pathlib import Path
from stat import S_ISDIR
from types import CodeType, ModuleType
from typing import Any, Final
from uuid import uuid4

import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from goban.user_folders import NAME, cache_folder

_FORMAT: Final = "digest and kernel"  # of files
_DIGEST_SIZE: Final = 16  # bytes
_CONSTANTS: Final = (bool, int, float, str, tuple, np.generic)


class KernelCache(NullCache):  # type: ignore[misc]
    """The compiled versions of one kernel on disk, a file each.

    A file begins with a digest of the kernel's sources and of the rest of the file, so a stale or damaged kernel is
    compiled again. Numba's own cache looks only at the file of the kernel, not at the files of the kernels that it
    calls, and trusts its files.
    """

    def __init__(self, of: Dispatcher) -> None:
        self._kernel = of

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for types of arguments, None if no file of it is valid."""
        target_context.refresh()
        return self._load(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel."""
        if not data.library.has_dynamic_globals:  # addresses of this process
            version = self._version(sig, data.codegen)
            content = dumps(self._parts(data))
            _save(self._source(), self._name(version), self._digest(version, content) + content)

    def _load(self, sig: Any, context: Any) -> Any:
        version = self._version(sig, context.codegen())
        for content in _stored(self._source(), self._name(version)):
            digest, kernel = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
            if digest == self._digest(version, kernel):
                with suppress(AttributeError, ImportError):  # a type has moved to another module since
                    return CompileResult._rebuild(context, *pickle.loads(kernel))
        return None

    def _parts(self, result: Any) -> tuple[Any, ...]:
        """Return the parts of a compiled kernel that are kept."""
        parts: tuple[Any, ...] = result._reduce()
        return parts

    def _source(self) -> str:
        return str(self._kernel.py_func.__code__.co_filename)

    def _version(self, sig: Any, codegen: Any) -> str:
        """Return the key of a version of a kernel: types of arguments, processor, and options of the compilation."""
        return repr((sig, codegen.magic_tuple(), type(self).__name__, numba.config.BOUNDSCHECK, str(numba.config.OPT)))

    def _name(self, version: str) -> str:
        """Return the name of a file, which does not change with the code of the kernel."""
        kernel = self._kernel.py_func.__qualname__.replace("<", "").replace(">", "")
        number = blake2b(version.encode(), digest_size=8).hexdigest()
        return f"{Path(self._source()).stem}.{kernel}.{sys.implementation.cache_tag}.{number}.nbc"

    def _digest(self, version: str, content: bytes) -> bytes:
        made_of = repr((_FORMAT, numba.__version__, version, _stamp(self._kernel)))
        return blake2b(made_of.encode() + content, digest_size=_DIGEST_SIZE).digest()


def _stored(source: str, name: str) -> Iterator[bytes]:
    """Yield the contents of the files of a name, in all folders where a kernel may lie."""
    for folder in _folders(source):
        with suppress(OSError):
            yield (folder / name).read_bytes()
    with suppress(OSError):
        yield (_own_temporary_folder() / name).read_bytes()


def _save(source: str, name: str, content: bytes) -> None:
    """Write a file in the first folder where that is possible, else in a temporary one; name that on stderr."""
    for folder in _folders(source):
        with suppress(OSError):
            _replace(folder / name, content)
            return
    place = "compiled at each start"
    with suppress(OSError):
        folder = _temporary_folder()
        _replace(folder / name, content)
        place = f"kept in {folder}"
    _warn(place, str(_folders(source)[0]))


def _replace(path: Path, content: bytes) -> None:
    """Write a file in one step, as other processes read and write it too; raise OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f"{path.name}.{uuid4().hex}")
    try:
        written.write_bytes(content)
        written.replace(path)
    except OSError:
        written.unlink(missing_ok=True)
        raise


@cache
def _folders(source: str) -> tuple[Path, ...]:
    """Return where kernels of a file lie, in the order of preference: only in NUMBA_CACHE_DIR where that is set."""
    folder = Path(source).resolve().parent
    name = f"{folder.name}_{sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
    if numba.config.CACHE_DIR:
        return (Path(numba.config.CACHE_DIR) / name,)
    beside = (folder / "__pycache__",) if Path(source).is_file() else ()
    return (*beside, cache_folder() / name)


def _temporary_folder() -> Path:
    """Return the temporary folder of this user, made if there is none; raise OSError where there can be none."""
    _temporary_path().mkdir(mode=0o700, exist_ok=True)
    return _own_temporary_folder()


def _own_temporary_folder() -> Path:
    """Return the temporary folder of this user; raise OSError where there is none, or one that others can write."""
    path = _temporary_path()
    info = path.lstat()
    if not S_ISDIR(info.st_mode) or info.st_uid != _user() or info.st_mode & 0o022:
        raise PermissionError(f"{path}: a folder of another user, or one that others can write")
    return path


def _temporary_path() -> Path:
    """Return the path of the user's temporary folder; raise OSError if the system has none."""
    return Path(tempfile.gettempdir()) / f"{NAME}-{_user()}"


def _user() -> int:
    return 0 if sys.platform == "win32" else os.geteuid()


_warned: Final = set[str]()  # lines that were written to stderr


def _warn(place: str, unwritable: str) -> None:
    """Name on stderr, once, the place of kernels that cannot be kept in their folder."""
    if place not in _warned:
        _warned.add(place)
        print(f"kernels are {place}, as {unwritable} cannot be written; NUMBA_CACHE_DIR names another", file=sys.stderr)


def _stamp(of: Dispatcher) -> str:
    """Return a digest of the code of a kernel and of all that it calls, and of the constants that they read."""
    parts: dict[Dispatcher, bytes] = {}
    waiting = [of]
    while waiting:
        kernel = waiting.pop()
        if kernel not in parts:
            parts[kernel], called = _made_of(kernel)
            waiting += called
    return blake2b(b"".join(parts.values()), digest_size=16).hexdigest()


@cache
def _made_of(of: Dispatcher) -> tuple[bytes, list[Dispatcher]]:
    """Return a digest of the source of a kernel without other kernels, and the kernels that it calls."""
    function = of.py_func
    digest = blake2b(repr((function.__qualname__, function.__defaults__, of.targetoptions)).encode())
    called = []
    for code in _codes(function.__code__):
        constants = [each for each in code.co_consts if not isinstance(each, CodeType) and each != function.__doc__]
        digest.update(repr((code.co_names, constants)).encode() + code.co_code)
        for value in _read(code, function.__globals__):
            if isinstance(value, Dispatcher):
                called.append(value)
            else:
                digest.update(_content(value))
    return digest.digest(), called


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _read(code: CodeType, names: dict[str, Any]) -> Iterator[object]:
    """Yield what code reads by name, itself and from modules; also what else has the name of an attribute."""
    modules = (names.get(name) for name in code.co_names)
    scopes = [names, *(vars(each) for each in modules if isinstance(each, ModuleType))]
    for name in code.co_names:
        yield from (scope[name] for scope in scopes if name in scope)


def _content(value: object) -> bytes:
    """Return the value of a global in a kernel: a number, an array or the fields of a named tuple; else nothing."""
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    return repr(value if isinstance(value, _CONSTANTS) else getattr(value, "_fields", None)).encode()
