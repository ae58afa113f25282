"""python -m experiments.longterm_moves DATASET... [--positions 300] [--steps 0 2 4] [--episodes 1 4 8]

How often long-term evaluation and the policy alone predict the move of a record, by steps and episodes, at what cost.
This is behind the tables in docs/papers/long-term-evaluation.md.

One position of each game counts; differences are paired. The continuations are those of the player `longterm`.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from game_datasets.load_table import load_games
from game_datasets.rows import decode_points
from goban.coords import pass_point
from goban.move_effects import ATARIS, CAPTURES, SAVES, flags_of, sensible_moves
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.commands.shared.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.search.leaf_evaluation import LeafValue, NetworkLeaves
from ownership.search.local_continuations import LongTermMove, LongTermOptions, LongTermSearch

_TOP: Final = 5
_HEADS: Final = f"top-1 | | top-{_TOP} |"
_TIMED: Final = 20  # positions
_CORNER: Final = 7  # lines from both edges
_OPENING: Final = 40  # moves
_MARGIN: Final = 4  # plies at either end of a game from which no position is drawn

Options = LongTermOptions


@dataclass(frozen=True, eq=False)
class Drawn:
    """A position of a game.

    Attributes:
        position: with a move to come.
        move: the one of the record, a flat index.
        komi: points for White.
        phase: share of the game's moves that were played, 0..1.
    """

    position: Position
    move: int
    komi: float
    phase: float


@dataclass(frozen=True, eq=False)
class Played:
    """A position with its continuations.

    Attributes:
        drawn: the position.
        order: its sensible moves, the likeliest first.
        moves: the candidates, after the most steps and episodes.
    """

    drawn: Drawn
    order: Sequence[int]
    moves: Sequence[LongTermMove]

    def place(self, weight: float, steps: int, episodes: int) -> int:
        """Return the place of the record's move, from 0, when the candidates are ordered by their values."""
        ordered = sorted(self.moves, key=lambda each: -each.value(weight, steps, episodes))
        ranked = [each.point for each in ordered]
        return [*ranked, *self.order[len(ranked) :]].index(self.drawn.move)

    @property
    def kinds(self) -> Iterator[str]:
        """The kinds of position that it belongs to."""
        yield ("first", "second", "last")[int(3 * self.drawn.phase)] + " third of the game"
        position = self.drawn.position
        urgent = flags_of(position)[self.drawn.move] & (CAPTURES | SAVES | ATARIS)
        yield "the move captures, saves or gives atari" if urgent else "other moves"
        row, column = (min(each, position.side - 1 - each) for each in divmod(self.drawn.move, position.side))
        if np.count_nonzero(position.stones) < _OPENING and max(row, column) < _CORNER:
            yield f"corners, up to {_OPENING} stones on the board"


def main() -> int:
    """Print the tables."""
    parser = parser_of("experiments.longterm_moves", __doc__)
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--split", choices=("train", "validation", "test"), help="of the datasets (all)")
    parser.add_argument("--positions", type=int, default=300, help="of each dataset (%(default)s)")
    parser.add_argument("--steps", type=int, nargs="+", default=[0, 2, 4, 6, 8], help="of continuations (%(default)s)")
    parser.add_argument("--episodes", type=int, nargs="+", default=[1, 4, 8], help="of candidates (%(default)s)")
    parser.add_argument("--candidates", type=int, default=10, help="(%(default)s)")
    parser.add_argument("--model", default="fast", metavar="NAME|DIR", help="(%(default)s)")
    arguments = parser.parse_args()
    options = Options(candidates=arguments.candidates, steps=max(arguments.steps), episodes=max(arguments.episodes))
    evaluator = Evaluator.load(arguments.model, cached=0)
    positions = [each for dataset in arguments.datasets for each in _positions(dataset, arguments)]
    found = [
        _played(each, evaluator, options) for each in progress_bar(positions, unit="position", total=len(positions))
    ]
    costs = {
        (steps, episodes): _cost(positions, evaluator, replace(options, steps=steps, episodes=episodes))
        for steps in arguments.steps
        for episodes in (arguments.episodes if steps else [1])
    }
    print(f"{len(found)} positions; top-1 and top-{_TOP} in %, and differences from the policy with standard errors\n")
    print(f"| steps | episodes | {_HEADS} | evaluations | ms |\n{'|---' * 8}|")
    for (steps, episodes), cost in costs.items():
        print(f"| {steps} | {episodes} | {_cells(found, options.weight, steps, episodes)} | {cost} |", flush=True)
    _print_kinds(found, options.weight, max(arguments.steps), max(arguments.episodes))
    return 0


