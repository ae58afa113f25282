"""Planes of one position as numba kernels: the only code that computes them, for training and for inference.

The path is one: a `BoardState` (from a Position, or replayed from a record and turned by a symmetry) goes into
`describe`, which writes all planes and the chain ids. To add a plane, add its name to `names.PLANES` and write it in
`describe` or in one of the functions it calls.

Kernels trust their arguments; `planes` and `sampler` check them in Python.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.jit import in_place, inner, kernel
from goban.kernels import label_into, liberties, neighbour_table, replay_to
from goban.reading.ladders import ladders
from goban.regions import pass_alive, region_owners
from goban.tactics import is_eye, move_results
from preprocessing.features.names import EXACT, LEAST, PLACES, RANKS, RECENT, STEPS

Bool = npt.NDArray[np.bool_]
Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float32 = npt.NDArray[np.float32]

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


class Games(NamedTuple):
    """The arrays of a GameTable that a replay needs, with the same names, shapes and codes."""

    moves: Int16
    move_offset: Int64
    branch: Int16
    setup: Int16
    setup_offset: Int64
    target: Int8
    target_offset: Int64
    ranks: Int8


class Draws(NamedTuple):
    """Which positions to make: each int64 (B,): row of the table, moves played, symmetry 0..7."""

    game: Int64
    ply: Int64
    symmetry: Int64


class Output(NamedTuple):
    """What the kernels fill: planes float32 (B, N*N, C), target int8 (B, N*N), both zero before; chains int32 (B, N*N);
    move int16 (B,), -1 for none."""

    planes: Float32
    chains: Int32
    target: Int8
    move: Int16


class Boards(NamedTuple):
    """Replayed positions, turned like their planes: stones int8 (B, N*N), to_move int8 (B,), and ko int16 (B,), the
    point that the side to move may not take, -1 for none."""

    stones: Int8
    to_move: Int8
    ko: Int16


@kernel
def fill_positions(
    side: int, stones: Int8, to_move: Int64, ko: Int64, recent: Int16, rank: int, channels: Int16, out: Output
) -> None:
    """Write planes and chain ids of positions, given as stones int8 (B, N*N), to_move int64 (B,), ko int64 (B,), -1
    for none, recent int16 (B, RECENT) and the rank of all players. Leaves `out.target` and `out.move` alone."""
    for b in range(len(stones)):
        state = BoardState(stones[b], int(to_move[b]), int(ko[b]), recent[b], rank)
        describe(side, state, channels, out.planes[b], out.chains[b])


@kernel
def fill_batch(
    side: int, games: Games, draws: Draws, places: Int16, channels: Int16, out: Output, boards: Boards
) -> None:
    """Replay games to a ply, turn them, and write planes, chain ids, targets and moves from the side to move's view.

    `places` int16 (8, N*N + 1): where each symmetry takes each point, and the pass to itself.
    All games must have board side `side`.
    """
    for b in range(len(draws.game)):
        place = places[draws.symmetry[b]]
        state = _turned(_replayed(side, games, draws.game[b], draws.ply[b]), place)
        describe(side, state, channels, out.planes[b], out.chains[b])
        boards.stones[b] = state.stones
        boards.to_move[b], boards.ko[b] = state.to_move, state.ko
        first, last = games.target_offset[draws.game[b]], games.target_offset[draws.game[b] + 1]
        for point in range(last - first):
            out.target[b, place[point]] = games.target[first + point] * state.to_move
        move = _next_move(games, draws.game[b], draws.ply[b])
        out.move[b] = place[move] if move >= 0 else -1


@in_place
def _next_move(games: Games, game: int, ply: int) -> int:
    """Return the point played after `ply` moves, -1 at the end and where moves are no longer the players' own."""
    if 0 <= games.branch[game] <= ply:
        return -1
    played = games.move_offset[game] + ply
    if played < games.move_offset[game + 1]:
        return int(games.moves[played] >> 1)
    return -1


@inner
def _replayed(side: int, games: Games, game: int, ply: int) -> BoardState:
    """Return the situation after `ply` moves. To move is who moves next in the record, else not the last mover."""
    start, end = games.move_offset[game], games.move_offset[game + 1]
    setup = np.zeros(side * side, np.int8)
    for code in games.setup[games.setup_offset[game] : games.setup_offset[game + 1]]:
        setup[code >> 1] = 1 - 2 * (code & 1)
    moves = np.empty(ply, np.int16)
    colours = np.empty(ply, np.int8)
    for k in range(ply):
        code = games.moves[start + k]
        moves[k] = code >> 1
        colours[k] = 1 - 2 * (code & 1)
    stones, ko, _, _ = replay_to(side, setup, moves, colours, ply)
    to_move = 1 if ply == 0 else -int(colours[ply - 1])
    if start + ply < end:
        to_move = 1 - 2 * int(games.moves[start + ply] & 1)
    if ply > 0 and to_move == colours[ply - 1]:
        ko = -1
    recent = np.full(RECENT, side * side, np.int16)
    for k in range(min(RECENT, ply)):
        recent[k] = moves[ply - 1 - k]
    rank = np.int64(games.ranks[game, 0 if to_move > 0 else 1])  # another type would be another version of `describe`
    return BoardState(stones, to_move, ko, recent, int(rank))


@inner
def _turned(state: BoardState, place: Int16) -> BoardState:
    """Return the situation with every point moved to its place."""
    stones = np.empty_like(state.stones)
    for point in range(len(stones)):
        stones[place[point]] = state.stones[point]
    recent = np.empty_like(state.recent)
    for k in range(RECENT):
        recent[k] = place[state.recent[k]]
    ko = int(place[state.ko]) if state.ko >= 0 else -1
    return BoardState(stones, state.to_move, ko, recent, state.rank)


@inner
def describe(side: int, state: BoardState, channels: Int16, planes: Float32, chains: Int32) -> None:
    """Write the planes that have a channel into planes float32 (N*N, C), all zero before, and ids into chains int32
    (N*N,), as `goban.kernels.chain_ids` gives them."""
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

    Args as for `describe`, whose state is `stones` and `to_move`.
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

    Args as for `describe`, whose state is `stones`, `to_move` and `ko`.
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
