"""python -m experiments.leaf_values JUDGE MODEL... --records RECORD... [--searchers b6 play] [--visits 400]

How well models tell the positions of one search from each other: positions that a search looks at, below a position of
each game, with the chances to win that a strong network, JUDGE, and the models expect. This is behind "What a search
asks" in docs/lab/models.md.

A search needs differences: what all positions below a root have in common changes no move. So, besides the mean square
of the difference from the judge, the columns give the same, and the correlation, of values less their mean over the
positions of a search; and the slope of the judge's values on the model's, 1 for a model as sure as it may be.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.search.leaves import Leaf, NetworkLeaves
from ownership.search.mcts.result import TreeResult
from ownership.search.mcts.search import TreeSearch
from ownership.search.options import Limits, TreeOptions
from preprocessing.records.sgf import parse_game

_FIRST_PLY: Final = 4  # of the root of a game, which is drawn up to a ply of half the points of the board
_LEAST_SPREAD: Final = 0.03  # standard deviation of the judge's chances below a root, for differences to be compared
_BATCH: Final = 32


class _Watched:
    """A network at the leaves, and the positions that it was asked about."""

    def __init__(self, leaves: NetworkLeaves) -> None:
        self._leaves = leaves
        self.positions: list[Position] = []

    def evaluate(self, positions: Sequence[Position]) -> list[Leaf]:
        self.positions += positions
        return self._leaves.evaluate(positions)

    def ended(self, position: Position) -> Leaf:
        return self._leaves.ended(position)


def main() -> int:
    """Print a line for each model."""
    parser = parser_of("experiments.leaf_values", __doc__)
    parser.add_argument("judge")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--records", nargs="+", type=Path, required=True, metavar="RECORD")
    parser.add_argument("--searchers", nargs="+", default=["default"], metavar="MODEL", help="take turns (default)")
    parser.add_argument("--visits", type=int, default=400, metavar="N", help="of a search (%(default)s)")
    parser.add_argument("--leaves", type=int, default=24, metavar="N", help="of a search (%(default)s)")
    arguments = parser.parse_args()
    generator = np.random.default_rng(1)
    searchers = [Evaluator.load(name) for name in arguments.searchers]
    found = []
    for number, path in enumerate(progress_bar(arguments.records, total=len(arguments.records), unit="game")):
        record = parse_game(path.read_bytes(), str(path))
        last = max(_FIRST_PLY, record.side**2 // 2 - 1)
        game = record.as_game(min(int(generator.integers(_FIRST_PLY, last, endpoint=True)), len(record.moves)))
        seen, _ = searched(searchers[number % len(searchers)], game, arguments.visits)
        if len(seen) > arguments.leaves:
            drawn = generator.choice(np.arange(1, len(seen)), arguments.leaves, replace=False)
            found.append((game, [seen[each] for each in drawn]))
    wins = {name: _wins(Evaluator.load(name), found) for name in (arguments.judge, *arguments.models)}
    judged = wins[arguments.judge]
    apart = judged.std(axis=1) > _LEAST_SPREAD if len(found) else np.zeros(0, bool)
    if not apart.any():
        raise InputError("expected searches whose positions differ in their chances to win. Found none")
    print(f"{judged.size} positions of {len(judged)} searches, {apart.sum()} of them with different chances")
    print("| model | square | below one root: square | correlation | slope |\n|---|---|---|---|---|")
    wanted = _centred(judged[apart])
    for name in arguments.models:
        own = _centred(wins[name][apart])
        square, within = np.square(wins[name] - judged).mean(), np.square(own - wanted).mean()
        together, alone = (own * wanted).sum(), np.square(own).sum()
        correlation = together / np.sqrt(alone * np.square(wanted).sum())
        print(f"| {name} | {square:.4f} | {within:.4f} | {correlation:.3f} | {together / alone:.2f} |")
    return 0


def searched(
    evaluator: Evaluator, game: Game, visits: int, seed: int | None = None
) -> tuple[list[Position], TreeResult]:
    """Return the positions that a search asks about, the root first, and its result; `seed` as for `NetworkLeaves`."""
    watched = _Watched(NetworkLeaves(evaluator, game.ruleset, game.terms.total_komi, seed=seed))
    search = TreeSearch(watched, game.ruleset, TreeOptions(threads=1))
    for _ in search.run(game, Limits(visits=visits)):
        pass
    return watched.positions, search.result()


def _wins(evaluator: Evaluator, found: Sequence[tuple[Game, Sequence[Position]]]) -> NDArray[np.float64]:
    """Return Black's chance to win, float64 (searches, positions of each)."""
    rows = []
    for game, positions in found:
        batches = [positions[start : start + _BATCH] for start in range(0, len(positions), _BATCH)]
        predictions = [each for batch in batches for each in evaluator.evaluate(batch, 1, game.terms)]
        if any(prediction.win_rate is None for prediction in predictions):
            raise InputError(f"expected a model that predicts chances to win. Received: {evaluator.name}")
        rows.append([prediction.win_rate for prediction in predictions])
    return np.array(rows, np.float64)


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values less their mean over the positions of each search."""
    centred: NDArray[np.float64] = values - values.mean(axis=1, keepdims=True)
    return centred


if __name__ == "__main__":
    exit_with(main)
