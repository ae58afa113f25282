"""The targets of packages in batches, with checks of what they return; read without Keras."""

import numpy as np
from numpy.typing import NDArray

from game_datasets.batches import Batch
from game_datasets.game_table import GameTable
from goban.errors import InputError
from ownership.inference.own_targets import find_target


def target_values(name: str, batch: Batch, games: GameTable) -> NDArray[np.float32]:
    """Return the values of a package's target for positions of games, NaN where they are not known.

    Raises:
        InputError: it returns values of another shape, or infinity.
    """
    values, shape = np.asarray(find_target(name).values(batch, games), np.float32), _shape(name, batch)
    if values.shape != shape:
        raise InputError(f"target {name}: expected values of shape {shape}. Received: shape {values.shape}")
    if np.isinf(values).any():
        raise InputError(f"target {name}: expected finite values, or NaN where they are not known. Received: infinity")
    return values


def wanted_own(name: str, batch: Batch) -> NDArray[np.float32]:
    """Return what a head should answer, 0 where it is not known, as for positions of a teacher."""
    values = _all_values(name, batch)
    return np.where(np.isnan(values), np.float32(0), values)


def known_own(name: str, batch: Batch) -> NDArray[np.float32]:
    """Return what each answer of a batch weighs: 1 where all its values are known, else 0; (B, 1) at points."""
    values = _all_values(name, batch)
    known = np.array([not np.isnan(each).any() for each in values], np.float32)
    return known[:, None] if values.ndim > 2 else known


def _all_values(name: str, batch: Batch) -> NDArray[np.float32]:
    values = np.full(_shape(name, batch), np.nan, np.float32)
    if name in batch.own:
        values[: len(batch.own[name])] = batch.own[name]
    return values


def _shape(name: str, batch: Batch) -> tuple[int, ...]:
    numbers = find_target(name).numbers
    return batch.target.shape if numbers is None else (len(batch.target), numbers)
