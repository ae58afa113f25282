"""Training batches drawn at random from a table of games, and ordered batches for evaluation.

A batch is a pure function of (seed, step), so training resumes exactly, whatever the number of worker threads.
Every batch holds one board side. The side is drawn with probability proportional to the square root of its positions,
so that a network learns rare sides too, then each game uniformly among the games of that side, then the ply uniformly
in 0..moves of that game, or from its branch to its end, then one of the 8 symmetries uniformly. Long games therefore
count as much as short ones.
One position in eight is the end instead, if both players passed there: that is where people score.
"""

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from goban import symmetry
from goban.errors import InputError
from preprocessing.dataset.table import GameTable, passes_at_end
from preprocessing.features.kernels import Draws, Games, fill_batch
from preprocessing.features.planes import FeatureSet, channels, empty_output

_ENDINGS = 1 / 8
_AHEAD = 2  # finished batches that may wait, besides those that the workers are at


@dataclass(frozen=True, eq=False)
class Batch:
    """Positions of one board side with their targets, from the perspective of the side to move.

    planes: float32 (B, N, N, C). chains: int32 (B, N, N), flat indices in the N * N points of one board, or
    None unless asked for. target: int8 (B, N, N), +1 the side to move owns, -1 the other, 0 neutral, or everywhere
    where the game has no target. move: int16 (B,), the flat index played next, N * N for a pass, -1 at the end of the
    game and from its branch on. game: int32 (B,), rows of the table. ply: int16 (B,), moves played before the position.
    labelled: bool (B,), whether there is a target.
    """

    planes: NDArray[np.float32]
    chains: NDArray[np.int32] | None
    target: NDArray[np.int8]
    move: NDArray[np.int16]
    game: NDArray[np.int32]
    ply: NDArray[np.int16]
    labelled: NDArray[np.bool_]


class Sampler:
    """Draws batches of random positions from a table of games.

    table: the games; at least one. batch_size: positions in a batch. seed: of all draws, 0 or more.
    workers: threads of `iterate`, which never change what is drawn. chains: also make chain ids. forget: the share of
    positions whose planes leave out the last moves, as if they had been set up.
    Raises InputError for an empty table. It does not shuffle through the table: games are drawn with replacement.
    """

    def __init__(
        self,
        table: GameTable,
        feature_set: FeatureSet,
        batch_size: int,
        seed: int,
        *,
        workers: int = 2,
        chains: bool = False,
        forget: float = 0.0,
    ) -> None:
        if len(table.side) == 0:
            raise InputError("expected a table with at least one game. Received: no game; choose another dataset")
        self._table = table
        self._feature_set = feature_set
        self._batch_size = batch_size
        self._seed = seed
        self._workers = workers
        self._chains = chains
        self._forget = forget
        self._moves, self._first = np.diff(table.move_offset), table.first
        self._ended = passes_at_end(table.moves, table.move_offset, table.side) == 2
        sides = np.unique(table.side)
        self._games = [np.flatnonzero(table.side == side) for side in sides]
        positions = np.array([np.sum((self._moves - self._first)[games] + 1) for games in self._games], np.float64)
        self._weights = np.sqrt(positions) / np.sqrt(positions).sum()

    def batch(self, step: int) -> Batch:
        """Return batch number `step` (0 or more): always the same one for the same seed."""
        random = np.random.Generator(np.random.Philox(np.random.SeedSequence([self._seed, step])))
        candidates = self._games[random.choice(len(self._games), p=self._weights)]
        games = random.choice(candidates, self._batch_size)
        plies = random.integers(self._first[games], self._moves[games], endpoint=True)
        endings = self._ended[games] & (random.random(self._batch_size) < _ENDINGS)
        plies = np.where(endings, self._moves[games], plies)
        symmetries = random.integers(0, 8, self._batch_size)
        batch = replay_batch(self._table, Draws(games, plies, symmetries), self._feature_set, self._chains)
        return forget_moves(batch, self._feature_set, random.random(self._batch_size) < self._forget)

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


def evaluation_positions(table: GameTable, every: int = 10) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    """Return (games int32, plies int16): every so many plies of each game, from 0 or its branch to its end."""
    moves = np.diff(table.move_offset)
    plies = [np.arange(first, last + 1, every, dtype=np.int16) for first, last in zip(table.first, moves, strict=True)]
    games = np.repeat(np.arange(len(moves), dtype=np.int32), [len(each) for each in plies])
    return games, np.concatenate([np.empty(0, np.int16), *plies])


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

    games, plies: integers (P,), rows of the table and plies in 0..moves. batch_size: the most positions in a
    batch; a batch is shorter where the board side changes and at the end.
    """
    changes = np.flatnonzero(np.diff(table.side[games])) + 1
    for run in np.split(np.arange(len(games)), changes):
        for start in range(0, len(run), batch_size):
            rows = run[start : start + batch_size]
            draws = Draws(games[rows].astype(np.int64), plies[rows].astype(np.int64), np.zeros(len(rows), np.int64))
            yield replay_batch(table, draws, feature_set, chains)


def replay_batch(table: GameTable, draws: Draws, feature_set: FeatureSet, chains: bool) -> Batch:
    """Return the drawn positions, which must all have the board side of the first, turned by their symmetries."""
    batch, side = len(draws.game), int(table.side[draws.game[0]])
    out = empty_output(batch, side, feature_set)
    games = Games(**{name: getattr(table, name) for name in Games._fields})
    fill_batch(side, games, draws, symmetry.destinations(side), channels(feature_set), out)
    return Batch(
        out.planes.reshape(batch, side, side, len(feature_set.planes)),
        out.chains.reshape(batch, side, side) if chains else None,
        out.target.reshape(batch, side, side),
        out.move,
        draws.game.astype(np.int32),
        draws.ply.astype(np.int16),
        table.labelled[draws.game],
    )


def forget_moves(batch: Batch, feature_set: FeatureSet, chosen: NDArray[np.bool_] | None = None) -> Batch:
    """Empty the planes of the last moves in the chosen positions of a batch, bool (B,), or in all; return the batch."""
    for number, name in enumerate(feature_set.planes):
        if name.startswith("recent_"):
            batch.planes[slice(None) if chosen is None else chosen, :, :, number] = 0
    return batch
