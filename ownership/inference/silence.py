"""Silence for runtimes that print on stderr while they load and have no switch for it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Drop what C++ code, and any other thread, prints on stderr during the block; exceptions pass."""
    if sys.stderr is not None:  # as it is where the process was started without one
        sys.stderr.flush()
    try:
        saved = os.dup(2)
    except OSError:  # the process has no stderr
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
