"""python -m experiments.best_moves_found POSITIONS MODEL [PLAYER ...] [--jobs 2]

The share of positions with one best move in which each player finds it: of all, by board side, and of the hard ones,
in which the first player does not find it. `experiments.best_moves` makes POSITIONS: docs/lab/play.md, "Best moves".
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.command import exit_with
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
    sides = sorted({each.side for each in positions})
    groups = [positions, *([each for each in positions if each.side == side] for side in sides)]
    for number, name in enumerate(arguments.players):
        found = _found(name, positions, evaluator, arguments.jobs)
        if not number:
            groups.append([each for each in positions if each not in found])
            titles = ["all", *(f"{side}x{side}" for side in sides), "hard"]
            print(
                "| player | "
                + " | ".join(f"{title} ({len(group)})" for title, group in zip(titles, groups, strict=True))
                + " |"
            )
            print("|---" * (1 + len(groups)) + "|")
        shares = [sum(each in found for each in group) / max(1, len(group)) for group in groups]
        print(f"| `{name}` | " + " | ".join(f"{share:.1%}" for share in shares) + " |", flush=True)
    return 0


def _found(name: str, positions: Sequence[BestMove], evaluator: Evaluator, jobs: int) -> set[BestMove]:
    """Return the positions in which a player finds the best move."""

    def finds(position: BestMove) -> bool:
        player = make_player(name, lambda _: evaluator)
        return player.choose(Turn(position.game()), lambda: False) == position.point

    with ThreadPoolExecutor(jobs) as threads:
        return {each for each, right in zip(positions, threads.map(finds, positions), strict=True) if right}


if __name__ == "__main__":
    exit_with(main)
