"""The kernels of feature planes: the only code that computes them, for training and for inference.

`write_planes` writes all planes of a `BoardState` and its chain ids. Kernels trust their arguments; `position_planes`
and the sampler check them in Python.
"""

from typing import NamedTuple

import numpy as np

from goban.array_types import Float32, Int8, Int16, Int32
from goban.chain_kernels import label_into, liberties, neighbour_table
from goban.jit import in_place, inner
from goban.reading.ladders import ladders
from goban.regions import pass_alive, region_owners
from goban.tactics import is_eye, move_results
from planes.plane_names import EXACT, LEAST, PLACES, RANKS, RECENT, STEPS

_OWN_LIBERTIES = PLACES["own_1_liberty"]
_OTHER_LIBERTIES = PLACES["other_1_liberty"]
_KO = PLACES["ko"]
_ONES = PLACES["ones"]
_EMPTY_FRACTION = PLACES["empty_fraction"]
_BLACK_TO_MOVE = PLACES["black_to_move"]
_RANK = PLACES["rank_1"]
_BLACK = PLACES["black"]
_WHITE = PLACES["white"]
_OWN = PLACES["own"]
_OTHER = PLACES["other"]
_EMPTY = PLACES["empty"]
_SIGNED = PLACES["signed_stones"]
_LIBERTIES = PLACES["liberties_1"]
_RECENT = PLACES["recent_1"]
_OLDER = PLACES["older"]
_OWN_AREA = PLACES["own_area"]
_OTHER_AREA = PLACES["other_area"]
_OWN_PASS_ALIVE = PLACES["own_pass_alive"]
_OTHER_PASS_ALIVE = PLACES["other_pass_alive"]
_LEGAL = PLACES["legal"]
_ILLEGAL = PLACES["illegal"]
_SENSIBLE = PLACES["sensible"]
_CAPTURES = PLACES["captures_1"]
_AFTER = PLACES["after_1_liberty"]
_SELF_ATARI = PLACES["self_atari_1"]
_OWN_LADDER = PLACES["own_ladder"]
_OTHER_LADDER = PLACES["other_ladder"]
_LADDER_CAPTURE = PLACES["ladder_capture"]
_LADDER_ESCAPE = PLACES["ladder_escape"]

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
    if channels[_KO] >= 0 and state.ko >= 0:
        planes[state.ko, channels[_KO]] = 1
    _write_recent(state, channels, planes)
    if channels[_OWN_AREA] >= 0 or channels[_OTHER_AREA] >= 0:
        area = region_owners(side, state.stones)
        _mark(area, state.to_move, channels[_OWN_AREA], planes)
        _mark(area, -state.to_move, channels[_OTHER_AREA], planes)
    if channels[_OWN_PASS_ALIVE] >= 0 or channels[_OTHER_PASS_ALIVE] >= 0:
        alive = pass_alive(side, state.stones)
        _mark(alive, state.to_move, channels[_OWN_PASS_ALIVE], planes)
        _mark(alive, -state.to_move, channels[_OTHER_PASS_ALIVE], planes)
    _write_moves(side, state.stones, state.to_move, state.ko, channels, planes, chains)
    if _has_channel(channels, _OWN_LADDER, _LADDER_ESCAPE + 1):
        _write_ladders(side, state, channels, planes)


@inner
def _write_constants(state: BoardState, channels: Int16, planes: Float32) -> None:
    """Write the planes that are the same at every point."""
    _mark_everywhere(planes, channels[_ONES], 1.0)
    _mark_everywhere(planes, channels[_EMPTY_FRACTION], np.sum(state.stones == 0) / len(state.stones))
    _mark_everywhere(planes, channels[_BLACK_TO_MOVE], 1.0 if state.to_move > 0 else 0.0)
    if 1 <= state.rank <= RANKS:
        _mark_everywhere(planes, channels[_RANK + state.rank - 1], 1.0)


@inner
def _write_recent(state: BoardState, channels: Int16, planes: Float32) -> None:
    """Mark the last moves, and the stones that are older."""
    points = len(state.stones)
    if channels[_OLDER] >= 0:
        for point in range(points):
            planes[point, channels[_OLDER]] = state.stones[point] != 0
    for k in range(RECENT):
        point = state.recent[k]
        if point < points:
            if channels[_RECENT + k] >= 0:
                planes[point, channels[_RECENT + k]] = 1
            if channels[_OLDER] >= 0:
                planes[point, channels[_OLDER]] = 0


@inner
def _write_ladders(side: int, state: BoardState, channels: Int16, planes: Float32) -> None:
    """Mark the stones that a ladder catches, and the moves of the side to move by which a ladder works or fails."""
    caught, catching, saving = ladders(side, state.stones, state.to_move, False, -1)
    prey = caught * state.stones
    _mark(prey, state.to_move, channels[_OWN_LADDER], planes)
    _mark(prey, -state.to_move, channels[_OTHER_LADDER], planes)
    if state.ko >= 0:
        catching[state.ko] = saving[state.ko] = False
    _mark(catching.view(np.int8), 1, channels[_LADDER_CAPTURE], planes)
    _mark(saving.view(np.int8), 1, channels[_LADDER_ESCAPE], planes)


@inner
def _write_stones(side: int, stones: Int8, to_move: int, channels: Int16, planes: Float32, chains: Int32) -> None:
    """Mark each point in the planes of its contents, and each stone in those of its chain's liberties.

    Args as for `write_planes`, whose state is `stones` and `to_move`.
    """
    _mark(stones, 1, channels[_BLACK], planes)
    _mark(stones, -1, channels[_WHITE], planes)
    _mark(stones, to_move, channels[_OWN], planes)
    _mark(stones, -to_move, channels[_OTHER], planes)
    _mark(stones, 0, channels[_EMPTY], planes)
    if channels[_SIGNED] >= 0:
        for point in range(side * side):
            planes[point, channels[_SIGNED]] = stones[point] * to_move
    either = channels[_LIBERTIES : _LIBERTIES + STEPS]
    if not _has_channel(channels, _OWN_LIBERTIES, _OTHER_LIBERTIES + 5) and not _has_channel(either, 0, STEPS):
        return
    counts = liberties(side, stones, chains)
    for point in range(side * side):
        if stones[point] != 0:
            first = _OWN_LIBERTIES if stones[point] == to_move else _OTHER_LIBERTIES
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
    if not _has_channel(channels, _LEGAL, _SELF_ATARI + STEPS):
        return
    after = channels[_AFTER : _AFTER + STEPS]
    many = _has_channel(after, _FEW - 1, EXACT) or _has_channel(after, _SIX_OR_MORE, STEPS)
    neighbours = neighbour_table(side)
    captured, left, size = move_results(side, stones, chains, to_move, ko, _MANY if many else _FEW)
    for point in range(side * side):
        if stones[point] != 0:
            continue
        if left[point] == 0:
            _mark_point(planes, point, channels[_ILLEGAL])
            continue
        _mark_point(planes, point, channels[_LEGAL])
        _mark_count(planes, point, after, left[point])
        if captured[point] > 0:
            _mark_count(planes, point, channels[_CAPTURES : _CAPTURES + STEPS], captured[point])
        if left[point] == 1:
            _mark_count(planes, point, channels[_SELF_ATARI : _SELF_ATARI + STEPS], size[point])
        if channels[_SENSIBLE] >= 0 and not is_eye(side, stones, neighbours, to_move, point):
            planes[point, channels[_SENSIBLE]] = 1


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
