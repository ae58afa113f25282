"""Run the benchmarks, each in a process of its own so that none warms another up."""

import argparse
import subprocess
import sys
from pathlib import Path

NAMES = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> int:
    """Run the named benchmarks, by default all, and return the worst exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(NAMES)} (default: all)")
    names = parser.parse_args().names
    if unknown := sorted({*names} - {*NAMES}):
        parser.error(f"expected benchmarks among {', '.join(NAMES)}. Received: {', '.join(unknown)}")
    status = 0
    for name in names or NAMES:
        print(f"\n== {name}", flush=True)
        status = max(status, subprocess.run([sys.executable, "-m", f"benchmarks.bench_{name}"]).returncode)
    return status


if __name__ == "__main__":
    sys.exit(main())
