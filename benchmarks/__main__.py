"""Run the benchmarks, each in a process of its own so that none warms another up."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(names: list[str]) -> int:
    """Run benchmarks by name, such as "goban"; return 2 for an unknown name, else the worst exit status."""
    known = {path.stem.removeprefix("bench_"): path for path in sorted(HERE.glob("bench_*.py"))}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"expected benchmarks among {', '.join(known)}. Received: {', '.join(unknown)}", file=sys.stderr)
        return 2
    status = 0
    for name in names or known:
        print(f"\n== {name}", flush=True)
        status = max(status, subprocess.run([sys.executable, "-m", f"benchmarks.bench_{name}"]).returncode)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
