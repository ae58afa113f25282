"""The one place where numba meets the type checker: the decorators of kernels, which numba compiles."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

import numba

from goban.kernel_dispatcher import Kernel

F = TypeVar("F", bound=Callable[..., Any])

TESTED: Final = ("0.68",)
"""The versions of numba with which tests run `goban.numba_codegen`; other versions use numba's own code generator."""
PLAIN: Final = "OWNERSHIP_PLAIN_NUMBA"
"""The environment variable that selects numba's own code generator, unless it is empty."""


class _Way(NamedTuple):
    """How kernels are compiled: their dispatchers, and the options of those that only kernels call."""

    kernel: type[Kernel]
    inner: type[Kernel]
    kernel_options: dict[str, bool]
    inner_options: dict[str, bool]
    in_place_options: dict[str, bool]


def kernel(function: F) -> F:
    """Return `function` compiled at its first call, cached on disk, and running without the GIL.

    Compiled once, whatever integers and floats it is given, if the arrays are of one type: read-only ones are another.
    """
    return _compiled(function, _way().kernel, _way().kernel_options)


def inner(function: F) -> F:
    """Return a kernel that only kernels may call: it has no code for calls from Python, which takes long to compile."""
    return _compiled(function, _way().inner, _way().inner_options)


def in_place(function: F) -> F:
    """Return an inner kernel that makes no array, and so need not count references to those it is given.

    Counting takes several times as long as a short kernel itself. One that makes an array does not compile.
    """
    return _compiled(function, _way().inner, _way().in_place_options)


@cache
def _way() -> _Way:
    minor_version = ".".join(numba.__version__.split(".")[:2])
    if minor_version not in TESTED or os.environ.get(PLAIN):
        return _Way(Kernel, Kernel, {}, {}, {"forceinline": True})
    from goban import numba_codegen as fast  # only where it is used: importing it replaces numba's code generator

    return _Way(fast.FastKernel, fast.InnerKernel, fast.KERNEL_OPTIONS, fast.INNER_OPTIONS, fast.IN_PLACE_OPTIONS)


def _compiled(function: F, dispatcher: Any, options: dict[str, bool]) -> F:
    if numba.config.DISABLE_JIT:
        return function
    compiled: F = dispatcher(function, targetoptions={"nopython": True, "nogil": True, "boundscheck": None, **options})
    return compiled
