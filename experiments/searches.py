"""python -m experiments.searches OUTPUT [--evaluations 50 100 200] [--games 200] [--size 9] [--model play] [--jobs 2]

Alpha-beta against the tree search with the same network and as many evaluations a move, and what each ingredient of
the tree search is worth. This is behind docs/play.md, "The two searches".

Evaluations take nearly all of the time, so the experiment counts them: a slow or busy machine changes nothing. OUTPUT
keeps the games; the same command resumes an interrupted match, and more `--games` add some.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions, schedule
from ownership.match.referee import GnuGoReferee, ModelReferee, Referee
from ownership.match.run import Match
from ownership.match.statistics import WinLoss, elo
from ownership.match.storage import MatchFolder, counted
from ownership.match.summary import tally
from ownership.players.registry import make_player
from preprocessing.labels.gnugo import GnuGo

VARIANTS = {
    "no first-play reduction": "first_play=0",
    "no score term": "score_weight=0",
    "twice the score term": "score_weight=0.6",
    "half the exploration": "exploration=0.6",
    "twice the exploration": "exploration=2.4",
    "batches of 1": "batch=1",
    "batches of 16": "batch=16",
    "the highest lower bound": "choice=lcb",
}
_NODES = 50  # of alpha-beta for each evaluation at most: where all positions are known, it would go on for nothing
HEAD = "| players | evaluations | games | the first one wins | Elo of the difference |\n|---|---|---|---|---|"


def main() -> int:
    """Print the table, a line as soon as its games are played."""
    parser = argparse.ArgumentParser(prog="python -m experiments.searches", description=main.__doc__)
    parser.add_argument("output", type=Path, help="where games are kept")
    parser.add_argument("--model", default="play", metavar="NAME|DIR", help="of all players (%(default)s)")
    parser.add_argument("--evaluations", type=int, nargs="+", default=[50, 100, 200], help="a move (%(default)s)")
    parser.add_argument("--variants", type=int, default=100, metavar="N", help="evaluations of variants; 0 plays none")
    parser.add_argument("--games", type=int, default=200, help="of each pair (%(default)s)")
    parser.add_argument("--size", type=int, default=9, help="board side (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="games at the same time (%(default)s)")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model)
    referee = _referee(evaluator)
    print(HEAD)
    for name, evaluations, players in _pairs(arguments):
        record = played(name, players, evaluator, referee, arguments)
        print(f"| {name} | {evaluations} | {_strength(record)} |", flush=True)
    return 0


def _pairs(arguments: argparse.Namespace) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the name of each match, its evaluations, and its players."""
    for count in arguments.evaluations:
        yield "mcts against alphabeta", count, [_tree(count), f"alphabeta:evaluations={count},nodes={_NODES * count}"]
    if arguments.variants:
        for name, options in VARIANTS.items():
            yield (
                f"mcts against {name}",
                arguments.variants,
                [
                    _tree(arguments.variants),
                    f"{_tree(arguments.variants)},{options}",
                ],
            )


def _tree(evaluations: int) -> str:
    return f"mcts:evaluations={evaluations},threads=1"


def _referee(evaluator: Evaluator) -> Referee:
    """Return GNU Go, or where it is missing the model."""
    try:
        gnugo = GnuGo()
        gnugo.version()
    except InputError:
        return ModelReferee(evaluator)
    return GnuGoReferee(gnugo)


def played(
    name: str, players: list[str], evaluator: Evaluator, referee: Referee, arguments: argparse.Namespace
) -> WinLoss:
    """Return the record of the first player against the second, once all games are played."""
    conditions = Conditions(side=arguments.size, komi=6.5 if arguments.size <= 9 else 7.5)
    place = "-".join([*name.split(), *(player.replace(":", "-").replace("=", "-") for player in players[:1])])
    folder = MatchFolder(arguments.output / place, players, conditions, type(referee).__name__)
    results = folder.results()
    done = {result.pairing for result in results}
    left = [each for each in schedule(players, arguments.games) if each not in done]
    match = Match(players, lambda text: make_player(text, lambda _: evaluator), conditions, referee, folder)
    games = match.play(left, arguments.jobs)
    results += tqdm(games, initial=len(results), total=arguments.games, desc=name, disable=not sys.stderr.isatty())
    return tally(counted(results)[0], 0)


def _strength(record: WinLoss) -> str:
    if not record.games:
        return "0 | - | -"
    low, high = (elo(rate) for rate in record.interval)
    return f"{record.games} | {record.rate:.0%} | {elo(record.rate):+.0f} ({low:+.0f} to {high:+.0f})"


if __name__ == "__main__":
    sys.exit(main())
