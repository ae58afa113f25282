"""Training batches drawn at random from games and from positions of a teacher.

A batch is a pure function of (seed, step), so training resumes exactly with any number of threads.
Every batch holds one board side. The side is drawn with probability proportional to the square root of its positions,
so that a network learns rare sides too, then a game of that side (uniformly, or by the weights of the datasets), then
the ply uniformly in 0..moves of that game, or from its branch to its end, then one of the 8 symmetries uniformly. Long
games therefore count as much as short ones.
One position in eight, by default, is the end instead, if both players passed there: that is where people score.

A share of the positions comes from a teacher's labels, if there are any. A side then has the mean of its probabilities
among games and among labelled positions, weighted by that share, and within a batch of that side the teacher's part is
its part in that mean: so the teacher has its share of all positions, also where only one of the two has some side.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.batches import Batch, drop_history, replay_batch
from game_datasets.game_table import GameTable
from goban.errors import InputError
from planes.feature_sets import FeatureSet
from planes.replayed_planes import Draws
from runtime.mapped_arrays import distinct, joined, made_in_parts, parts_of

_AHEAD: Final = 2  # finished batches that may wait, besides those that the workers are at

Target = Callable[[Batch, GameTable], NDArray[np.float32]]


class _PositionPool:
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


class Sampler:
    """Draws batches of random positions, with replacement.

    Attributes:
        sides: the probability of each board side.

    Args:
        table: the games; at least one.
        feature_set: the planes to make.
        batch_size: positions in a batch.
        seed: of all draws, 0 or more.
        workers: threads of `iterate`, which never change what is drawn.
        chains: whether to make chain ids, too.
        endings: the share of the positions of games that are ends with two passes, in addition to other draws.
        symmetries: whether positions are turned at random.
        history_dropout: the share of positions whose planes leave out the last moves, as if they had been set up.
        weights: how often games of each dataset of the table are drawn, above 0 and relative to each other; None for
            equally often.
        soft: positions that a teacher labelled; None for games alone.
        teacher_weight: the share of these in all positions, above 0 and up to 1.
        targets: further targets of positions of games by name, each a function of their batch and the table.

    Raises:
        InputError: the table is empty, or the share out of range.
    """

    def __init__(
        self,
        table: GameTable,
        feature_set: FeatureSet,
        batch_size: int,
        seed: int,
        *,
        workers: int = os.cpu_count() or 1,
        chains: bool = False,
        endings: float = 1 / 8,
        symmetries: bool = True,
        history_dropout: float = 0.0,
        weights: Sequence[float] | None = None,
        soft: GameTable | None = None,
        teacher_weight: float = 0.5,
        targets: Mapping[str, Target] | None = None,
    ) -> None:
        if len(table) == 0:
            raise InputError("expected a table with at least one game. Received: no game; choose another dataset")
        if soft is not None and not 0 < teacher_weight <= 1:
            raise InputError(f"the teacher's share must be above 0 and up to 1. Received: {teacher_weight}")
        self._feature_set, self._batch_size, self._seed, self._workers = feature_set, batch_size, seed, workers
        self._chains, self._endings, self._history_dropout = chains, endings, history_dropout
        self._symmetries, self._targets = 8 if symmetries else 1, targets or {}
        self._games, self._taught = _PositionPool(table, weights), None if soft is None else _PositionPool(soft)
        weight, taught = (teacher_weight, self._taught.sides) if self._taught else (0.0, {})
        self.sides = {
            side: (1 - weight) * self._games.sides.get(side, 0) + weight * taught.get(side, 0)
            for side in sorted({*self._games.sides, *taught})
        }
        self._counts = {
            side: round(batch_size * weight * taught.get(side, 0) / share) if share else 0
            for side, share in self.sides.items()
        }

    def batch(self, step: int) -> Batch:
        """Return batch number `step` (0 or more): always the same one for the same seed."""
        side, random = self._side(step)
        taught = self._counts[side]
        parts = [(self._games, self._batch_size - taught), (self._taught, taught)]
        return _joined([self._draw(random, pool, side, count) for pool, count in parts if pool and count])

    def side(self, step: int) -> int:
        """Return the board side of a batch."""
        return self._side(step)[0]

    def _side(self, step: int) -> tuple[int, np.random.Generator]:
        """Return the board side of a batch, and the pool that draws its positions."""
        seeds = [self._seed, step, 1] if self._taught else [self._seed, step]
        random = np.random.Generator(np.random.Philox(np.random.SeedSequence(seeds)))
        return list(self.sides)[random.choice(len(self.sides), p=list(self.sides.values()))], random

    def _draw(self, random: np.random.Generator, pool: _PositionPool, side: int, count: int) -> Batch:
        draws = pool.draw(random, side, count, self._endings, self._symmetries)
        batch = replay_batch(pool.table, draws, self._feature_set, self._chains)
        if pool is self._games and self._targets:
            batch = replace(batch, own={name: each(batch, pool.table) for name, each in self._targets.items()})
        return drop_history(batch, self._feature_set, random.random(count) < self._history_dropout)

    def iterate(self, start_step: int = 0) -> Generator[Batch, None, None]:
        """Yield batches `start_step`, `start_step` + 1, ... in order, without end, made ahead in worker threads.

        Closing the generator, or dropping it, ends the threads; an error in a worker is raised here.
        """
        steps = count(start_step)
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="sampler")
        try:
            pending: deque[Future[Batch]] = deque()
            while True:
                while len(pending) < self._workers + _AHEAD:
                    pending.append(pool.submit(self.batch, next(steps)))
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _joined(parts: Sequence[Batch]) -> Batch:
    """Return one batch of batches of the same board side, of which only the last may have a teacher's label."""
    if len(parts) == 1:
        return parts[0]
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name, first in vars(parts[0]).items()
        if isinstance(first, np.ndarray)
    }
    return replace(parts[-1], own=parts[0].own, **arrays)


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
