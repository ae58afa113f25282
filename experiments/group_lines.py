"""python -m experiments.group_lines DATASET... [--groups 100] [--any-end] [--visits 200] [--model NAME|DIR]
python -m experiments.group_lines DATASET... --unsettled TEACHER [--split test] [--visits 200] [--model NAME|DIR]

How often the lines of `ownership explain` show the fate of groups of four stones and more on finished boards: dead
groups with their own side first, living ones attacked. With `--unsettled`, groups in games that by another model live
if their own side moves first, else die. Contrary ends are listed. Behind docs/measured.md, "How groups live and die".
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from experiments.everyday_scores import boards_of
from game_datasets.load_table import load_games
from game_datasets.rows import owner_of, record_of
from goban.coords import BLACK, WHITE, gtp_name
from goban.game import Game
from goban.position import Chain
from goban.rulesets import RULESETS, Terms
from ownership.explaining.group_status import explain_group
from ownership.inference.evaluator import Evaluator
from ownership.scoring.assessment import set_up
from runtime.folders import Folder

_LEAST: Final = 4  # stones
_PLIES: Final = 6  # of each game
_SURE: Final = 0.9  # mean ownership of a group
_TERMS: Final = Terms(RULESETS["chinese"], 7.0)


def main() -> int:
    """Print the ends of the lines by board side and label."""
    parser = parser_of("experiments.group_lines", __doc__)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--groups", type=int, default=100, metavar="N", help="dead and living ones of each side each")
    parser.add_argument("--any-end", action="store_true", help="also boards without two passes at the end")
    parser.add_argument("--unsettled", metavar="TEACHER")
    parser.add_argument("--split", help="of the datasets with unsettled groups")
    parser.add_argument("--visits", type=int, default=200, metavar="N")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args()
    evaluator, found = Evaluator.load(arguments.model), Counter[tuple[int, str, str]]()
    for game, chain, label in (_unsettled_groups if arguments.unsettled else _settled_groups)(arguments):
        status = explain_group(evaluator, game, chain.points[0], arguments.visits)
        line = status.defended if label == "dead" else status.attacked
        end = (line.end.proof or f"not proved: {line.outcome}") + " by a ko" * (line.ko is not None)
        end = status.status if arguments.unsettled else end
        found[game.side, label, end] += 1
        if (label, line.outcome) in (("dead", "lives"), ("alive", "captured")):
            print(f"{label}, but {end}: {gtp_name(chain.points[0], game.side)} on\n{game.position}", flush=True)
    for (side, label, end), count in sorted(found.items()):
        print(f"{f'{side}x{side}':8}{label:12}{end:26}{count:5}")
    return 0


def _settled_groups(arguments: Namespace) -> Iterator[tuple[Game, Chain, str]]:
    """Yield a game, a chain and its label; of each board one dead and one living chain at most."""
    random, left = np.random.default_rng(1), Counter[tuple[int, str]]()
    rows = [row for place in arguments.datasets for row in boards_of(Folder(place), arguments.any_end)]
    for number in random.permutation(len(rows)).tolist():
        game, owner = record_of(rows[number]).as_game(), owner_of(rows[number]).ravel()
        chains = [chain for chain in game.position.chains() if len(chain.points) >= _LEAST]
        for label, sign in (("dead", -1), ("alive", 1)):
            wanted = [each for each in chains if set(owner[list(each.points)]) == {each.colour * sign}]
            if wanted and left[game.side, label] < arguments.groups:
                left[game.side, label] += 1
                yield game, wanted[random.integers(len(wanted))], label


def _unsettled_groups(arguments: Namespace) -> Iterator[tuple[Game, Chain, str]]:
    """Yield of each game the first group that some positions after its first third have."""
    teacher, table = Evaluator.load(arguments.unsettled, cached=0), load_games(arguments.datasets, arguments.split)
    random = np.random.default_rng(1)
    for number in random.permutation(len(table)).tolist():
        plies = np.arange(table.lengths[number] // 3, table.lengths[number] - 2)
        for ply in random.choice(plies, size=min(_PLIES, len(plies)), replace=False).tolist():
            game = Game((table.position(number, ply),), ruleset=_TERMS.ruleset, komi=_TERMS.komi)
            answers = teacher.evaluate([set_up(game.position, side) for side in (BLACK, WHITE)], terms=_TERMS)
            owners = {side: each.owners.ravel() for side, each in zip((BLACK, WHITE), answers, strict=True)}
            if found := [chain for chain in game.position.chains() if _is_unsettled(chain, owners)]:
                yield game, found[0], "unsettled"
                break


def _is_unsettled(chain: Chain, owners: Mapping[int, NDArray[np.float32]]) -> bool:
    """Return whether a group surely lives with its own side first, and surely dies with the other side first."""
    own, other = (chain.colour * owners[side * chain.colour][list(chain.points)].mean() for side in (1, -1))
    return bool(len(chain.points) >= _LEAST and own >= _SURE and other <= -_SURE)


if __name__ == "__main__":
    exit_with(main)
