"""python -m experiments.searches OUTPUT [--evaluations 50 100 200] [--games 200] [--size 9] [--model default]

Alpha-beta against the tree search with the same network and number of evaluations a move, and what each ingredient
of the tree search is worth. This is behind docs/lab/play.md, "The two searches".

Evaluations take nearly all of the time, so the experiment counts them: a slow or busy machine changes nothing. OUTPUT
keeps the games; the same command resumes an interrupted match, and more `--games` add some. Options of a player are
a variant of your own: `--matches ingredients --ingredients exploration=2,minimax=0.25`.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from benchmarks.command import exit_with
from benchmarks.duels import NODES, played, players_of, strength
from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions
from ownership.match.referee import GnuGoReferee, ModelReferee, Referee
from ownership.match.statistics import WinLoss, elo
from preprocessing.labels.gnugo import GnuGo
from viz.figure import new_axes, save
from viz.palette import CURVES

INGREDIENTS = {
    "no score term": "score_weight=0",
    "no first-play reduction": "first_play=0",
    "the best move instead of the mean": "minimax=1",
    "half the best move": "minimax=0.5",
    "moves that seem worse count as much": "value_weighting=0",
    "no policy": "policy_share=0",
    "batches of 1": "batch=1",
    "batches of 4 from the first visit": "waiting=1",
    "batches of 16 from the first visit": "waiting=1,batch=16",
    "the most visited move": "choice=visits",
    "an exploration that follows no deviation": "exploration=1.2,exploration_scaling=0",
    "half the exploration": "exploration=0.55",
    "twice the exploration": "exploration=2.2",
}
ALPHABETAS = {
    "a softening of 0.25": "softening=0.25",
    "a softening of 0.5 and a policy weight of 0.6": "softening=0.5,policy_weight=0.6",
    "a policy weight of 0.6": "policy_weight=0.6",
    "a width of 5": "width=5,least_width=2",
}
MATCHES = ("searches", "doublings", "ingredients", "alphabetas")
SEARCHES, DOUBLINGS = "mcts against alphabeta", "mcts with twice the evaluations against mcts"
HEAD = "| players | evaluations | games | the first one wins | Elo of the difference |\n|---|---|---|---|---|"


def main() -> int:
    """Print the table, a line as soon as its games are played."""
    parser = argparse.ArgumentParser(prog="python -m experiments.searches", description=main.__doc__)
    parser.add_argument("output", type=Path, help="where games are kept")
    parser.add_argument("--model", default="default", metavar="NAME|DIR", help="of all players (%(default)s)")
    parser.add_argument("--evaluations", type=int, nargs="+", default=[50, 100, 200], help="a move (%(default)s)")
    parser.add_argument("--matches", nargs="+", choices=MATCHES, default=MATCHES, help="to play (all)")
    for name, known in (("--ingredients", INGREDIENTS), ("--alphabetas", ALPHABETAS)):
        help = "names or options of a player to try (all)"
        parser.add_argument(name, nargs="+", type=_variant(known), default=[*known.items()], help=help, metavar="NAME")
    parser.add_argument("--games", type=int, default=200, help="of each pair (%(default)s)")
    parser.add_argument("--size", type=int, default=9, help="board side (%(default)s)")
    parser.add_argument("--referee", default="gnugo", metavar="gnugo|MODEL", help="counts the games (%(default)s)")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw the Elo of both searches by evaluations")
    parser.add_argument("--jobs", type=int, default=2, help="games at the same time (%(default)s)")
    arguments = parser.parse_args()
    make = players_of(Evaluator.load(arguments.model))
    referee = _referee(arguments.referee)
    conditions = Conditions(side=arguments.size, komi=6.5 if arguments.size <= 9 else 7.5)
    records: dict[tuple[str, int], WinLoss] = {}
    print(HEAD)
    for name, evaluations, players in _pairs(arguments):
        place = "-".join([*name.split(), players[0].replace(":", "-").replace("=", "-")])
        folder = arguments.output / place
        record = played(players, conditions, referee, folder, make, games=arguments.games, jobs=arguments.jobs)
        records[name, evaluations] = record
        print(f"| {name} | {evaluations} | {strength(record)} |", flush=True)
    if arguments.figure:
        save(_drawn(records), arguments.figure)
    return 0


def _variant(known: Mapping[str, str]) -> Callable[[str], tuple[str, str]]:
    """Return what reads the name of a known variant, or the options of another one, as name and options."""

    def read(text: str) -> tuple[str, str]:
        if text not in known and "=" not in text:
            raise argparse.ArgumentTypeError(f"expected options such as exploration=2, or {', '.join(known)}")
        return text, known.get(text, text)

    return read


def _pairs(arguments: argparse.Namespace) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the name of each match, its evaluations, and its players."""
    for count in arguments.evaluations:
        tree, alphabeta = _tree(count), f"alphabeta:evaluations={count},nodes={NODES * count}"
        if "searches" in arguments.matches:
            yield SEARCHES, count, [tree, alphabeta]
        if "doublings" in arguments.matches and 2 * count in arguments.evaluations:
            yield DOUBLINGS, count, [_tree(2 * count), tree]
        if "ingredients" in arguments.matches:
            for name, options in arguments.ingredients:
                yield f"mcts against {name}", count, [tree, f"{tree},{options}"]
        if "alphabetas" in arguments.matches:
            for name, options in arguments.alphabetas:
                yield f"alphabeta with {name} against alphabeta", count, [f"{alphabeta},{options}", alphabeta]


def _drawn(records: Mapping[tuple[str, int], WinLoss]) -> Axes:
    """Draw the Elo of both searches by evaluations, with the 95% intervals of the matches that give them.

    A match of mcts with twice the evaluations gives its Elo, one against alphabeta with as many that of alphabeta.
    """
    played = {key: record for key, record in records.items() if record.games}
    counts = sorted(count for name, count in played if name == SEARCHES)
    tree = {counts[0]: (0.0, 0.0, 0.0)}  # middle and bounds
    for count in counts:
        if count in tree and (DOUBLINGS, count) in played:
            tree[2 * count] = _elos(played[DOUBLINGS, count], tree[count][0], 1)
    alphabeta = {count: _elos(played[SEARCHES, count], tree[count][0], -1) for count in counts if count in tree}
    axes = new_axes(5.4, 3.6)
    for number, (name, curve) in enumerate((("mcts", tree), ("alphabeta", alphabeta))):
        middles, *bounds = np.array([*curve.values()]).T
        look: dict[str, Any] = {"color": CURVES[number], "marker": "o", "capsize": 3, "label": name}
        axes.errorbar([*curve], middles, np.abs(np.array(bounds) - middles), **look)
    axes.set(xscale="log", xlabel="evaluations a move", ylabel=f"Elo; mcts with {counts[0]} is 0")
    axes.set_xticks([*tree], [str(count) for count in tree])
    axes.minorticks_off()
    axes.legend(frameon=False)
    return axes


def _elos(record: WinLoss, base: float, sign: int) -> tuple[float, float, float]:
    """Return the Elo of the winner (sign 1) or loser (-1) of a match against a player of Elo `base`, and its bounds."""
    low, high = sorted(base + sign * elo(rate) for rate in record.interval)
    return base + sign * elo(record.rate), low, high


def _tree(evaluations: int) -> str:
    return f"mcts:evaluations={evaluations},threads=1"


def _referee(name: str) -> Referee:
    return GnuGoReferee(GnuGo()) if name == "gnugo" else ModelReferee(Evaluator.load(name))


if __name__ == "__main__":
    exit_with(main)
