"""The one place where numba meets the type checker, and where its cache is kept from growing stale."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

_STAMP: Final = "kernels.stamp"
_IMPORTED: Final = re.compile(r"^from (?:\w+\.)*(\w+) import", re.MULTILINE)


def kernel(function: F) -> F:
    """Return `function` compiled at its first call, cached on disk, and running without the GIL."""
    drop_stale_cache(Path(function.__code__.co_filename).parent)
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


def in_place(function: F) -> F:
    """Return a kernel for other kernels that makes no array, and so need not count who holds those it is given.

    Counting takes several times as long as a short kernel itself. One that makes an array does not compile.
    """
    drop_stale_cache(Path(function.__code__.co_filename).parent)
    compiled: F = numba.njit(cache=True, nogil=True, _nrt=False, forceinline=True)(function)
    return compiled


@cache
def drop_stale_cache(folder: Path) -> None:
    """Delete the compiled kernels of a source folder if a module there, or in this one, that they hold has changed.

    A compiled kernel holds the code of those it calls, but numba compiles it again only when its own file changes.
    """
    digest = blake2b("\0".join(_kernel_sources(folder)).encode(), digest_size=8).hexdigest()
    compiled = folder / "__pycache__"
    with suppress(OSError):  # a folder that cannot be written has no cache of ours
        if (compiled / _STAMP).is_file() and (compiled / _STAMP).read_text() == digest:
            return
        for stale in compiled.glob("*.nb[ic]"):
            stale.unlink(missing_ok=True)
        compiled.mkdir(exist_ok=True)
        (compiled / _STAMP).write_text(digest)


def _kernel_sources(folder: Path) -> list[str]:
    """Return the texts of the modules that define kernels, and of those that these import, for their constants."""
    paths = sorted({*folder.glob("*.py"), *Path(__file__).parent.rglob("*.py")})
    texts = [(path.stem, path.read_text("utf-8")) for path in paths]
    kernels = [(name, text) for name, text in texts if "from goban.jit import" in text]
    counted = {name for name, _ in kernels}.union(*(_IMPORTED.findall(text) for _, text in kernels))
    return [text for name, text in texts if name in counted]
