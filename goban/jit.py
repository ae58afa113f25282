"""The one place where numba meets the type checker: how kernels are compiled, and which of those on disk are valid."""

import sys
from collections.abc import Callable, Iterator
from hashlib import blake2b
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba.core import caching
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

_CONSTANTS: Final = (bool, int, float, str, tuple, np.generic)


def kernel(function: F) -> F:
    """Return `function` compiled at its first call, cached on disk, and running without the GIL."""
    return _compiled(function, {"nogil": True})


def in_place(function: F) -> F:
    """Return a kernel for other kernels that makes no array, and so need not count who holds those it is given.

    Counting takes several times as long as a short kernel itself. One that makes an array does not compile.
    """
    return _compiled(function, {"nogil": True, "_nrt": False, "forceinline": True})


def _compiled(function: F, options: dict[str, bool]) -> F:
    if numba.config.DISABLE_JIT:
        return function
    found = _Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
    found.enable_caching()
    compiled: F = found
    return compiled


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A numba function with a cache that knows the code of other kernels in it."""

    def enable_caching(self) -> None:
        self._cache = _Cache(self.py_func)


class _Files(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Files that are named after kernels, on whichever line these are."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"{fullname}.{sys.implementation.cache_tag}{abiflags}"


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a kernel, wherever it lies: valid while no code has changed that the kernel was compiled from.

    A compiled kernel holds the code of those it calls, but numba looks at its own file alone.
    """

    _impl_class = _Files

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        assert hasattr(self._cache_file, "_source_stamp"), "numba keeps the stamp of a cache elsewhere"
        self._cache_file._source_stamp = stamp(self._py_func)
        return super().load_overload(sig, target_context)


def stamp(function: FunctionType) -> str:
    """Return a digest of the code of a kernel and of all that it calls, and of the constants that they read."""
    digest = blake2b(digest_size=16)
    for part in _parts(function, set()):
        digest.update(part)
    return digest.hexdigest()


def _parts(function: FunctionType, found: set[FunctionType]) -> Iterator[bytes]:
    """Yield what a kernel is compiled from, and what those are that it calls and that were not `found` before."""
    found.add(function)
    yield repr((function.__qualname__, function.__defaults__)).encode()
    for code in _codes(function.__code__):
        constants = [each for each in code.co_consts if not isinstance(each, CodeType) and each != function.__doc__]
        yield repr((code.co_names, constants)).encode() + code.co_code
        for name in code.co_names:  # attributes among them, of which some have the names of constants
            value = function.__globals__.get(name)
            if isinstance(value, _Kernel):
                yield repr(value.targetoptions).encode()
                if value.py_func not in found:
                    yield from _parts(value.py_func, found)
            else:
                yield _content(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of those inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _content(value: object) -> bytes:
    """Return what a kernel reads of a global: a number, an array or the fields of a named tuple; else nothing."""
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    return repr(value if isinstance(value, _CONSTANTS) else getattr(value, "_fields", None)).encode()
