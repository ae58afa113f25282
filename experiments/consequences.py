"""python -m experiments.consequences DATASET RECORDS... [--models MODEL...]

How far games went from the records that they left, which chains died, and which players models overrate. This is behind
the first two tables in docs/lab/consequences.md, "Measured".

`ownership selfplay` made DATASET from RECORDS.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.plan import KINDS
from preprocessing.dataset.rows import RECORD_COLUMNS, Row, record_of
from preprocessing.dataset.shards import listed, read_shard, shard_names
from preprocessing.storage import Folder

_COLUMNS = (*RECORD_COLUMNS, "branch", "target", "counted_score")
_SOURCE = re.compile(r"game \d+: (\w+) after (\d+) moves of (.*)")
_STAGES = {"before move 50": range(50), "before move 150": range(50, 150), "later": range(150, 10_000)}
_AFTER = (0, 1, 2, 5, 10, 20)
_STONES = 4


@dataclass(frozen=True, eq=False)
class Pair:
    """A game and the record that it left by moves of a kind after `ply` moves."""

    game: Row
    record: Row
    kind: str
    ply: int

    @property
    def owners(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """The owners of the points at the end of the game, and of the record."""
        return _owner(self.game), _owner(self.record)


def main() -> int:
    """Print a table of what changed, and one of what models expected."""
    parser = argparse.ArgumentParser(prog="python -m experiments.consequences", description=main.__doc__)
    parser.add_argument("dataset")
    parser.add_argument("records", nargs="+")
    parser.add_argument("--models", nargs="*", default=["default"], metavar="MODEL")
    arguments = parser.parse_args()
    found = list(pairs(arguments.dataset, arguments.records))
    print(f"{'':16}{'games':>6}{'other owner':>13}{'opposed':>9}{'margin':>8}{'in records':>12}")
    _print_change("all", found)
    for kind in KINDS:
        _print_change(kind, [pair for pair in found if pair.kind == kind])
    for stage, plies in _STAGES.items():
        _print_change(stage, [pair for pair in found if pair.ply in plies])
    died, left = np.sum([deaths(pair) for pair in found], axis=0)
    print(f"\n{died} chains of {_STONES} stones or more died that lived in the record, {left} are left on the board")
    print("\npoints by which models overrate the player who left the record, and standard error, so many moves later")
    print(f"{'':24}" + "".join(f"{after:>13}" for after in _AFTER))
    for model in arguments.models:
        evaluator = Evaluator.load(model)
        for kind in KINDS:
            chosen = [pair for pair in found if pair.kind == kind and pair.game["branch"]]
            if chosen:
                cells = [_cell(overrated(evaluator, chosen, after)) for after in _AFTER]
                print(f"{f'{model} {kind}':24}{''.join(cells)}", flush=True)
    return 0


def pairs(dataset: str, records: Sequence[str]) -> Iterator[Pair]:
    """Yield the accepted games of a dataset, each with the record that it left."""
    games = [(row, _SOURCE.fullmatch(row["source"])) for row in _rows([dataset])]
    wanted = {match[3] for _, match in games if match}
    known = {row["source"]: row for row in _rows(records) if row["source"] in wanted}
    for row, match in games:
        if match and match[3] in known:
            yield Pair(row, known[match[3]], match[1], int(match[2]))


def _rows(datasets: Sequence[str]) -> Iterator[Row]:
    for folder in map(Folder, listed(datasets)):
        for name in shard_names(folder):
            yield from (row for row in read_shard(folder, name, _COLUMNS).to_pylist() if row["target"])


def _owner(row: Row) -> NDArray[np.int8]:
    return np.frombuffer(row["target"], np.int8)


def _print_change(title: str, chosen: Sequence[Pair]) -> None:
    if not chosen:
        return
    owners = [pair.owners for pair in chosen]
    other, opposed = (np.mean([rule(*each).mean() for each in owners]) for rule in (np.not_equal, _opposed))
    margins = [np.mean([abs(getattr(pair, which)["counted_score"]) for pair in chosen]) for which in ("game", "record")]
    print(f"{title:16}{len(chosen):6}{other:13.1%}{opposed:9.1%}{margins[0]:8.1f}{margins[1]:12.1f}")


def _opposed(one: NDArray[np.int8], other: NDArray[np.int8]) -> NDArray[np.bool_]:
    return one * other < 0


def deaths(pair: Pair) -> tuple[int, int]:
    """Return how many chains at the branch died that lived in the record, and how many are left on the board."""
    game, (here, there) = record_of(pair.game), pair.owners
    final = game.position().stones.ravel()
    chains = [each for each in game.position(pair.game["branch"]).chains() if len(each.points) >= _STONES]
    died = [
        each
        for each in chains
        if (here[list(each.points)] == -each.colour).all() and (there[list(each.points)] == each.colour).all()
    ]
    return len(died), sum((final[list(each.points)] == each.colour).all() for each in died)


def overrated(evaluator: Evaluator, chosen: Iterable[Pair], after: int) -> NDArray[np.float64]:
    """Return by how many points a model overrates the player who moved last before the branch.

    Args:
        evaluator: the model.
        chosen: games on boards of one side.
        after: moves after the branch at which the model judges the game.

    Returns:
        float64, a number for each game that has so many moves after its branch: the expected area of that player less
        the area that came of it, in points.
    """
    games = [pair.game for pair in chosen if pair.game["branch"] + after <= len(pair.game["moves"])]
    colours = [1 - 2 * (game["moves"][game["branch"] - 1] & 1) for game in games]
    expected = evaluator.ownership([record_of(game).position(game["branch"] + after) for game in games]).sum(
        axis=(1, 2)
    )
    final = [_owner(game).sum() for game in games]
    found: NDArray[np.float64] = np.array(colours) * (expected.astype(np.float64) - final)
    return found


def _cell(values: NDArray[np.float64]) -> str:
    return f"{values.mean():+7.1f} ± {values.std() / len(values) ** 0.5:3.1f}"


if __name__ == "__main__":
    exit_with(main)
