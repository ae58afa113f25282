"""python -m experiments.best_moves_found POSITIONS MODEL [PLAYER ...] [--jobs 2]

The share of positions with one best move in which each player finds it, by board side. `experiments.best_moves` makes
POSITIONS: docs/lab/play.md, "Best moves".
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from experiments.best_moves import BestMove
from ownership.inference.evaluator import Evaluator
from ownership.players.base import Turn
from ownership.players.registry import make_player

PLAYERS = (
    "policy:resign=0",
    *(f"alphabeta:resign=0,evaluations={count},nodes={50 * count}" for count in (100, 400, 1600)),
    *(f"mcts:resign=0,evaluations={count},threads=1" for count in (100, 400, 1600)),
)


def main() -> int:
    """Print a line for each player."""
    parser = argparse.ArgumentParser(prog="python -m experiments.best_moves_found", description=main.__doc__)
    parser.add_argument("positions", type=Path)
    parser.add_argument("model")
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="PLAYER")
    parser.add_argument("--jobs", type=int, default=2, help="positions at the same time (%(default)s)")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model)
    positions = [BestMove.parse(line) for line in arguments.positions.read_text("utf-8").splitlines()]
    counts = Counter(each.side for each in positions)
    print(
        f"| player | all {len(positions)} | " + " | ".join(f"{side}x{side} ({n})" for side, n in counts.items()) + " |"
    )
    print("|---" * (2 + len(counts)) + "|")
    for name in arguments.players:
        found = _found(name, positions, evaluator, arguments.jobs)
        shares = [found.total() / len(positions), *(found[side] / counts[side] for side in counts)]
        print(f"| `{name}` | " + " | ".join(f"{share:.1%}" for share in shares) + " |", flush=True)
    return 0


def _found(name: str, positions: Sequence[BestMove], evaluator: Evaluator, jobs: int) -> Counter[int]:
    """Return in how many positions of each board side a player finds the best move."""

    def finds(position: BestMove) -> bool:
        player = make_player(name, lambda _: evaluator)
        return player.choose(Turn(position.game()), lambda: False) == position.point

    with ThreadPoolExecutor(jobs) as threads:
        found = threads.map(finds, positions)
        return Counter(each.side for each, right in zip(positions, found, strict=True) if right)


if __name__ == "__main__":
    sys.exit(main())
