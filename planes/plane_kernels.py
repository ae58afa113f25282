"""The kernels of feature planes: the only code that computes them, for training and for inference.

`write_planes` writes all planes of a `BoardState` and its chain ids. Kernels trust their arguments; `position_planes`
and the sampler check them in Python.
"""

from typing import NamedTuple

import numpy as np

from goban.array_types import Float32, Int8, Int16, Int32
from goban.chain_kernels import label_into, liberties, neighbour_table
from goban.jit import in_place, inner
from goban.move_effects import move_results
from goban.own_eyes import is_eye
from goban.pass_alive import pass_alive
from goban.reading.ladders import ladders
from goban.regions import region_owners
from planes.plane_names import EXACT, LEAST, PLANE, RANKS, RECENT, STEPS

_FEW = 4  # liberties that are counted after a move, unless a plane shows more
_MANY = 8
_SIX_OR_MORE = EXACT + LEAST.index(6)


class BoardState(NamedTuple):
    """What planes are computed from. stones int8 (N*N,); recent int16 (RECENT,), N*N for a pass or no move; rank of the
    side to move, 1 to RANKS, 0 where it is not known."""

    stones: Int8
    to_move: int
    ko: int
    recent: Int16
    rank: int


@inner
def write_planes(side: int, state: BoardState, channels: Int16, planes: Float32, chains: Int32) -> None:
    """Write the planes that have a channel into planes float32 (N*N, C), all zero before, and ids into chains int32
    (N*N,), as `goban.chain_kernels.label_chains` gives them."""
    label_into(side, state.stones, False, chains)
    _write_stones(side, state.stones, state.to_move, channels, planes, chains)
    _write_constants(state, channels, planes)
    if channels[PLANE.ko] >= 0 and state.ko >= 0:
        planes[state.ko, channels[PLANE.ko]] = 1
    _write_recent(state, channels, planes)
    if channels[PLANE.own_area] >= 0 or channels[PLANE.other_area] >= 0:
        area = region_owners(side, state.stones)
        _mark(area, state.to_move, channels[PLANE.own_area], planes)
        _mark(area, -state.to_move, channels[PLANE.other_area], planes)
    if channels[PLANE.own_pass_alive] >= 0 or channels[PLANE.other_pass_alive] >= 0:
        alive = pass_alive(side, state.stones)
        _mark(alive, state.to_move, channels[PLANE.own_pass_alive], planes)
        _mark(alive, -state.to_move, channels[PLANE.other_pass_alive], planes)
    _write_moves(side, state.stones, state.to_move, state.ko, channels, planes, chains)
    if _has_channel(channels, PLANE.own_ladder, PLANE.ladder_escape + 1):
        _write_ladders(side, state, channels, planes)


@inner
def _write_constants(state: BoardState, channels: Int16, planes: Float32) -> None:
    """Write the planes that are the same at every point."""
    _mark_everywhere(planes, channels[PLANE.ones], 1.0)
    _mark_everywhere(planes, channels[PLANE.empty_fraction], np.sum(state.stones == 0) / len(state.stones))
    _mark_everywhere(planes, channels[PLANE.black_to_move], 1.0 if state.to_move > 0 else 0.0)
    if 1 <= state.rank <= RANKS:
        _mark_everywhere(planes, channels[PLANE.rank_1 + state.rank - 1], 1.0)


@inner
def _write_recent(state: BoardState, channels: Int16, planes: Float32) -> None:
    """Mark the last moves, and the stones that are older."""
    points = len(state.stones)
    if channels[PLANE.older] >= 0:
        for point in range(points):
            planes[point, channels[PLANE.older]] = state.stones[point] != 0
    for k in range(RECENT):
        point = state.recent[k]
        if point < points:
            if channels[PLANE.recent_1 + k] >= 0:
                planes[point, channels[PLANE.recent_1 + k]] = 1
            if channels[PLANE.older] >= 0:
                planes[point, channels[PLANE.older]] = 0


@inner
def _write_ladders(side: int, state: BoardState, channels: Int16, planes: Float32) -> None:
    """Mark the stones that a ladder catches, and the moves of the side to move by which a ladder works or fails."""
    caught, catching, saving = ladders(side, state.stones, state.to_move, False, -1)
    prey = caught * state.stones
    _mark(prey, state.to_move, channels[PLANE.own_ladder], planes)
    _mark(prey, -state.to_move, channels[PLANE.other_ladder], planes)
    if state.ko >= 0:
        catching[state.ko] = saving[state.ko] = False
    _mark(catching.view(np.int8), 1, channels[PLANE.ladder_capture], planes)
    _mark(saving.view(np.int8), 1, channels[PLANE.ladder_escape], planes)


