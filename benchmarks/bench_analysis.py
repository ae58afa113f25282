"""python -m benchmarks.bench_analysis [MODEL...] [--visits 50]

How long `ownership-analysis` takes for the first 200 positions of a game on 19x19: from the query to the last answer,
over pipes to a process that is ready.
"""

import json
import subprocess
import sys
import time
from typing import Final

from benchmarks.command import exit_with, parser_of
from benchmarks.games import FINISHED, read
from goban.coords import colour_letter, gtp_name
from goban.errors import InputError

POSITIONS: Final = 200


def main() -> int:
    """Print a line for each model."""
    parser = parser_of("benchmarks.bench_analysis", __doc__)
    parser.add_argument("models", nargs="*", default=["default", "fast"], metavar="MODEL", help="default: both bundled")
    parser.add_argument("--visits", type=int, default=50, help="of each search (default: %(default)s)")
    arguments = parser.parse_args()
    for model in arguments.models:
        seconds = analyzed(model, arguments.visits)
        print(
            f"{model}: {POSITIONS} positions with {arguments.visits} visits in {seconds:.1f} s, "
            f"{POSITIONS * arguments.visits / seconds:.0f} visits a second",
            flush=True,
        )
    return 0


def analyzed(model: str, visits: int) -> float:
    """Return the seconds that the analysis of a game takes."""
    command = [sys.executable, "-m", "ownership.katago_protocol", "-model", model]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as engine:
        assert engine.stdin and engine.stdout and engine.stderr
        while b"ready" not in (line := engine.stderr.readline()):
            if not line:
                raise InputError(f"expected a model that the engine can load. Received: {model}")
        began = time.perf_counter()
        engine.stdin.write(json.dumps(query(visits)).encode() + b"\n")
        engine.stdin.flush()
        for _ in range(POSITIONS):
            engine.stdout.readline()
        return time.perf_counter() - began


def query(visits: int) -> dict[str, object]:
    """Return a query about the first positions of a game."""
    [game] = read([FINISHED], 1)
    moves = zip(game.move_colours[:POSITIONS].tolist(), game.move_points[:POSITIONS].tolist(), strict=True)
    return {
        "id": "game",
        "moves": [[colour_letter(colour), gtp_name(point, game.side)] for colour, point in moves],
        "rules": game.rules,
        "komi": game.komi,
        "boardXSize": game.side,
        "boardYSize": game.side,
        "analyzeTurns": list(range(POSITIONS)),
        "maxVisits": visits,
        "includeOwnership": True,
        "includePolicy": True,
    }


if __name__ == "__main__":
    exit_with(main)
