"""python -m experiments.group_lines DATASET... [--groups 100] [--visits 200] [--model NAME|DIR] [--seed 1]

How often the lines of `ownership explain` show the fate of groups of four stones and more on finished boards whose
owners are known: dead groups with their own side first, living ones attacked. This is behind docs/measured.md, "How
groups live and die". A group that ends in the contrary of its label is listed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from benchmarks.command import exit_with, parser_of
from experiments.everyday_scores import boards_of
from game_datasets.rows import owner_of, record_of
from goban.coords import gtp_name
from goban.game import Game
from goban.position import Chain
from ownership.explaining.group_status import explain_group
from ownership.inference.evaluator import Evaluator
from runtime.folders import Folder

_LEAST: Final = 4  # stones


def main() -> int:
    """Print the ends of the lines by board side and label."""
    parser = parser_of("experiments.group_lines", __doc__)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--groups", type=int, default=100, metavar="N", help="dead and living ones of each side each")
    parser.add_argument("--visits", type=int, default=200, metavar="N")
    parser.add_argument("--model", metavar="NAME|DIR")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the choice of groups")
    arguments = parser.parse_args()
    evaluator, found = Evaluator.load(arguments.model), Counter[tuple[int, str, str]]()
    for game, chain, dead in _groups(arguments.datasets, arguments.groups, arguments.seed):
        status = explain_group(evaluator, game, chain.points[0], arguments.visits)
        line, label = (status.defended, "dead") if dead else (status.attacked, "alive")
        found[game.side, label, line.end.proof or f"not proved: {line.outcome}"] += 1
        if line.outcome == ("lives" if dead else "captured"):
            print(
                f"{label}, but {line.outcome}: {gtp_name(chain.points[0], game.side)} on\n{game.position}", flush=True
            )
    for (side, label, end), count in sorted(found.items()):
        print(f"{f'{side}x{side}':8}{label:8}{end:26}{count:5}")
    return 0


def _groups(datasets: Sequence[str], most: int, seed: int) -> Iterator[tuple[Game, Chain, bool]]:
    """Yield a game, a chain and whether it is dead; of each board one dead and one living chain at most."""
    random, left = np.random.default_rng(seed), Counter[tuple[int, bool]]()
    rows = [row for place in datasets for row in boards_of(Folder(place))]
    for number in random.permutation(len(rows)).tolist():
        game, owner = record_of(rows[number]).as_game(), owner_of(rows[number]).ravel()
        chains = [chain for chain in game.position.chains() if len(chain.points) >= _LEAST]
        for dead in (True, False):
            wanted = [each for each in chains if set(owner[list(each.points)]) == {each.colour * (1 - 2 * dead)}]
            if wanted and left[game.side, dead] < most:
                left[game.side, dead] += 1
                yield game, wanted[random.integers(len(wanted))], dead


if __name__ == "__main__":
    exit_with(main)
