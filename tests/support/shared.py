"""What is made once in a test run, for all processes that it has."""

import os
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from goban.errors import InputError
from runtime.safe_writing import one_writer


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the path of what `make` writes there, in the first process that needs it."""
    own = factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    folder, done = shared / name, shared / f"{name}.done"
    with ExitStack() as held:
        while not done.exists():
            try:
                held.enter_context(one_writer(shared / f"{name}.lock"))
            except InputError:  # another process makes it
                time.sleep(0.1)
                continue
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)  # of a test that failed
                make(folder)
                done.touch()
    return folder
