"""The files that commands write."""

import sys
from pathlib import Path


def report_file(path: str | Path) -> None:
    """Name a file that a command wrote, on stderr."""
    print(f"Wrote {path}", file=sys.stderr)
