"""Silence for runtimes that print on stderr while they load and have no switch for it."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_silencing: Final = threading.RLock()
_GPU: Final = Path("/dev/nvidiactl")  # exists where a driver runs a GPU


def quiet_tensorflow() -> None:
    """Let TensorFlow, loaded after this, log errors alone; without a GPU nothing, as it logs that as an error."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2" if _GPU.exists() else "3")


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Drop what C++ code, and any other thread, prints on stderr during the block; exceptions pass."""
    with _silencing, _dropping():
        yield


def print_error(line: str) -> None:
    """Print a line on stderr; while another thread is in a block of `silenced_stderr`, wait for its end."""
    with _silencing:
        print(line, file=sys.stderr, flush=True)


@contextmanager
def _dropping() -> Iterator[None]:
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
