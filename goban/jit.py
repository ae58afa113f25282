"""The one place where numba meets the type checker."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Return `function` compiled at its first call, cached on disk, and running without the GIL."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled
