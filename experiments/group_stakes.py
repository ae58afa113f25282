"""python -m experiments.group_stakes DATASET... [--games 300] [--split test] [--ply 100]

Whether groups live as often as their chances say, and how far the lead changes without the groups that an order puts
first. This is behind docs/measured.md, "What is at stake". Of each labelled game the position after a number of moves
is read.
"""

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from game_datasets.load_table import load_games
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.explaining.stakes import GroupStake, stakes
from ownership.inference.evaluator import Evaluator

_BINS = 6
_TAKEN = 3  # groups that are taken off, one after the other


def main() -> int:
    """Print for each order the change of the lead, and how often groups lived by their chances."""
    parser = parser_of("experiments.group_stakes", __doc__)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--games", type=int, default=300, metavar="N")
    parser.add_argument("--split")
    parser.add_argument("--ply", type=int, default=100, metavar="N", help="moves played")
    arguments = parser.parse_args()
    table, evaluator = (
        load_games(arguments.datasets, arguments.split, most=arguments.games),
        Evaluator.load(cached=0),
    )
    random = np.random.default_rng(0)
    changes, fates, wins = list[list[list[float]]](), list[tuple[float, bool]](), list[list[bool]]()
    for number in np.flatnonzero(table.lengths > arguments.ply).tolist():
        position, komi = table.position(number, arguments.ply), float(table.komi[number])
        game = Game((position,), (), RULESETS["area"], komi, 0)
        found = stakes(evaluator, game, 1)
        chances = random.random(len(found))
        orders = [
            found,
            sorted(found, key=lambda each: -each.worth),
            sorted(found, key=lambda each: -len(each.points)),
            [found[place] for place in np.argsort(chances)],
        ]
        owner, score = table.target_of(number), float(table.score[number])
        fates += [(each.chance, _lives(each, owner)) for each in found]
        wins.append([_lives(first, owner) == (first.colour * score > 0) for first, *_ in orders])
        changes.append([_changes(evaluator, game, order) for order in orders])
    print(f"{len(changes)} games: changes of the lead without 1 to {_TAKEN} groups; the first one lives with the win")
    for place, name in enumerate(("at stake", "worth", "stones", "random")):
        means = np.mean([each[place] for each in changes], axis=0)
        print(f"{name:16}{'  '.join(f'{mean:.1f}' for mean in means)}{np.mean(wins, axis=0)[place]:8.1%}")
    chance, lived = np.array(fates, np.float64).T
    for part in np.array_split(np.argsort(chance), _BINS):
        print(f"{len(part)} groups with a mean chance of {chance[part].mean():.1%}: {lived[part].mean():.1%} lived")
    return 0


def _lives(group: GroupStake, owner: NDArray[np.int8]) -> bool:
    return float(owner.flat[list(group.points)].mean()) * group.colour > 0


def _changes(evaluator: Evaluator, game: Game, order: list[GroupStake]) -> list[float]:
    """Return by how many points the lead changes when the first groups of an order are taken off, one, two, three."""
    now, boards = game.position, list[Position]()
    stones = now.stones.copy()
    for each in [None, *order[:_TAKEN]]:
        stones.flat[list(each.points) if each else []] = 0
        boards.append(Position.from_stones(stones, now.to_move))
    boards += boards[-1:] * (_TAKEN + 1 - len(boards))
    first, *others = [answer.lead or 0.0 for answer in evaluator.evaluate(boards, 1, game.terms)]
    return [abs(other - first) for other in others]


if __name__ == "__main__":
    exit_with(main)
