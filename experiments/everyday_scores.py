"""python -m experiments.everyday_scores DATASET... [--models MODEL...] [--one-by-one]

How often `ownership score` has every stone's status right on boards of weak players that end with two passes, and how
often it is wrong where it calls the count safe. Stones with no owner do not count. Behind docs/measured.md, "Scoring".
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final

import numpy as np

from benchmarks.command import exit_with, parser_of
from game_datasets.rows import RECORD_COLUMNS, Row, owner_of, record_of
from game_datasets.shards import read_shard, shard_names
from goban.coords import pass_point
from ownership.inference.evaluator import Evaluator
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.scoring.captured_groups import CAPTURE_VISITS
from ownership.scoring.score_games import score_games
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from runtime.folders import Folder

_ONE_BY_ONE: Final = ScoreOptions(second_judge=SECOND_JUDGE, capture_visits=CAPTURE_VISITS)


def main() -> int:
    """Print a line for each model and dataset, and for each board side of all of them."""
    parser = parser_of("experiments.everyday_scores", __doc__)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--models", nargs="*", default=["default"], metavar="MODEL")
    parser.add_argument("--one-by-one", action="store_true", help="as a single game: a second judge and searches")
    arguments = parser.parse_args()
    options = _ONE_BY_ONE if arguments.one_by_one else ScoreOptions()
    boards = {place.rstrip("/").rsplit("/", 1)[-1]: boards_of(Folder(place)) for place in arguments.datasets}
    rows = list(chain.from_iterable(boards.values()))
    names = np.repeat(list(boards), [len(each) for each in boards.values()])
    sides = np.array([row["side"] for row in rows])
    groups = {name: names == name for name in boards}
    groups |= {f"{side}x{side}": sides == side for side in sorted(set(sides.tolist()))}
    groups["all"] = np.ones(len(rows), np.bool_)
    print(f"{'model':16}{'boards':12}{'number':>8}{'all stones':>12}{'safe':>8}{'safe, wrong':>13}{'safe, right':>13}")
    for model in arguments.models:
        right, safe = np.array(_outcomes(rows, Evaluator.load(model, cached=0), options), np.bool_).T
        for name, chosen in groups.items():
            wrong, precision = int((safe & ~right)[chosen].sum()), right[chosen & safe].mean()
            shares = f"{right[chosen].mean():12.1%}{safe[chosen].mean():8.1%}{wrong:13}{precision:13.2%}"
            print(f"{model:16}{name:12}{chosen.sum():8}{shares}", flush=True)
    return 0


def boards_of(dataset: Folder, any_end: bool = False) -> list[Row]:
    """Return the accepted rows of a dataset, those that end with two passes or all."""
    columns = [*RECORD_COLUMNS, "target"]
    rows = [row for name in shard_names(dataset) for row in read_shard(dataset, name, columns).to_pylist()]
    return [row for row in rows if row["target"] is not None and (any_end or _ended(row))]


def _ended(row: Row) -> bool:
    passing = pass_point(row["side"])
    return [code >> 1 for code in row["moves"][-2:]] == [passing, passing]


def _outcomes(rows: Sequence[Row], evaluator: Evaluator, options: ScoreOptions) -> list[tuple[bool, bool]]:
    """Return for each row whether every stone with an owner has the right status, and whether the count is safe."""
    answers = score_games([record_of(row) for row in rows], evaluator, options)
    found = []
    for row, answer in zip(rows, answers, strict=True):
        assert isinstance(answer, ScoredGame)
        stones, owner = answer.position.stones, owner_of(row)
        status = np.where(answer.estimate.dead, -stones, stones)
        right = (status == owner) | (stones == 0) | (owner == 0)
        found.append((bool(right.all()), answer.estimate.safe))
    return found


if __name__ == "__main__":
    exit_with(main)
