"""python -m experiments.dead_groups DATASET MODEL... [--split test] [--stones 10]

Models on positions with a big chain that will die, and on all positions. This is behind the tables in
docs/lab/labelling.md, "What resigned games add".

A position has a big dead group if it has a chain of at least `--stones` stones all of whose points the other side owns
in the end. Positions are those at every ninth ply of each game.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with
from ownership.evaluation.measure import Measurements, measure
from ownership.inference.evaluator import Evaluator
from preprocessing.dataset.rows import SPLITS
from preprocessing.dataset.sampler import Batch, evaluation_positions, table_planes
from preprocessing.dataset.table import GameTable, load_games
from preprocessing.features.sets import parse_feature_set

_STONES = parse_feature_set("classic8")
_OWN, _OTHER = slice(0, 3), slice(3, 6)


def main() -> int:
    """Print accuracy and Brier score of each model: on all positions, with a big dead group, without one."""
    parser = argparse.ArgumentParser(prog="python -m experiments.dead_groups", description=main.__doc__)
    parser.add_argument("dataset")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--split", choices=(*SPLITS, "all"), default="test")
    parser.add_argument("--stones", type=int, default=10)
    arguments = parser.parse_args()
    table = load_games(arguments.dataset, None if arguments.split == "all" else arguments.split)
    games, plies = evaluation_positions(table)
    doomed = has_dead_group(table, games, plies, arguments.stones)
    print(f"{len(table)} games, {len(games)} positions, {doomed.sum()} with a big dead group")
    print(f"{'':32}{'all positions':>20}{'big dead group':>20}{'the others':>20}")
    for model in arguments.models:
        evaluator = Evaluator.load(model)
        batches = table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=64)
        measured = measure(evaluator, table, batches)
        columns = (np.ones_like(doomed), doomed, ~doomed)
        print(f"{model:32}{''.join(_cell(measured, chosen) for chosen in columns)}", flush=True)
    return 0


def has_dead_group(
    table: GameTable, games: NDArray[np.int32], plies: NDArray[np.int16], stones: int
) -> NDArray[np.bool_]:
    """Return for each position, bool (P,), whether a chain of so many stones is on the board that will not live."""
    batches = table_planes(table, games, plies, _STONES, chains=True)
    return np.concatenate([_dead_group_in(batch, stones) for batch in batches])


def _dead_group_in(batch: Batch, stones: int) -> NDArray[np.bool_]:
    assert batch.chains is not None
    colour = batch.planes[..., _OWN].sum(-1) - batch.planes[..., _OTHER].sum(-1)
    lost = (colour != 0) & (batch.target == -colour)
    return np.array(
        [
            _largest_lost(ids.ravel(), occupied.ravel(), gone.ravel()) >= stones
            for ids, occupied, gone in zip(batch.chains, colour != 0, lost, strict=True)
        ]
    )


def _largest_lost(ids: NDArray[np.int32], occupied: NDArray[np.bool_], lost: NDArray[np.bool_]) -> int:
    """Return the number of stones in the largest chain that is lost as a whole."""
    size, gone = np.bincount(ids[occupied]), np.bincount(ids[lost])
    size = np.pad(size, (0, max(0, len(gone) - len(size))))
    gone = np.pad(gone, (0, len(size) - len(gone)))
    return int(np.max(size * (size == gone), initial=0))


def _cell(measured: Measurements, chosen: NDArray[np.bool_]) -> str:
    if not chosen.any():
        return f"{'-':>20}"
    assert measured.owners is not None
    return f"{measured.owners.accuracy[chosen].mean():12.2%}, {measured.owners.brier[chosen].mean():.4f}"


if __name__ == "__main__":
    exit_with(main)
