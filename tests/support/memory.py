"""How much memory Python allocates, and commands take."""

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from typing import Final

from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

_MEASURED: Final = """
import re, sys
from pathlib import Path
from ownership.cli import main
status = main(sys.argv[1:])
print(status, re.search(r"VmHWM:\\s*([0-9]+)", Path("/proc/self/status").read_text())[1])
"""


def measured(*arguments: object) -> tuple[int, str, int]:
    """Run a command that prints nothing; return its status, what it wrote to stderr and the most bytes that it held.

    Only Linux tells the bytes: what `resource` gives is never less than what the parent holds.
    """
    command = [sys.executable, "-c", _MEASURED, *map(str, arguments)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    status, kibibytes = map(int, found.stdout.split())
    return status, found.stderr, 1024 * kibibytes


def peak(games: Iterator[bytes]) -> int:
    """The most bytes that are allocated at a time while `games` are drawn."""
    tracemalloc.start()
    for _ in games:
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