@inner
def _write_stones(side: int, stones: Int8, to_move: int, channels: Int16, planes: Float32, chains: Int32) -> None:
    """Mark each point in the planes of its contents, and each stone in those of its chain's liberties.

    Args as for `write_planes`, whose state is `stones` and `to_move`.
    """
    _mark(stones, 1, channels[PLANE.black], planes)
    _mark(stones, -1, channels[PLANE.white], planes)
    _mark(stones, to_move, channels[PLANE.own], planes)
    _mark(stones, -to_move, channels[PLANE.other], planes)
    _mark(stones, 0, channels[PLANE.empty], planes)
    if channels[PLANE.signed_stones] >= 0:
        for point in range(side * side):
            planes[point, channels[PLANE.signed_stones]] = stones[point] * to_move
    either = channels[PLANE.liberties_1 : PLANE.liberties_1 + STEPS]
    if not _has_channel(channels, PLANE.own_1_liberty, PLANE.other_1_liberty + 5) and not _has_channel(
        either, 0, STEPS
    ):
        return
    counts = liberties(side, stones, chains)
    for point in range(side * side):
        if stones[point] != 0:
            first = PLANE.own_1_liberty if stones[point] == to_move else PLANE.other_1_liberty
            _write_liberties(planes, point, channels, first, counts[point])
            _mark_count(planes, point, either, counts[point])


@inner
def _write_liberties(planes: Float32, point: int, channels: Int16, first: int, count: int) -> None:
    """Mark a stone in the five planes of its player, which begin with plane `first`."""
    if count <= 3:
        _mark_point(planes, point, channels[first + count - 1])
    if count >= 3:
        _mark_point(planes, point, channels[first + 3])
    if count >= 4:
        _mark_point(planes, point, channels[first + 4])


@inner
def _write_moves(
    side: int, stones: Int8, to_move: int, ko: int, channels: Int16, planes: Float32, chains: Int32
) -> None:
    """Mark each empty point in the planes of what a move there does.

    Args as for `write_planes`, whose state is `stones`, `to_move` and `ko`.
    """
    if not _has_channel(channels, PLANE.legal, PLANE.self_atari_1 + STEPS):
        return
    after = channels[PLANE.after_1_liberty : PLANE.after_1_liberty + STEPS]
    many = _has_channel(after, _FEW - 1, EXACT) or _has_channel(after, _SIX_OR_MORE, STEPS)
    neighbours = neighbour_table(side)
    captured, left, size = move_results(side, stones, chains, to_move, ko, _MANY if many else _FEW)
    for point in range(side * side):
        if stones[point] != 0:
            continue
        if left[point] == 0:
            _mark_point(planes, point, channels[PLANE.illegal])
            continue
        _mark_point(planes, point, channels[PLANE.legal])
        _mark_count(planes, point, after, left[point])
        if captured[point] > 0:
            _mark_count(planes, point, channels[PLANE.captures_1 : PLANE.captures_1 + STEPS], captured[point])
        if left[point] == 1:
            _mark_count(planes, point, channels[PLANE.self_atari_1 : PLANE.self_atari_1 + STEPS], size[point])
        if channels[PLANE.sensible] >= 0 and not is_eye(side, stones, neighbours, to_move, point):
            planes[point, channels[PLANE.sensible]] = 1


@in_place
def _has_channel(channels: Int16, first: int, end: int) -> bool:
    """Return whether one of the planes from `first` to before `end` has a channel."""
    found = False
    for plane in range(first, end):
        found = found or channels[plane] >= 0
    return found


@in_place
def _mark(values: Int8, value: int, channel: int, planes: Float32) -> None:
    """Mark the points that have a value; does nothing without a channel."""
    if channel >= 0:
        for point in range(len(values)):
            if values[point] == value:
                planes[point, channel] = 1


@in_place
def _mark_point(planes: Float32, point: int, channel: int) -> None:
    """Mark one point; does nothing without a channel."""
    if channel >= 0:
        planes[point, channel] = 1


@in_place
def _mark_everywhere(planes: Float32, channel: int, value: float) -> None:
    """Give all points a value; does nothing without a channel."""
    if channel >= 0:
        planes[:, channel] = value


@in_place
def _mark_count(planes: Float32, point: int, channels: Int16, count: int) -> None:
    """Mark one point in the planes of a count of at least 1; channels int16 (STEPS,), those of what is counted."""
    if count <= EXACT:
        _mark_point(planes, point, int(channels[count - 1]))
    for k in range(len(LEAST)):
        if count >= LEAST[k]:
            _mark_point(planes, point, int(channels[EXACT + k]))
