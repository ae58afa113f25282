"""Keeps runtimes that have no switch for it from chatting on stderr while they load."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Drops what C++ code prints on stderr meanwhile; exceptions pass.

    It drops what other threads print on stderr as well.
    """
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
