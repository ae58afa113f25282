"""python -m experiments.techniques [OUTPUT] [--games 200] [--evaluations 300] [--jobs 2]

What each technique of the search saves in evaluations, and what it is worth in Elo points. This is behind the table in
docs/lab/play.md, "What each technique is worth".

Evaluations take nearly all of the time, so the experiment counts them: a slow or busy machine changes nothing. First
every variant searches the same positions to a fixed depth; then, if OUTPUT is given, it plays the full search on 9x9,
both with the same number of evaluations a move. OUTPUT keeps the games; the same command resumes an interrupted match,
and more `--games` add some.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from benchmarks.command import exit_with
from benchmarks.duels import NODES, played, players_of, strength
from goban.coords import BLACK, WHITE
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions
from ownership.match.game import play_game
from ownership.match.referee import GnuGoReferee, ModelReferee
from ownership.match.statistics import WinLoss
from ownership.players.alphabeta import AlphaBetaPlayer
from ownership.players.policy import PolicyPlayer
from ownership.players.registry import make_player
from ownership.search.alphabeta import Search
from ownership.search.leaves import NetworkLeaves
from ownership.search.options import TECHNIQUES, Limits, SearchResult
from preprocessing.labels.gnugo import GnuGo

CONDITIONS = Conditions(side=9, komi=6.5)
VARIANTS = {f"without {technique}": f"without={technique}" for technique in TECHNIQUES} | {
    "without deepening": "without=deepening,depth=3",
    "`policy_weight` 0": "policy_weight=0",
    "`policy_weight` 0.1": "policy_weight=0.1",
    "`policy_weight` 0.4": "policy_weight=0.4",
    "`policy_weight` 0.6": "policy_weight=0.6",
}
_GAMES, _EVERY = 3, 8  # of the positions that are searched: games, and moves between two

HEAD = (
    "| search | evaluations, the full search 1 | same score | games | full search wins | Elo of the difference |\n"
    "|---|---|---|---|---|---|"
)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments.techniques", description=main.__doc__)
    parser.add_argument("output", type=Path, nargs="?", help="where games are kept; without it none are played")
    parser.add_argument("--model", metavar="NAME|DIR", help="model by name or directory (default: the default model)")
    parser.add_argument("--depth", type=int, default=3, help="of the searches that are compared (%(default)s)")
    parser.add_argument("--games", type=int, default=200, help="of each variant (%(default)s)")
    parser.add_argument("--evaluations", type=int, default=300, help="for each move of a game (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="games at the same time (%(default)s)")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model)
    positions = sampled_positions(evaluator)
    full = searched("", positions, evaluator, arguments.depth)
    print(HEAD)
    for name, options in VARIANTS.items():
        cells = _cost(full, searched(options, positions, evaluator, arguments.depth))
        record = WinLoss()
        if arguments.output:
            record = _against(options, evaluator, arguments)
        print(f"| {name} | {cells} | {strength(record)} |", flush=True)
    return 0


def sampled_positions(evaluator: Evaluator) -> list[Position]:
    """Return positions of games that the policy plays against itself, by chance."""
    player, referee, found = PolicyPlayer(evaluator, temperature=1.0), ModelReferee(evaluator), list[Position]()
    for number in range(_GAMES):
        players, names = {BLACK: player, WHITE: player}, {BLACK: "policy", WHITE: "policy"}
        game = play_game(players, names, CONDITIONS, CONDITIONS.moves(number), referee, number=number).game
        found += list(game.positions())[CONDITIONS.opening : -2 : _EVERY]
    return found


def searched(options: str, positions: Sequence[Position], evaluator: Evaluator, depth: int) -> list[SearchResult]:
    """Return what a search of some options finds in each position at a depth."""
    player = make_player(f"alphabeta:{options}", lambda _: evaluator)
    assert isinstance(player, AlphaBetaPlayer)
    network = NetworkLeaves(evaluator, RULESETS[CONDITIONS.rules], CONDITIONS.komi)
    found = []
    for position in tqdm(positions, desc=options or "full search", disable=not sys.stderr.isatty()):
        *_, last = Search(network.evaluate, network.count, player.options, Limits(depth=depth)).run(position)
        found.append(last)
    return found


def _cost(full: Sequence[SearchResult], variant: Sequence[SearchResult]) -> str:
    ratio = sum(each.evaluations for each in variant) / sum(each.evaluations for each in full)
    same = sum(one.score == other.score for one, other in zip(full, variant, strict=True))
    return f"{ratio:.2f} | {same} of {len(full)}"


def _against(options: str, evaluator: Evaluator, arguments: argparse.Namespace) -> WinLoss:
    """Return the record of the full search against a variant, once all games are played."""
    limits = f"evaluations={arguments.evaluations},nodes={NODES * arguments.evaluations}"
    players = [f"alphabeta:{limits}", f"alphabeta:{limits},{options}"]
    place = arguments.output / options.replace("=", "-").replace(",", "-")
    referee = GnuGoReferee(GnuGo())
    return played(
        players, CONDITIONS, referee, place, players_of(evaluator), games=arguments.games, jobs=arguments.jobs
    )


if __name__ == "__main__":
    exit_with(main)
