"""A plane and a target of your own: `ownership train --features tactical+crowd --targets later_stones`."""

import numpy as np

from game_datasets.batches import replay_batch
from planes.feature_sets import FeatureSet
from planes.replayed_planes import Draws


def crowd(stones, to_move, ko):  # (B, N, N), (B,), (B,) -> (B, N, N)
    """Return how many of the 8 points around each have a stone."""
    padded = np.pad(stones != 0, ((0, 0), (1, 1), (1, 1))).astype(np.float32)
    rows = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    return (rows[:, :, :-2] + rows[:, :, 1:-1] + rows[:, :, 2:] - padded[:, 1:-1, 1:-1]) / 8


class LaterStones:
    """Where the side to move will have stones ten moves later, in games that last so long."""

    numbers, loss, weight = None, "binary_crossentropy", 0.1  # a probability at each point

    def values(self, batch, games):
        later = batch.ply.astype(np.int64) + 10
        last = games.lengths[batch.game]
        draws = Draws(batch.game.astype(np.int64), np.minimum(later, last), batch.symmetry)  # turned as the batch is
        stones = replay_batch(games, draws, FeatureSet("none", ()), chains=False).stones
        known = (later <= last)[:, None, None]
        return np.where(known, stones == batch.to_move[:, None, None], np.nan)
