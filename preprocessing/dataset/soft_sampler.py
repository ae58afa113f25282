"""Training batches of which a share comes from a teacher's labels, beside the positions of records.

Every batch holds one board side. A side has the mean of its shares among the records and among the teacher's
positions, weighted by `weight`, and within a batch of that side the teacher's share is its part in that mean: so the
teacher's share of all positions is `weight`, also where only one of the two has some side. The teacher's positions of a
side are equally likely, and so are the 8 symmetries.
"""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban import symmetry
from goban.errors import InputError
from preprocessing.dataset.sampler import (
    Batch,
    Sampler,
    SoftTargets,
    drop_history,
    made_ahead,
    replayed,
    side_shares,
)
from preprocessing.dataset.soft_rows import SURE
from preprocessing.dataset.soft_table import SoftTable
from preprocessing.features.kernels import Draws
from preprocessing.features.planes import FeatureSet


class MixedSampler:
    """Draws batches from records and from a teacher's positions; as `Sampler`, a pure function of seed and step.

    Args:
        records: draws the positions of records, and has features, batch size and seed.
        table: the teacher's positions, at least one.
        weight: the teacher's share of all positions, above 0 and up to 1.

    Raises:
        InputError: a weight out of range.
    """

    def __init__(self, records: Sampler, table: SoftTable, weight: float) -> None:
        if not 0 < weight <= 1:
            raise InputError(f"the teacher's share must be above 0 and up to 1. Received: {weight}")
        self._records, self._table = records, table
        self._rows = {
            int(side): np.flatnonzero((table.side == side) & ~table.held_out) for side in np.unique(table.side)
        }
        soft = side_shares({side: len(rows) for side, rows in self._rows.items()})
        self._sides = {
            side: (1 - weight) * records.sides.get(side, 0) + weight * soft.get(side, 0)
            for side in sorted({*records.sides, *soft})
        }
        self._soft = {
            side: round(records.batch_size * weight * soft.get(side, 0) / share) if share else 0
            for side, share in self._sides.items()
        }

    def batch(self, step: int) -> Batch:
        """Return batch number `step` (0 or more): always the same one for the same seed."""
        random = np.random.Generator(np.random.Philox(np.random.SeedSequence([self._records.seed, step, 1])))
        side = list(self._sides)[random.choice(len(self._sides), p=list(self._sides.values()))]
        soft = self._soft[side]
        parts = []
        if soft < self._records.batch_size:
            parts.append(self._records.draw(random, side, self._records.batch_size - soft))
        if soft:
            parts.append(self._draw(random, side, soft))
        return _joined(parts)

    def iterate(self, start_step: int = 0) -> Generator[Batch, None, None]:
        """Yield batches `start_step`, `start_step` + 1, ... as `Sampler.iterate` does."""
        return made_ahead(self.batch, self._records.workers, start_step)

    def _draw(self, random: np.random.Generator, side: int, count: int) -> Batch:
        rows, symmetries = random.choice(self._rows[side], count), random.integers(0, self._records.symmetries, count)
        features = self._records.feature_set
        batch = soft_batch(self._table, rows, symmetries, features, chains=self._records.chains)
        return drop_history(batch, features, random.random(count) < self._records.history_dropout)


def soft_batch(
    table: SoftTable,
    rows: NDArray[np.int64],
    symmetries: NDArray[np.int64],
    feature_set: FeatureSet,
    *,
    chains: bool = False,
) -> Batch:
    """Return the positions of some rows of a table, all of one board side, turned by symmetries, int64 (B,)."""
    side, count = int(table.side[rows[0]]), len(rows)
    plies = table.plies[rows]
    out, boards = replayed(side, table.games, Draws(rows, plies, symmetries), feature_set)
    soft = SoftTargets(
        (out.target.reshape(count, side, side) / np.float32(SURE)).astype(np.float32),
        _policies(table, rows, symmetries),
        table.area[rows] * boards.to_move.astype(np.float32),
        table.deviation[rows],
    )
    return Batch(
        planes=out.planes.reshape(count, side, side, len(feature_set.planes)),
        chains=out.chains.reshape(count, side, side) if chains else None,
        target=np.zeros((count, side, side), np.int8),
        stones=boards.stones.reshape(count, side, side),
        to_move=boards.to_move,
        ko=boards.ko,
        move=np.full(count, -1, np.int16),
        game=rows.astype(np.int32),
        ply=plies.astype(np.int16),
        labelled=np.zeros(count, np.bool_),
        resigned=np.full(count, -1, np.int8),
        soft=soft,
    )


def _policies(table: SoftTable, rows: NDArray[np.int64], symmetries: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the turned policies of some rows, float32 (B, N*N + 1)."""
    places = symmetry.destinations(int(table.side[rows[0]]))
    policies = np.zeros((len(rows), places.shape[1]), np.float32)
    for policy, row, k in zip(policies, rows, symmetries, strict=True):
        here = slice(table.policy.offset[row], table.policy.offset[row + 1])
        policy[places[k, table.policy_moves.values[here]]] = table.policy.values[here]
    return policies


def _joined(parts: list[Batch]) -> Batch:
    """Return one batch of batches of the same board side, of which only the last may have a teacher's label."""
    if len(parts) == 1:
        return parts[0]
    names = ("planes", "target", "stones", "to_move", "ko", "move", "game", "ply", "labelled", "resigned")
    arrays: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    chains = [part.chains for part in parts if part.chains is not None]
    return replace(parts[-1], **arrays, chains=np.concatenate(chains) if chains else None)
