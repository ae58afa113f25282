"""The positions of a table that training draws from, game by game."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable
from planes.replayed_planes import Draws
from runtime.mapped_arrays import distinct, joined, made_in_parts, parts_of


class PositionPool:
    """The positions of a table, which are drawn from.

    Attributes:
        table: games or labelled positions.
        sides: the probability of each board side, proportional to the square root of its positions.
    """

    def __init__(self, table: GameTable, weights: Sequence[float] | None = None) -> None:
        self.table = table
        self._rows = {side: _rows_of(table, side) for side in distinct(table.side)}
        self._upto: dict[int, NDArray[np.float64]] = {}
        of_dataset = None if weights is None else np.asarray(weights, np.float64)
        if of_dataset is not None:
            self._upto = {side: _shares_upto(table, rows, of_dataset) for side, rows in self._rows.items()}
        counts = {side: self._weighted(rows, of_dataset) for side, rows in self._rows.items()}
        roots = {side: np.sqrt(float(np.sum(count))) for side, count in counts.items()}
        self.sides = {side: float(root / sum(roots.values())) for side, root in roots.items()}

    def _weighted(self, rows: NDArray[np.int64], weights: NDArray[np.float64] | None) -> NDArray[Any]:
        """Return the positions of some games, each counted by the weight of its dataset, (R,)."""
        table = self.table

        def of_part(part: slice) -> NDArray[Any]:
            chosen = rows[part]
            positions: NDArray[Any] = table.last[chosen] - table.first[chosen] + 1
            return positions if weights is None else positions * weights[table.dataset[chosen]]

        return made_in_parts(len(rows), of_part)

    def draw(self, random: np.random.Generator, side: int, count: int, endings: float, symmetries: int) -> Draws:
        """Draw `count` positions of a board side; `endings` and `symmetries` as for `Sampler`, the latter a number."""
        rows = self._rows[side][self._places(random, side, count)]
        first, last = self.table.first[rows], self.table.last[rows]
        plies = random.integers(first, last, endpoint=True)
        if self.table.soft is None:
            plies = np.where(self.table.ended[rows] & (random.random(count) < endings), last, plies)
        return Draws(rows, plies, random.integers(0, symmetries, count))

    def _places(self, random: np.random.Generator, side: int, count: int) -> NDArray[np.int64]:
        """Draw `count` places among the rows of a side: as `random.choice` does, which would go through all rows."""
        if side not in self._upto:
            return random.integers(0, len(self._rows[side]), count)
        return self._upto[side].searchsorted(random.random(count), side="right")


def _rows_of(table: GameTable, side: int) -> NDArray[np.int64]:
    """Return the rows of a board side that are not held out."""
    parts = parts_of(len(table))
    return joined(part.start + np.flatnonzero((table.side[part] == side) & ~table.held_out[part]) for part in parts)


def _shares_upto(table: GameTable, rows: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each of some games the share of the weights that it and the games before it have, (R,), rising."""
    shares = made_in_parts(len(rows), lambda part: weights[table.dataset[rows[part]]])
    shares /= shares.sum()
    np.cumsum(shares, out=shares)
    shares /= shares[-1:]
    return shares
