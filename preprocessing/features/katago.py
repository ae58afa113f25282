"""The inputs of KataGo's networks, version 7: 22 planes and 19 numbers for each position.

Planes by channel, "own" being the side to move: 0 the board; 1, 2 own and other stones; 3 to 5 stones of chains with
one, two, three liberties; 6 ko; 9 to 13 the last five moves, newest first; 14 to 16 stones that a ladder captures now,
one and two moves ago; 17 moves that capture in a ladder; 18, 19 own and other area, under area rules. The others belong
to a phase of play that is not used here, and are empty.

Numbers: 0 to 4 whether the last five moves were passes; 5 komi for the side to move / 20; 6, 7 the ko rule; 8 suicide;
9 territory scoring; 10 no points in seki; 14 whether a pass ends the game; 18 the parity of komi and board.
"""

from collections.abc import Sequence
from math import floor
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.coords import WHITE, pass_point
from goban.jit import kernel
from goban.kernels import chain_ids, liberties
from goban.ladders import ladders
from goban.position import Position
from goban.regions import pass_alive, region_owners
from goban.rulesets import Ruleset

PLANES: Final = 22
NUMBERS: Final = 19
_RECENT: Final = 5
_KOMI_UNIT: Final = 20.0
_MOST_KOMI: Final = 60.0  # beyond the points of the board

Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Int64 = npt.NDArray[np.int64]
Float32 = npt.NDArray[np.float32]


class Boards(NamedTuple):
    """B positions: stones int8 (B, 3, N*N), now, one and two moves ago; to_move, ko int64 (B,); recent int16 (B, 5)."""

    stones: Int8
    to_move: Int64
    ko: Int64
    recent: Int16


def katago_planes(
    positions: Sequence[Position], earlier: Sequence[Sequence[Int8]], area_scoring: bool
) -> Float32:
    """Return float32 (B, N, N, 22).

    Args:
        positions: B positions of one board side.
        earlier: for each position the stones, int8 (N, N), one and two moves ago, as far as they are known.
        area_scoring: whether planes 18 and 19 are filled.
    """
    side, points = positions[0].side, positions[0].side ** 2
    stones = np.empty((len(positions), 3, points), np.int8)
    recent = np.full((len(positions), _RECENT), points, np.int16)
    for row, (position, before) in enumerate(zip(positions, earlier, strict=True)):
        known = [position.stones, *before][:3]
        stones[row] = np.stack([known[min(age, len(known) - 1)].ravel() for age in range(3)])
        recent[row, : len(position.recent)] = position.recent
    boards = Boards(
        stones,
        np.array([position.to_move for position in positions], np.int64),
        np.array([position.ko for position in positions], np.int64),
        recent,
    )
    planes = np.zeros((len(positions), points, PLANES), np.float32)
    _fill(side, boards, area_scoring, planes)
    return planes.reshape(len(positions), side, side, PLANES)


@kernel
def _fill(side: int, boards: Boards, area_scoring: bool, planes: Float32) -> None:
    for b in range(len(planes)):
        own = int(boards.to_move[b])
        _write_stones(side, boards.stones[b, 0].copy(), own, planes[b])
        if boards.ko[b] >= 0:
            planes[b, boards.ko[b], 6] = 1
        for age in range(_RECENT):
            if boards.recent[b, age] < side * side:
                planes[b, boards.recent[b, age], 9 + age] = 1
        for age in range(3):
            caught, catching, _ = ladders(side, boards.stones[b, age].copy(), own)
            for point in range(side * side):
                planes[b, point, 14 + age] = caught[point]
                if age == 0 and catching[point]:
                    planes[b, point, 17] = 1
        if area_scoring:
            _write_area(side, boards.stones[b, 0].copy(), own, planes[b])


@kernel
def _write_stones(side: int, stones: Int8, own: int, planes: Float32) -> None:
    counts = liberties(side, stones, chain_ids(side, stones))
    for point in range(side * side):
        planes[point, 0] = 1
        if stones[point] != 0:
            planes[point, 1 if stones[point] == own else 2] = 1
            if counts[point] <= 3:
                planes[point, 2 + counts[point]] = 1


@kernel
def _write_area(side: int, stones: Int8, own: int, planes: Float32) -> None:
    owners, alive = region_owners(side, stones), pass_alive(side, stones)
    for point in range(side * side):
        owner = alive[point] if alive[point] != 0 else owners[point]
        if owner != 0:
            planes[point, 18 if owner == own else 19] = 1


def katago_numbers(position: Position, ruleset: Ruleset, komi: float) -> Float32:
    """Return float32 (19,): what a network reads besides the planes.

    Args:
        position: its last moves tell passes.
        ruleset: positional superko or simple ko, suicide and counting.
        komi: everything that White is given, in points.
    """
    numbers = np.zeros(NUMBERS, np.float32)
    passing = pass_point(position.side)
    numbers[: len(position.recent)] = [point == passing for point in position.recent]
    limit = passing + _MOST_KOMI
    own_komi = max(-limit, min(limit, komi if position.to_move == WHITE else -komi))
    numbers[5] = own_komi / _KOMI_UNIT
    numbers[6:8] = (1, 0.5) if ruleset.superko else (0, 0)
    numbers[8] = ruleset.suicide
    numbers[9:11] = ruleset.counting == "territory"
    numbers[14] = position.recent[:1] == (passing,)
    if ruleset.counting == "area":
        numbers[18] = _parity(own_komi, passing)
    return numbers


def _parity(own_komi: float, points: int) -> float:
    """Return a triangular wave of period 2 in the komi, rising where it can give a draw on a board of that many points."""
    odd = points % 2
    delta = own_komi - (floor((own_komi - odd) / 2) * 2 + odd)
    if delta < 0.5:
        return delta
    return 1 - delta if delta < 1.5 else delta - 2