def _positions(dataset: str, arguments: argparse.Namespace) -> Iterator[Drawn]:
    drawn = (each for each in _drawn(dataset, arguments.split) if each.move in sensible_moves(each.position))
    return islice(drawn, arguments.positions)


def _drawn(dataset: str, split: str | None) -> Iterator[Drawn]:
    """Yield a position of each labelled game that has one, in a random order, always the same.

    Moves that are passes, or are played out of turn, are left out.
    """
    table = load_games(dataset, split)
    random = np.random.default_rng(0)
    for game in random.permutation(np.flatnonzero(table.labelled)).tolist():
        points, colours = decode_points(table.move_codes[table.move_offset[game] : table.move_offset[game + 1]])
        if len(points) <= 2 * _MARGIN:
            continue
        ply = int(random.integers(_MARGIN, len(points) - _MARGIN))
        position = table.position(game, ply)
        if int(colours[ply]) == position.to_move and points[ply] != pass_point(position.side):
            yield Drawn(position, int(points[ply]), float(table.komi[game]), ply / len(points))


def _search(drawn: Drawn, evaluator: Evaluator, options: Options) -> tuple[list[int], LongTermSearch]:
    """Return the sensible moves, the likeliest first, and a search of the first ones that is finished."""
    leaves = NetworkLeaves(evaluator, RULESETS["area"], drawn.komi)
    [root] = leaves.evaluate([drawn.position])
    order = _by_policy(drawn, root)
    search = LongTermSearch(leaves.evaluate, drawn.position, root, order[: options.candidates], options)
    for _ in search.run():
        pass
    return order, search


def _by_policy(drawn: Drawn, root: LeafValue) -> list[int]:
    assert root.policy is not None
    moves = np.array(sensible_moves(drawn.position))
    order: list[int] = moves[np.argsort(-root.policy[moves], kind="stable")].tolist()
    return order


def _played(drawn: Drawn, evaluator: Evaluator, options: Options) -> Played:
    order, search = _search(drawn, evaluator, options)
    return Played(drawn, order, search.result())


def _cells(found: Sequence[Played], weight: float, steps: int, episodes: int) -> str:
    """Return top-1 and top-5 with their paired differences from the policy."""
    places = np.array([each.place(weight, steps, episodes) for each in found])
    policy = np.array([each.order.index(each.drawn.move) for each in found])
    return " | ".join(_share(places < most, policy < most) for most in (1, _TOP))


def _share(found: NDArray[np.bool_], policy: NDArray[np.bool_]) -> str:
    difference = found.astype(float) - policy
    error = difference.std() / len(found) ** 0.5
    return f"{100 * found.mean():.1f} | {100 * difference.mean():+.1f} ± {100 * error:.1f}"


def _cost(positions: Sequence[Drawn], evaluator: Evaluator, options: Options) -> str:
    """Return evaluations and milliseconds of processor time a move, over the first positions."""
    timed = positions[:_TIMED]
    began = time.process_time()
    evaluations = [_search(each, evaluator, options)[1].evaluations for each in timed]
    seconds = (time.process_time() - began) / len(timed)
    return f"{1 + np.mean(evaluations):.0f} | {1000 * seconds:.0f}"


def _print_kinds(found: Sequence[Played], weight: float, steps: int, episodes: int) -> None:
    print(f"\n{steps} steps, {episodes} episodes\n| positions | | {_HEADS} |\n{'|---' * 6}|")
    for kind in sorted({kind for each in found for kind in each.kinds}):
        chosen = [each for each in found if kind in each.kinds]
        print(f"| {kind} | {len(chosen)} | {_cells(chosen, weight, steps, episodes)} |")


if __name__ == "__main__":
    exit_with(main)
