"""A target for `ownership train`: whether the owner of each point will be final within 20 moves.

OWNERSHIP_SETTLED_LABELS=labels.npz ownership train data/games --targets settled_soon --output runs/mine
"""

import os
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.batches import Batch
from game_datasets.game_table import GameTable
from goban.coords import destinations
from goban.errors import InputError
from ownership.training.settled_labels import SettledLabels, read_labels

SOON: Final = 20  # moves
VARIABLE: Final = "OWNERSHIP_SETTLED_LABELS"


class SettledSoon:
    """Where the owner of a point will be final within SOON moves; not known for games without labels."""

    numbers, loss, weight = None, "binary_crossentropy", 0.1

    def values(self, batch: Batch, games: GameTable) -> NDArray[np.float32]:
        """Return 1 for points that will be settled and 0 for others, float32 (B, N, N); NaN where it is not known."""
        turned = destinations(batch.target.shape[1])[:, : batch.target[0].size]
        values = np.full((len(batch.ply), turned.shape[1]), np.nan, np.float32)
        for row, (game, ply, turn) in enumerate(zip(batch.game, batch.ply, batch.symmetry, strict=True)):
            plies = self._labels.of_game(games.ids[game])
            if plies is not None:
                values[row, turned[turn]] = plies <= ply + SOON
        return values.reshape(batch.target.shape)

    @cached_property
    def _labels(self) -> SettledLabels:
        path = os.environ.get(VARIABLE)
        if path is None:
            raise InputError(f"target settled_soon: expected {VARIABLE} to name files of labels. Received: nothing")
        return read_labels(path.split(os.pathsep))
