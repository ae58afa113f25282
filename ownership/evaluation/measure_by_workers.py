"""How a model is measured in positions of games: by this process, or by the workers of a cluster."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from game_datasets.batches import Batch, drop_history
from game_datasets.evaluation_positions import Positions, in_batches, table_planes
from game_datasets.game_table import GameTable
from goban.errors import InputError
from ownership.evaluation.measure import (
    Measurements,
    Watch,
    joined_measurements,
    measure_both_sides,
    measure_games,
    unwatched,
)
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from planes.feature_sets import FeatureSet
from runtime.workers import Workers

Done = Callable[[int], object]


class _Part(NamedTuple):
    """Positions of a few games."""

    table: GameTable
    positions: Positions


@dataclass(frozen=True)
class Measuring:
    """How a model is measured.

    Attributes:
        evaluator: the model.
        symmetries: 1 measures the network alone, 8 its average over the symmetries of the board.
        set_up: whether it is shown no last moves, as if every position had been set up.
        both_sides: whether positions are set up and averaged over Black and White to move.
    """

    evaluator: Evaluator
    symmetries: int = 1
    set_up: bool = False
    both_sides: bool = False

    def measure(self, table: GameTable, positions: Positions, watch: Watch = unwatched) -> Measurements:
        """Return the measurements in positions of a table; `watch` as for `measure_games`.

        Raises:
            InputError: a model that reads terms is to see positions as set up.
        """
        if self.set_up and self.evaluator.reads_terms:
            raise InputError(f"--set-up needs a model of `ownership train`. Received: {self.evaluator.name}")
        if self.both_sides:
            drawn = table_planes(table, *positions, FeatureSet("none", ()), batch_size=MAX_BATCH)
            return measure_both_sides(self.evaluator, table, watch(drawn, len(positions.games)), self.symmetries)

        def prepared(batches: Iterator[Batch], count: int) -> Iterator[Batch]:
            if self.set_up:
                batches = (drop_history(batch, self.evaluator.feature_set) for batch in batches)
            return watch(batches, count)

        return measure_games(self.evaluator, table, positions, self.symmetries, prepared)

    def measure_on(
        self, cluster: Workers, table: GameTable, positions: Positions, done: Done = lambda count: None
    ) -> Measurements:
        """Return the same from the workers of a cluster, which get the games that they need, a batch at a time.

        `done` receives how many positions are measured, whenever some are.

        Raises:
            InputError: as for `measure`, or several workers died at the same positions.
        """
        batches = list(in_batches(table, positions.games, MAX_BATCH))
        parts = (_part(table, Positions(positions.games[rows], positions.plies[rows])) for rows in batches)
        found = []
        for rows, measured in zip(batches, cluster.in_order(partial(_measured, self), parts), strict=True):
            games = positions.games[rows].astype(np.int64)
            found.append(replace(measured, game=games, record=table.records[games]))
            done(len(games))
        return joined_measurements(found)


def _part(table: GameTable, positions: Positions) -> _Part:
    games, rows = np.unique(positions.games, return_inverse=True)
    return _Part(table.some(games), Positions(rows.astype(np.int32), positions.plies))


def _measured(measuring: Measuring, part: _Part) -> Measurements:
    return measuring.measure(part.table, part.positions)
