"""The positions of soft datasets as flat arrays in memory, which the sampler draws from."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.rulesets import RULESETS
from preprocessing.dataset.columns import Lists, bytes_of, lists, numbers, valid
from preprocessing.dataset.rows import DatasetError
from preprocessing.dataset.shards import Datasets, listed
from preprocessing.dataset.soft_rows import read_soft, soft_files
from preprocessing.features.kernels import Games
from preprocessing.features.names import RANKS

_BEGINNING: Final = 16  # moves by which positions of one game are known
_HELD_OUT: Final = 64

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SoftTable:
    """Positions with a teacher's labels as flat arrays. P positions.

    Attributes:
        side: int16 (P,).
        games: what the kernels replay: the moves that led to each position, and a last one whose colour is the side
            to move. The targets are the ownership, -127..127, from Black's point of view.
        area: float32 (P,), the expected score by area, Black minus White without komi; NaN where the teacher does not
            predict both the score and its deviation, or assumed territory rules.
        deviation: float32 (P,), the standard deviation of the final score in points.
        policy_moves: lists of int16, points in the teacher's policy.
        policy: lists of float32, their probabilities, which sum to 1; an empty list where there is no policy.
    """

    side: NDArray[np.int16]
    games: Games
    area: Floats
    deviation: Floats
    policy_moves: Lists
    policy: Lists

    def __len__(self) -> int:
        return len(self.side)

    @property
    def plies(self) -> NDArray[np.int64]:
        """Moves before each position, int64 (P,)."""
        return np.diff(self.games.move_offset) - 1

    @cached_property
    def held_out(self) -> NDArray[np.bool_]:
        """Which positions no training learns from, bool (P,): those of one in 64 games, known by their first moves."""
        chosen = np.zeros(len(self), np.bool_)
        for row, (first, end) in enumerate(pairwise(self.games.move_offset.tolist())):
            if end - first > _BEGINNING:
                beginning = self.games.moves[first : first + _BEGINNING].tobytes()
                chosen[row] = hashlib.blake2b(beginning, digest_size=1).digest()[0] % _HELD_OUT == 0
        return chosen

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that name positions and labels."""
        digest = hashlib.blake2b(digest_size=8)
        for array in (*self.games, self.area, self.deviation, *self.policy_moves, *self.policy):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def load_soft(places: Datasets, side: int | None = None) -> SoftTable:
    """Return the positions of one or more soft datasets, folders, URLs or files, on one board side or any.

    A position that occurs several times counts once, with its last label.

    Raises:
        DatasetError: one is missing or damaged, or there is no position.
    """
    import pyarrow as pa

    tables = list(_tables(places, side))
    _check_found(tables, places, side)
    rows = pa.concat_tables(tables)
    return _soft_table(rows.take(_last_of_each(rows)))


def check_soft(places: Datasets, side: int | None = None) -> None:
    """Raise what `load_soft` raises where it finds no position; it reads no file after the first that has one."""
    _check_found(_tables(places, side), places, side)


def _check_found(tables: Iterable[Any], places: Datasets, side: int | None) -> None:
    if not any(table.num_rows for table in tables):
        kind = f" on {side}x{side}, the only side of this network" if side else ""
        raise DatasetError(f"{', '.join(map(str, listed(places)))}: expected labelled positions{kind}, found none")


def _tables(places: Datasets, side: int | None) -> Iterator[Any]:
    import pyarrow.compute as pc

    for folder, name in [found for place in listed(places) for found in soft_files(place)]:
        table = read_soft(folder, name)
        yield table if side is None else table.filter(pc.equal(table["side"], side))


def _last_of_each(rows: Any) -> NDArray[np.int64]:
    """Return the numbers of the rows, int64 (P,), rising, whose position no later row has."""
    setup, moves = lists(rows, "setup"), lists(rows, "moves")
    turns = zip(numbers(rows, "side").tolist(), numbers(rows, "to_move").tolist(), strict=True)
    last = {
        (turn, setup.values[a:b].tobytes(), moves.values[c:d].tobytes()): number
        for number, (turn, (a, b), (c, d)) in enumerate(
            zip(turns, pairwise(setup.offset.tolist()), pairwise(moves.offset.tolist()), strict=True)
        )
    }
    return np.array(sorted(last.values()), np.int64)


def _soft_table(rows: Any) -> SoftTable:
    side = numbers(rows, "side").astype(np.int16)
    setup, target = lists(rows, "setup"), bytes_of(rows, "ownership")
    moves, move_offset = _with_turn(lists(rows, "moves"), side, numbers(rows, "to_move"))
    by_area = np.isin(rows["rules"].to_pylist(), [name for name, each in RULESETS.items() if each.counting == "area"])
    scored = valid(rows, "lead") & valid(rows, "deviation") & by_area
    area = np.where(scored, numbers(rows, "lead") + numbers(rows, "komi"), np.nan)
    branch, ranks = np.full(len(side), -1, np.int16), np.full((len(side), 2), RANKS, np.int8)
    return SoftTable(
        side=side,
        games=Games(moves, move_offset, branch, setup.values, setup.offset, target.values, target.offset, ranks),
        area=area.astype(np.float32),
        deviation=numbers(rows, "deviation").astype(np.float32),
        policy_moves=lists(rows, "policy_moves"),
        policy=_normalised(lists(rows, "policy")),
    )


def _with_turn(moves: Lists, side: Any, to_move: Any) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return moves and where each position's begin, each with a pass of the side to move at its end."""
    passes = (2 * side.astype(np.int64) ** 2 + (to_move < 0)).astype(np.int16)
    codes = np.insert(moves.values.astype(np.int16), moves.offset[1:], passes)
    return codes, moves.offset + np.arange(len(moves.offset))


def _normalised(policy: Lists) -> Lists:
    """Return probabilities that sum to 1 in each row that has any."""
    rows = np.repeat(np.arange(len(policy.lengths)), policy.lengths)
    sums = np.bincount(rows, weights=policy.values, minlength=len(policy.lengths))
    return Lists((policy.values / sums[rows]).astype(np.float32), policy.offset)
