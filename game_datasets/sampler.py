"""Training batches drawn at random from games and from positions of a teacher, and ordered batches for evaluation.

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
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable, SoftLabels
from game_datasets.position_pool import PositionPool
from game_datasets.rows import OWNERSHIP_SCALE
from goban import coords
from goban.errors import InputError
from planes.feature_sets import FeatureSet, channels, write_own_planes
from planes.position_planes import Output, empty_output
from planes.replayed_planes import (
    Boards,
    Draws,
    GameArrays,
    fill_batch,
)

EVERY: Final = 9  # plies between evaluated positions of a game: an odd number has both colours to move
_AHEAD = 2  # finished batches that may wait, besides those that the workers are at


@dataclass(frozen=True, eq=False)
class SoftTargets:
    """A teacher's labels of S positions of one board side, from the perspective of the side to move.

    ownership: float32 (S, N, N) in [-1, 1], +1 surely the side to move's. policy: float32 (S, N * N + 1), probabilities
    of the next moves, the last being the pass; all 0 where the teacher has none. area: float32 (S,), the expected score
    by area without komi, NaN where it is not known. deviation: float32 (S,), its standard deviation in points.
    win_rate: float32 (S,), the probability that the side to move wins with the komi of the position, NaN where it is
    not known.
    """

    ownership: NDArray[np.float32]
    policy: NDArray[np.float32]
    area: NDArray[np.float32]
    deviation: NDArray[np.float32]
    win_rate: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Batch:
    """Positions of one board side with their targets, from the perspective of the side to move.

    Attributes:
        planes: float32 (B, N, N, C).
        chains: int32 (B, N, N), flat indices in the N * N points of one board; None without chain pooling.
        target: int8 (B, N, N), +1 the side to move owns, -1 the other, 0 neutral or without a target.
        stones: int8 (B, N, N), colours.
        to_move: int8 (B,), the colour that moves next in the record, at its end the one that did not move last.
        ko: int16 (B,), the flat index of the point that it may not take back, -1 for none.
        move: int16 (B,), the flat index played next, N * N for a pass, -1 at the end and from the branch on.
        game: int32 (B,), rows of the table; for positions of a teacher, of that with the labels.
        ply: int16 (B,), moves played before the position.
        labelled: bool (B,), whether there is a target.
        komi: float32 (B,), points that White is given.
        resigned: int8 (B,), 1 where the side to move resigns, 0 where it plays on, -1 where neither is known.
        symmetry: int64 (B,), the symmetry of `goban.coords` by which each position is turned, 0..7.
        own: further targets by name, (G, ...), of the G positions of games, which come first.
        soft: a teacher's labels of the last S positions of the batch, which have no target and no move; None where
            no position is from a teacher.
    """

    planes: NDArray[np.float32]
    chains: NDArray[np.int32] | None
    target: NDArray[np.int8]
    stones: NDArray[np.int8]
    to_move: NDArray[np.int8]
    ko: NDArray[np.int16]
    move: NDArray[np.int16]
    game: NDArray[np.int32]
    ply: NDArray[np.int16]
    labelled: NDArray[np.bool_]
    komi: NDArray[np.float32]
    resigned: NDArray[np.int8]
    symmetry: NDArray[np.int64]
    own: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    soft: SoftTargets | None = None


Target = Callable[[Batch, GameTable], NDArray[np.float32]]


class Positions(NamedTuple):
    """Positions of a table: their games, int32 (P,), and the moves played before them, int16 (P,)."""

    games: NDArray[np.int32]
    plies: NDArray[np.int16]

    def where(self, chosen: NDArray[np.bool_]) -> "Positions":
        """Return the chosen ones, given as bool (P,)."""
        return Positions(self.games[chosen], self.plies[chosen])


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
        self._games, self._taught = PositionPool(table, weights), None if soft is None else PositionPool(soft)
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

    def _draw(self, random: np.random.Generator, pool: PositionPool, side: int, count: int) -> Batch:
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


def replay_batch(table: GameTable, draws: Draws, feature_set: FeatureSet, chains: bool) -> Batch:
    """Return the drawn positions, which must all have the board side of the first, turned by their symmetries."""
    batch, side = len(draws.game), int(table.side[draws.game[0]])
    out, boards = replayed(side, table.replayed, draws, feature_set)
    target, move = out.target.reshape(batch, side, side), out.move
    soft = _soft_targets(table.soft, draws, target, boards.to_move) if table.soft else None
    if soft:
        target, move = np.zeros_like(target), np.full_like(move, -1)
    return Batch(
        planes=out.planes.reshape(batch, side, side, len(feature_set.planes)),
        chains=out.chains.reshape(batch, side, side) if chains else None,
        target=target,
        stones=boards.stones.reshape(batch, side, side),
        to_move=boards.to_move,
        ko=boards.ko,
        move=move,
        game=draws.game.astype(np.int32),
        ply=draws.ply.astype(np.int16),
        labelled=table.labelled[draws.game],
        komi=table.komi[draws.game],
        resigned=_resigned(table, draws, move, boards.to_move),
        symmetry=draws.symmetry,
        soft=soft,
    )


def _soft_targets(
    labels: SoftLabels, draws: Draws, ownership: NDArray[np.int8], to_move: NDArray[np.int8]
) -> SoftTargets:
    """Return the turned labels of drawn positions, given the ownership of the side to move, int8 (B, N, N)."""
    places = coords.destinations(ownership.shape[1])
    policies = np.zeros((len(ownership), places.shape[1]), np.float32)
    for policy, row, k in zip(policies, draws.game, draws.symmetry, strict=True):
        here = slice(labels.policy.offset[row], labels.policy.offset[row + 1])
        policy[places[k, labels.policy_moves.values[here]]] = labels.policy.values[here]
    return SoftTargets(
        ownership=(ownership / np.float32(OWNERSHIP_SCALE)).astype(np.float32),
        policy=policies,
        area=labels.area[draws.game] * to_move.astype(np.float32),
        deviation=labels.deviation[draws.game],
        win_rate=0.5 + (labels.win_rate[draws.game] - 0.5) * to_move.astype(np.float32),
    )


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


def _resigned(table: GameTable, draws: Draws, move: NDArray[np.int16], to_move: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the values of `Batch.resigned`: a player resigns at the end of the record, where it is its turn."""
    moves = table.move_offset[draws.game + 1] - table.move_offset[draws.game]
    resigns = (draws.ply == moves) & (moves > 0) & (table.resigned[draws.game] == to_move)
    found: NDArray[np.int8] = np.where(resigns, 1, np.where(move >= 0, 0, -1)).astype(np.int8)
    return found


