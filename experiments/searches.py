"""python -m experiments.searches OUTPUT [--evaluations 50 100 200] [--games 200] [--size 9] [--model play] [--jobs 2]

Alpha-beta against the tree search with the same network and as many evaluations a move, and what each ingredient of
the tree search is worth. This is behind docs/lab/play.md, "The two searches".

Evaluations take nearly all of the time, so the experiment counts them: a slow or busy machine changes nothing. OUTPUT
keeps the games; the same command resumes an interrupted match, and more `--games` add some.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.duels import NODES, played, strength
from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions
from ownership.match.referee import GnuGoReferee, ModelReferee, Referee
from preprocessing.labels.gnugo import GnuGo

INGREDIENTS = {
    "no score term": "score_weight=0",
    "no first-play reduction": "first_play=0",
    "the best move instead of the mean": "minimax=1",
    "half the best move": "minimax=0.5",
    "no policy": "policy_share=0",
    "batches of 1": "batch=1",
    "batches of 16": "batch=16",
    "the highest lower bound": "choice=lcb",
    "half the exploration": "exploration=0.6",
    "twice the exploration": "exploration=2.4",
}
MATCHES = ("searches", "doublings", "ingredients")
HEAD = "| players | evaluations | games | the first one wins | Elo of the difference |\n|---|---|---|---|---|"


def main() -> int:
    """Print the table, a line as soon as its games are played."""
    parser = argparse.ArgumentParser(prog="python -m experiments.searches", description=main.__doc__)
    parser.add_argument("output", type=Path, help="where games are kept")
    parser.add_argument("--model", default="play", metavar="NAME|DIR", help="of all players (%(default)s)")
    parser.add_argument("--evaluations", type=int, nargs="+", default=[50, 100, 200], help="a move (%(default)s)")
    parser.add_argument("--matches", nargs="+", choices=MATCHES, default=MATCHES, help="to play (all)")
    parser.add_argument("--ingredients", nargs="+", choices=INGREDIENTS, default=[*INGREDIENTS], help="to try (all)")
    parser.add_argument("--games", type=int, default=200, help="of each pair (%(default)s)")
    parser.add_argument("--size", type=int, default=9, help="board side (%(default)s)")
    parser.add_argument("--referee", default="gnugo", metavar="gnugo|MODEL", help="counts the games (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="games at the same time (%(default)s)")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model)
    referee = _referee(arguments.referee)
    conditions = Conditions(side=arguments.size, komi=6.5 if arguments.size <= 9 else 7.5)
    print(HEAD)
    for name, evaluations, players in _pairs(arguments):
        place = "-".join([*name.split(), players[0].replace(":", "-").replace("=", "-")])
        folder = arguments.output / place
        record = played(players, conditions, referee, folder, evaluator, games=arguments.games, jobs=arguments.jobs)
        print(f"| {name} | {evaluations} | {strength(record)} |", flush=True)
    return 0


def _pairs(arguments: argparse.Namespace) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the name of each match, its evaluations, and its players."""
    for count in arguments.evaluations:
        tree = _tree(count)
        if "searches" in arguments.matches:
            yield "mcts against alphabeta", count, [tree, f"alphabeta:evaluations={count},nodes={NODES * count}"]
        if "doublings" in arguments.matches:
            yield "mcts with twice the evaluations against mcts", count, [_tree(2 * count), tree]
        if "ingredients" in arguments.matches:
            for name in arguments.ingredients:
                yield f"mcts against {name}", count, [tree, f"{tree},{INGREDIENTS[name]}"]


def _tree(evaluations: int) -> str:
    return f"mcts:evaluations={evaluations},threads=1"


def _referee(name: str) -> Referee:
    return GnuGoReferee(GnuGo()) if name == "gnugo" else ModelReferee(Evaluator.load(name))


if __name__ == "__main__":
    sys.exit(main())
