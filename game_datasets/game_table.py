"""The games of datasets, and the positions of soft ones, as flat arrays, which sampler and evaluation use.

The arrays of a table that was read from files are mapped files themselves, as are those that it makes of them: a table
may be larger than memory.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.arrow_to_numpy import Lists
from game_datasets.rows import decode_points, decoded_game
from game_records.result_property import parse_result
from goban.move_notation import Move, named_moves
from goban.position import Position
from planes.plane_names import RANKS
from planes.replayed_planes import GameArrays
from runtime.mapped_arrays import made_in_parts, parts_of

if TYPE_CHECKING:
    import pandas as pd  # slow to import, and part of an extra

_BEGINNING: Final = 16  # moves by which labelled positions of one game are known
_HELD_OUT: Final = 64


class SoftLabels(NamedTuple):
    """A teacher's labels of P positions, besides the ownership.

    Attributes:
        area: float32 (P,), the expected score by area, Black minus White without komi; NaN where the teacher does not
            predict both the score and its deviation, or assumed territory rules.
        deviation: float32 (P,), the standard deviation of the final score in points.
        win_rate: float32 (P,), the probability that Black wins with the komi of the position; NaN where unknown.
        policy_moves: lists of int16, points in the teacher's policy.
        policy: lists of float32, their probabilities, which sum to 1; an empty list where there is no policy.
    """

    area: NDArray[np.float32]
    deviation: NDArray[np.float32]
    win_rate: NDArray[np.float32]
    policy_moves: Lists
    policy: Lists


@dataclass(frozen=True, eq=False)
class GameTable:
    """Games of a dataset as flat arrays, ready for kernels: G games, M moves, S set-up stones in all.

    A position that a teacher labelled is the game that leads to it, and a pass of the side to move, which is not shown.
    A table has games or such positions.

    Attributes:
        ids: G strings; of labelled positions where these come from.
        opening: uint64 (G,), the hashes of the first stones; 0 for labelled positions.
        side: int16 (G,), of the board.
        komi: float32 (G,), points.
        score: float32 (G,), points, Black minus White with komi; NaN without a target, and for labelled positions.
        move_codes: int16 (M,), codes 2 * point + (1 if White), those of game g at move_offset[g]:move_offset[g + 1]. A
            counted game ends with two passes, also where the record leaves them out.
        move_offset: int64 (G + 1,).
        branch: int16 (G,), the number of moves after which the target holds and moves teach nothing; -1 for a game as
            it was played.
        setup: int16 (S,), codes as in `move_codes`.
        setup_offset: int64 (G + 1,).
        target: int8, owners row by row; a game without a target has none. Of labelled positions the ownership,
            -127..127.
        target_offset: int64 (G + 1,).
        ranks: int8 (G, 2), of Black and of White in dan, professionals counting as 9 dan and kyu as 1 dan; 0 where they
            are not known.
        resigned: int8 (G,), the colour that resigned; 0 where none did.
        dataset: int16 (G,), which of the datasets each game comes from, from 0.
        soft: a teacher's labels, for labelled positions; None for games.
    """

    ids: Sequence[str]
    opening: NDArray[np.uint64]
    side: NDArray[np.int16]
    komi: NDArray[np.float32]
    score: NDArray[np.float32]
    move_codes: NDArray[np.int16]
    move_offset: NDArray[np.int64]
    branch: NDArray[np.int16]
    setup: NDArray[np.int16]
    setup_offset: NDArray[np.int64]
    target: NDArray[np.int8]
    target_offset: NDArray[np.int64]
    ranks: NDArray[np.int8]
    resigned: NDArray[np.int8]
    dataset: NDArray[np.int16]
    soft: SoftLabels | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of moves of each game, int64 (G,)."""
        return self._made(lambda part: np.diff(self.move_offset[part.start : part.stop + 1]))

    @cached_property
    def replayed(self) -> GameArrays:
        """What kernels replay. Players whose rank is not known are 9 dan, as in positions without a record."""
        arrays = {name: getattr(self, name) for name in GameArrays._fields}
        ranks = self._made(lambda part: np.where(self.ranks[part], self.ranks[part], np.int8(RANKS)))
        return GameArrays(**arrays | {"ranks": ranks})

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """Which games have a target of their record, bool (G,)."""
        return self._made(lambda part: (np.diff(self.target_offset[part.start : part.stop + 1]) > 0) & (not self.soft))

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first ply of each game that may be shown, int64 (G,)."""
        if self.soft:
            return self.last
        return self._made(lambda part: np.maximum(self.branch[part], 0).astype(np.int64))

    @cached_property
    def last(self) -> NDArray[np.int64]:
        """The last ply of each game that may be shown, int64 (G,)."""
        return self._made(lambda part: self.lengths[part] - 1) if self.soft else self.lengths

    @cached_property
    def ended(self) -> NDArray[np.bool_]:
        """Which games end with two passes, bool (G,)."""

        def of_part(part: slice) -> NDArray[np.bool_]:
            offset = self.move_offset[part.start : part.stop + 1]
            ended: NDArray[np.bool_] = passes_at_end(self.move_codes, offset, self.side[part]) == 2
            return ended

        return self._made(of_part)

    @cached_property
    def held_out(self) -> NDArray[np.bool_]:
        """Labelled positions that no training learns from, bool (G,): of one in 64 games, known by 16 moves."""
        return self._made(lambda part: np.array([self._is_held_out(row) for row in _rows(part)], np.bool_))

    def _is_held_out(self, row: int) -> bool:
        if self.soft is None or self.last[row] < _BEGINNING:
            return False
        beginning = self.move_codes[self.move_offset[row] :][:_BEGINNING].tobytes()
        return hashlib.blake2b(beginning, digest_size=1).digest()[0] % _HELD_OUT == 0

    def _made(self, values: Callable[[slice], NDArray[Any]]) -> NDArray[Any]:
        """Return an array with a value for each game."""
        return made_in_parts(len(self), values)

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that name games, targets and all else that is learned from."""
        digest = hashlib.blake2b(digest_size=8)
        if self.soft:
            learned = [*self.replayed, *self.soft[:2], *self.soft.policy_moves, *self.soft.policy]
        else:
            named = [field.name for field in fields(self) if field.name not in ("ids", "opening", "soft")]
            learned = [getattr(self, name) for name in named]
            for part in parts_of(len(self)):
                digest.update(("\n" * (part.start > 0) + "\n".join(self.ids[part])).encode())
        for array in learned:
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    @cached_property
    def records(self) -> NDArray[np.int64]:
        """The game, as a row, that each row comes from, int64 (G,): the row itself, but for boards of one game.

        A row whose target holds after its last move alone is a board, and rows that begin with its moves go on from it.
        """
        keys = [self._key(row) for row in range(len(self))]
        is_board = self.branch == self.lengths
        found, board = np.arange(len(self)), -1
        for row in sorted(range(len(self)), key=keys.__getitem__):
            if board >= 0 and keys[row].startswith(keys[board]):
                found[row] = board
            elif is_board[row]:
                board = row
        return found

    def _key(self, game: int) -> bytes:
        """Return side, set-up and moves as bytes; the bytes of each game that goes on from this one begin with them."""
        setup, moves = self._codes(game)
        return np.concatenate([[self.side[game]], setup, [-1], moves]).astype(np.int16).tobytes()

    def _codes(self, game: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        setup = self.setup[self.setup_offset[game] : self.setup_offset[game + 1]]
        return setup, self.move_codes[self.move_offset[game] : self.move_offset[game + 1]]

    def some(self, games: NDArray[np.integer[Any]]) -> "GameTable":
        """Return a table of some games, in memory; without the labels of a teacher."""
        listed: dict[str, NDArray[Any]] = {}
        for name, offset in (("move_codes", "move_offset"), ("setup", "setup_offset"), ("target", "target_offset")):
            values, starts = getattr(self, name), getattr(self, offset)
            parts = [values[starts[game] : starts[game + 1]] for game in games.tolist()]
            listed |= {name: np.concatenate(parts), offset: np.append(0, np.cumsum([len(part) for part in parts]))}
        others = [field.name for field in fields(self) if field.name not in ("ids", "soft", *listed)]
        ids = [self.ids[game] for game in games.tolist()]
        return GameTable(**listed | {name: getattr(self, name)[games] for name in others}, ids=ids)

    def position(self, game: int, ply: int) -> Position:
        """Return a game's position after `ply` moves (0..M); raise IndexError for another number.

        The kernels of `planes` replay games themselves: they make batches without Python objects.
        """
        record = decoded_game(
            *self._codes(game),
            side=int(self.side[game]),
            source=self.ids[game],
            komi=float(self.komi[game]),
            handicap=0,
            rules="",
            result=parse_result(""),
        )
        return record.position(ply)

    def to_pandas(self) -> "pd.DataFrame":
        """Return a DataFrame with a row for each game, in their order.

        Columns: `id`, `side`, `komi`, `score` (Black's points minus White's, counted), `moves` as a `GameRecord` has
        them, and their number `length`, `branch`, `black_dan`, `white_dan` and `resigned` as in the attributes, and
        `dataset`.
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "id": self.ids[:],
                "side": self.side,
                "komi": self.komi,
                "score": self.score,
                "length": self.lengths,
                "moves": [self._moves(game) for game in range(len(self))],
                "branch": self.branch,
                "black_dan": self.ranks[:, 0],
                "white_dan": self.ranks[:, 1],
                "resigned": self.resigned,
                "dataset": self.dataset,
            }
        )

    def _moves(self, game: int) -> tuple[Move, ...]:
        points, colours = decode_points(self._codes(game)[1])
        return named_moves(zip(colours.tolist(), points.tolist(), strict=True), int(self.side[game]))

    def target_of(self, game: int) -> NDArray[np.int8]:
        """Return the owners, int8 (N, N), of a game that has a target."""
        side = int(self.side[game])
        return self.target[self.target_offset[game] : self.target_offset[game + 1]].reshape(side, side)


def _rows(part: slice) -> range:
    return range(part.start, part.stop)


def passes_at_end(moves: NDArray[np.int16], offset: NDArray[np.int64], side: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return int64 (G,): how many passes, up to two, end each game; arguments as in a GameTable."""
    found = np.zeros(len(side), np.int64)
    for place in (1, 2):
        there = (np.diff(offset) >= place) & (found == place - 1)
        code = moves[offset[1:][there] - place] >> 1
        found[np.flatnonzero(there)[code == side[there].astype(np.int64) ** 2]] += 1
    return found
