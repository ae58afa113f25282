"""Kernels as Python sees them: functions that numba compiles at their first call, or that are compiled on disk."""

from collections.abc import Callable
from typing import Any, Final

from numba.core import types as numba_types
from numba.core.registry import CPUDispatcher

from goban.kernel_cache import KernelCache

_TYPES: Final[Any] = numba_types


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A numba function with one type for all integers and one for all floats, and a cache that is never stale."""

    _cache_class = KernelCache

    def __init__(self, function: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self._cache = self._cache_class(self)

    def compile(self, sig: Any) -> Any:
        return super().compile(tuple(_widest(kind) for kind in sig))


def _widest(kind: Any) -> Any:
    """Return the type of an argument as a kernel takes it: int64, float64, or itself."""
    kind = _TYPES.unliteral(kind)
    if isinstance(kind, _TYPES.Integer) and kind.signed:
        return _TYPES.int64
    return _TYPES.float64 if isinstance(kind, _TYPES.Float) else kind
