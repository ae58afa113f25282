"""Feature planes of positions, each from the perspective of its side to move.

Every plane has a name, see `plane_names`, so that each channel of a set has one and a single plane can be shown.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Float32, Int8, Int16, Int32, Int64
from goban.errors import InputError
from goban.jit import kernel
from goban.position import Position
from planes.feature_sets import FeatureSet, channels, write_own_planes
from planes.plane_kernels import BoardState, write_planes
from planes.plane_names import RANKS, RECENT


class Output(NamedTuple):
    """What the kernels fill: planes float32 (B, N*N, C), target int8 (B, N*N), both zero before; chains int32 (B, N*N);
    move int16 (B,), -1 for none."""

    planes: Float32
    chains: Int32
    target: Int8
    move: Int16


def empty_output(batch: int, side: int, feature_set: FeatureSet) -> Output:
    """Return arrays for the kernels to fill, for `batch` positions of one board side."""
    points = side * side
    return Output(
        np.zeros((batch, points, len(feature_set.planes)), np.float32),
        np.empty((batch, points), np.int32),
        np.zeros((batch, points), np.int8),
        np.full(batch, -1, np.int16),
    )


def planes(positions: Sequence[Position], feature_set: FeatureSet) -> NDArray[np.float32]:
    """Return float32 (B, N, N, C), values 0..1, each position seen by its own side to move.

    positions: at least one, all of one board side; InputError otherwise. The last moves are those of
    `Position.recent`: a position without any has empty planes there.
    """
    return planes_and_chains(positions, feature_set)[0]


def position_chains(positions: Sequence[Position]) -> NDArray[np.int32]:
    """Return int32 (B, N, N): each stone the smallest flat index of its chain, each empty point its own.

    positions: at least one, all of one board side; InputError otherwise.
    """
    return planes_and_chains(positions, FeatureSet("none", ()))[1]


def plane(position: Position, name: str) -> NDArray[np.float32]:
    """Return float32 (N, N), the single plane of that name; raise InputError for an unknown one."""
    return planes([position], FeatureSet(name, (name,)))[0, :, :, 0]


def planes_and_chains(
    positions: Sequence[Position], feature_set: FeatureSet, rank: int = RANKS
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return (planes, chain ids) as `planes` and `position_chains` do, in one pass; rank: of the players, in dan."""
    side = _common_side(positions)
    out = empty_output(len(positions), side, feature_set)
    recent = np.full((len(positions), RECENT), side * side, np.int16)
    for row, position in zip(recent, positions, strict=True):
        row[: len(position.recent)] = position.recent
    stones = np.stack([position.stones for position in positions])
    to_move = np.array([position.to_move for position in positions], np.int64)
    ko = np.array([position.ko for position in positions], np.int64)
    fill_positions(
        side,
        stones.reshape(-1, side * side),
        to_move,
        ko,
        recent,
        rank,
        channels(feature_set),
        out,
    )
    write_own_planes(feature_set, out.planes, stones, to_move.astype(np.int8), ko.astype(np.int16))
    shape = (len(positions), side, side)
    return out.planes.reshape(*shape, len(feature_set.planes)), out.chains.reshape(shape)


def _common_side(positions: Sequence[Position]) -> int:
    sides = sorted({position.side for position in positions})
    if len(sides) != 1:
        raise InputError(f"expected positions of one board side. Received: sides {sides or 'of no position'}")
    return sides[0]


@kernel
def fill_positions(
    side: int, stones: Int8, to_move: Int64, ko: Int64, recent: Int16, rank: int, channels: Int16, out: Output
) -> None:
    """Write planes and chain ids of positions, given as stones int8 (B, N*N), to_move int64 (B,), ko int64 (B,), -1
    for none, recent int16 (B, RECENT) and the rank of all players. Leaves `out.target` and `out.move` alone."""
    for b in range(len(stones)):
        state = BoardState(stones[b], int(to_move[b]), int(ko[b]), recent[b], rank)
        write_planes(side, state, channels, out.planes[b], out.chains[b])
