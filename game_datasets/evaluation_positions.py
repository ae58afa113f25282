"""The positions of a table that are evaluated, in order, and their batches."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.batches import Batch, replay_batch
from game_datasets.game_table import GameTable
from planes.feature_sets import FeatureSet
from planes.replayed_planes import Draws

EVERY: Final = 9  # plies between evaluated positions of a game: an odd number has both colours to move
TENTHS: Final = 10  # parts of a game


class Positions(NamedTuple):
    """Positions of a table: their games, int32 (P,), and the moves played before them, int16 (P,)."""

    games: NDArray[np.int32]
    plies: NDArray[np.int16]

    def where(self, chosen: NDArray[np.bool_]) -> "Positions":
        """Return the chosen ones, given as bool (P,)."""
        return Positions(self.games[chosen], self.plies[chosen])


def evaluation_positions(table: GameTable, every: int = EVERY, most: int | None = None) -> Positions:
    """Return each `every`-th ply of a game, at least one; first plies differ by game, so that all plies count.

    Of more than `most` positions only so many, spread evenly.
    """
    shown = table.lengths - table.first + 1
    first = _first_evaluated(table, every)
    ends = np.cumsum((shown - 1 - first) // every + 1)  # of the positions of each game, among all
    total = int(ends[-1])
    numbers = np.arange(total) if most is None else np.unique(np.linspace(0, total - 1, most).astype(int))
    games = np.searchsorted(ends, numbers, side="right").astype(np.int32)
    places = numbers - np.append(0, ends)[games]
    return Positions(games, ((table.first + first)[games] + every * places).astype(np.int16))


def further_ends(table: GameTable, every: int = EVERY) -> Positions:
    """Return the end of each game that `evaluation_positions` leaves out."""
    moves = table.lengths
    games = np.flatnonzero((moves - table.first - _first_evaluated(table, every)) % every).astype(np.int32)
    return Positions(games, moves[games].astype(np.int16))


def _first_evaluated(table: GameTable, every: int) -> NDArray[np.int64]:
    """Return the plies between the first position of each game and the first that is evaluated, int64 (G,)."""
    shown = table.lengths - table.first + 1
    numbers = np.fromiter((int(name[-6:], 16) for name in table.ids), np.int64, len(table))
    first: NDArray[np.int64] = numbers % np.minimum(shown, every)
    return first


def late_positions(table: GameTable, positions: Positions) -> Positions:
    """Return those positions that are in the last tenth of their game."""
    return positions.where(tenths(positions.plies.astype(np.int64), table.lengths[positions.games]) == TENTHS - 1)


def staggered(table: GameTable, games: NDArray[np.int32]) -> Positions:
    """Return a position of each of some games, rows (P,) with moves: each further through its game than those before.

    A move of the record follows each of them.
    """
    first, last = table.first[games], table.lengths[games] - 1
    steps = np.arange(1, len(games) + 1)
    return Positions(games, (first + (last - first) * steps // (len(games) + 1)).astype(np.int16))


def tenths(ply: NDArray[np.int64], moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tenth of the game, 0 to 9, after `ply` of `moves` moves; the end belongs to the last."""
    return np.minimum(TENTHS * ply // np.maximum(moves, 1), TENTHS - 1)


def table_planes(
    table: GameTable,
    games: NDArray[np.int32],
    plies: NDArray[np.int16],
    feature_set: FeatureSet,
    *,
    chains: bool = False,
    batch_size: int = 256,
) -> Iterator[Batch]:
    """Yield batches of the given positions in the given order, without symmetry.

    Args:
        table: the games.
        games: integers (P,), rows of the table.
        plies: integers (P,), moves played, 0..moves of the game.
        feature_set: the planes to make.
        chains: whether to make chain ids, too.
        batch_size: the most positions in a batch; it is shorter where the board side changes and at the end.
    """
    for rows in in_batches(table, games, batch_size):
        draws = Draws(games[rows].astype(np.int64), plies[rows].astype(np.int64), np.zeros(len(rows), np.int64))
        yield replay_batch(table, draws, feature_set, chains)


def in_batches(table: GameTable, games: NDArray[np.int32], batch_size: int) -> Iterator[NDArray[np.int64]]:
    """Yield which positions of the given games make each batch of `table_planes`."""
    changes = np.flatnonzero(np.diff(table.side[games])) + 1
    for run in np.split(np.arange(len(games)), changes):
        for start in range(0, len(run), batch_size):
            yield run[start : start + batch_size]
