"""Positions of games with what the network of `ownership.inference.settling_network` reads and should answer."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from game_datasets.game_table import GameTable
from ownership.inference.evaluator import Evaluator
from ownership.inference.settling_network import RANGES, settling_planes
from ownership.training.settled_labels import SettledLabels

UNKNOWN: Final = -1  # the range of a point that nobody owns


@dataclass(frozen=True, eq=False)
class SettlingCases:
    """Positions of P on one board side, and what the network should answer about them.

    Attributes:
        planes: float16 (P, N * N, C).
        ranges: int8 (P, N * N), the range of each point, or -1 where nobody owns it.
        moves: int16 (P, N * N), the moves until the owner of each point is final, 0 for one that is.
        length: int16 (P,), the moves until the end of the game.
        sure: float32 (P, N * N), the size of the ownership.
        game: int64 (P,), the row of the table.
    """

    planes: NDArray[np.float16]
    ranges: NDArray[np.int8]
    moves: NDArray[np.int16]
    length: NDArray[np.int16]
    sure: NDArray[np.float32]
    game: NDArray[np.int64]


def settling_cases(
    evaluator: Evaluator,
    table: GameTable,
    labels: SettledLabels,
    each: int,
    symmetries: int = 1,
    most: int | None = None,
) -> Iterator[tuple[int, SettlingCases]]:
    """Yield the cases of each board side.

    Args:
        evaluator: a model with ownership and policy.
        table: games with a target.
        labels: of some of them.
        each: positions of a game, at most.
        symmetries: that the model averages over.
        most: games of each board side.
    """
    by_side = np.argsort(table.side, kind="stable").tolist()
    labelled = [row for row in by_side if labels.of_game(table.ids[row]) is not None]
    for side, rows in groupby(labelled, key=lambda row: int(table.side[row])):
        watched = tqdm(list(rows)[:most], unit="game", desc=f"{side}x{side}")
        games = [_cases_of_game(evaluator, table, labels, row, each, symmetries) for row in watched]
        yield side, SettlingCases(*(np.concatenate(column) for column in zip(*games, strict=True)))


def _cases_of_game(
    evaluator: Evaluator, table: GameTable, labels: SettledLabels, row: int, each: int, symmetries: int
) -> tuple[NDArray[Any], ...]:
    """Return the attributes of cases: positions in equal parts of a game, drawn by its row."""
    length, random = int(table.lengths[row]), np.random.default_rng(row)
    plies = np.unique((length * (np.arange(each) + random.random(each)) / each).astype(np.int16))
    positions = [table.position(row, ply) for ply in plies.tolist()]
    predictions = evaluator.evaluate(positions, symmetries)
    settled = labels.of_game(table.ids[row])
    assert settled is not None
    moves = np.maximum(settled - plies[:, None], 0)
    ranges = np.searchsorted(RANGES, moves).astype(np.int8)
    ranges[:, table.target_of(row).ravel() == 0] = UNKNOWN
    planes = settling_planes(positions, predictions).astype(np.float16).reshape(*moves.shape, -1)
    sure = np.abs([prediction.owners.ravel() for prediction in predictions])
    return planes, ranges, moves, (length - plies).astype(np.int16), sure, np.full(len(plies), row)
