"""How much memory Python allocates, and what commands take that refuse hostile files."""

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from typing import Final

from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

_MOST_BYTES: Final = 500_000_000
_MOST_SECONDS: Final = 10  # of the processor
_MEASURED: Final = """
import re, sys, time
from pathlib import Path
from ownership.cli import main
status = main(sys.argv[1:])
held = re.search(r"VmHWM:\\s*([0-9]+)", Path("/proc/self/status").read_text())[1]
print(status, 1024 * int(held), time.process_time())
"""


def refused(*arguments: object) -> str:
    """Run a command that refuses a file; return the line that it writes, and fail if it takes much memory or time.

    Only Linux tells the memory: what `resource` gives is never less than what the parent holds.
    """
    command = [sys.executable, "-c", _MEASURED, *map(str, arguments)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    status, held, seconds = found.stdout.split()
    [line] = found.stderr.splitlines()
    assert (int(status), line.isprintable()) == (2, True)
    assert int(held) < _MOST_BYTES
    assert float(seconds) < _MOST_SECONDS
    return line


def peak(games: Iterator[bytes]) -> int:
    """The most bytes that are allocated at a time while `games` are drawn."""
    tracemalloc.start()
    for _ in games:
        pass
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
