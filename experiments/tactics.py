"""python -m experiments.tactics MODEL [PLAYER ...] [--problems FILE]

How many tactical problems each player solves with a model. This is behind the table of problems in docs/measured.md,
"Play".
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import exit_with, parser_of
from ownership.inference.evaluator import Evaluator
from ownership.players.player_interface import Player
from ownership.players.registry import make_player
from tests.support.problems import Problem, read_problems, solves

PROBLEMS = Path(__file__).parents[1] / "tests" / "data" / "tactics.txt"
PLAYERS = (
    "policy:resign=0",
    "greedy:resign=0,candidates=0",
    "alphabeta:resign=0,evaluations=400,nodes=8000",
    "alphabeta:resign=0,evaluations=1000,nodes=20000",
    "mcts:resign=0,evaluations=400,threads=1",
    "mcts:resign=0,evaluations=1000,threads=1",
)


def main() -> int:
    """Print a line for each player."""
    parser = parser_of("experiments.tactics", __doc__)
    parser.add_argument("model")
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="PLAYER")
    parser.add_argument("--problems", type=Path, default=PROBLEMS, metavar="FILE")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model)
    problems = list(read_problems(arguments.problems))
    for name in arguments.players:
        player = make_player(name, lambda _: evaluator)
        print(f"{name}: {_summary(player, problems)}", flush=True)
    return 0


def _summary(player: Player, problems: Sequence[Problem]) -> str:
    """Return how many problems a player solves, in all and of each kind."""
    kinds = Counter(problem.kind for problem in problems)
    solved = Counter(problem.kind for problem in problems if solves(player, problem))
    parts = ", ".join(f"{kind} {solved[kind]} of {count}" for kind, count in kinds.items())
    return f"{solved.total()} of {len(problems)} ({parts})"


if __name__ == "__main__":
    exit_with(main)