def replayed(side: int, games: GameArrays, draws: Draws, feature_set: FeatureSet) -> tuple[Output, Boards]:
    """Return the batch that the kernels make of the drawn positions, which must all have that board side."""
    batch = len(draws.game)
    out = empty_output(batch, side, feature_set)
    boards = Boards(np.empty((batch, side * side), np.int8), np.empty(batch, np.int8), np.empty(batch, np.int16))
    fill_batch(side, games, draws, coords.destinations(side), channels(feature_set), out, boards)
    write_own_planes(feature_set, out.planes, boards.stones.reshape(-1, side, side), boards.to_move, boards.ko)
    return out, boards


def drop_history(batch: Batch, feature_set: FeatureSet, chosen: NDArray[np.bool_] | None = None) -> Batch:
    """Empty the planes of the last moves in the chosen positions of a batch, bool (B,), or in all; return the batch.

    Their stones become older ones, where there is a plane for these; so does the place of one that was captured since.
    """
    rows = slice(None) if chosen is None else chosen
    recent = [number for number, name in enumerate(feature_set.planes) if name.startswith("recent_")]
    if "older" in feature_set.planes:
        older = feature_set.planes.index("older")
        batch.planes[rows, :, :, older] = batch.planes[rows][..., [*recent, older]].max(axis=-1)
    for number in recent:
        batch.planes[rows, :, :, number] = 0
    return batch
