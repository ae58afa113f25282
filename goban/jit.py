"""The one place where numba meets the type checker."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Return `function` compiled at its first call, cached on disk, and running without the GIL."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


def in_place(function: F) -> F:
    """Return a kernel for other kernels that makes no array, and so need not count who holds those it is given.

    Counting takes several times as long as a short kernel itself. One that makes an array does not compile.
    """
    compiled: F = numba.njit(cache=True, nogil=True, _nrt=False, forceinline=True)(function)
    return compiled
