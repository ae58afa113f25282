"""Positions of recorded games, one of each game, for the experiments about long-term evaluation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.position import Position
from preprocessing.dataset.rows import decode
from preprocessing.dataset.table import GameTable

_FIRST: Final = 4  # plies before which no position is drawn
_LAST: Final = 4  # plies that each position leaves to be played


@dataclass(frozen=True, eq=False)
class Drawn:
    """A position of a game.

    Attributes:
        position: with a move to come.
        move: the one of the record, a flat index.
        komi: points for White.
        owners: int8 (N, N), the owners of the points at the end of the game, +1 Black, 0 neither.
        phase: share of the game's moves that were played, 0..1.
    """

    position: Position
    move: int
    komi: float
    owners: NDArray[np.int8]
    phase: float


def draw(table: GameTable, seed: Sequence[int]) -> Iterator[Drawn]:
    """Yield positions in random order, one of each labelled game that has one: the same ones for the same seed.

    Moves that are passes, or are played out of turn, are left out.
    """
    random = np.random.default_rng(seed)
    for game in random.permutation(np.flatnonzero(table.labelled)).tolist():
        points, colours = decode(table.moves[table.move_offset[game] : table.move_offset[game + 1]])
        if len(points) <= _FIRST + _LAST:
            continue
        ply = int(random.integers(_FIRST, len(points) - _LAST))
        position = table.position(game, ply)
        if int(colours[ply]) == position.to_move and points[ply] != pass_point(position.side):
            owners = table.target_of(game)
            yield Drawn(position, int(points[ply]), float(table.komi[game]), owners, ply / len(points))
