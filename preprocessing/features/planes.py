"""Feature planes, from the perspective of the side to move, and the named sets of them that networks read.

Every plane has a name (`names.PLANES`) and every set is a tuple of names, so that each channel has a name and a single
plane can be shown. Kernels are the only code that computes planes, for training and for inference. The path is one: a
`BoardState` (from a Position, or replayed from a record and turned by a symmetry) goes into `_write_planes`, which
writes all planes and the chain ids. Kernels trust their arguments; `describe` and `sampler` check them in Python.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError, cut
from goban.jit import in_place, inner, kernel
from goban.kernels import label_into, liberties, neighbour_table, replay_to
from goban.position import Position
from goban.reading.ladders import ladders
from goban.regions import pass_alive, region_owners
from goban.tactics import is_eye, move_results
from preprocessing.features.names import EXACT, LEAST, PLACES, PLANES, RANKS, RECENT, STEPS

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float32 = NDArray[np.float32]

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


@dataclass(frozen=True)
class FeatureSet:
    """A named, ordered choice of planes; `planes` are names of PLANES, channel by channel. Raises InputError."""

    name: str
    planes: tuple[str, ...]

    def __post_init__(self) -> None:
        unknown = [plane for plane in self.planes if plane not in PLANES]
        if unknown or len(set(self.planes)) != len(self.planes):
            raise InputError(
                f"feature set {self.name}: expected different planes of preprocessing/features/names.py. "
                f"Received: {cut(', '.join(unknown or self.planes))}"
            )

    @property
    def history(self) -> int:
        """How many of the last moves the planes show."""
        if "older" in self.planes:
            return RECENT
        ages = [int(plane.removeprefix("recent_")) for plane in self.planes if plane.startswith("recent_")]
        return max(ages, default=0)


_STANDARD = (
    "own_1_liberty",
    "own_2_liberties",
    "own_3_liberties",
    "own_4_or_more_liberties",
    "other_1_liberty",
    "other_2_liberties",
    "other_3_liberties",
    "other_4_or_more_liberties",
    "ko",
    "ones",
    "recent_1",
    "recent_2",
    "recent_3",
    "recent_4",
    "recent_5",
    "empty_fraction",
    "own_area",
    "other_area",
    "own_pass_alive",
    "other_pass_alive",
)
_TACTICS = (
    "legal",
    "captures_1",
    "captures_2",
    "captures_3_or_more",
    "after_1_liberty",
    "after_2_liberties",
    "after_3_liberties",
    "after_4_or_more_liberties",
    "own_ladder",
    "other_ladder",
    "ladder_capture",
    "ladder_escape",
)


def _steps(name: str, last: int) -> tuple[str, ...]:
    """Return the planes of a count from 1 to `last`, of which the last also has what is above."""
    exact = (name.format(count) for count in range(1, last))
    return (*(plane if plane in PLANES else plane[:-3] + "y" for plane in exact), name.format(f"{last}_or_more"))


def _recent(moves: int) -> tuple[str, ...]:
    return tuple(f"recent_{age}" for age in range(1, moves + 1))


FEATURE_SETS = {
    each.name: each
    for each in (
        FeatureSet(
            "classic8",
            (
                "own_1_liberty",
                "own_2_liberties",
                "own_3_or_more_liberties",
                "other_1_liberty",
                "other_2_liberties",
                "other_3_or_more_liberties",
                "ko",
                "ones",
            ),
        ),
        FeatureSet("standard", _STANDARD),
        FeatureSet("tactical", _STANDARD + _TACTICS),
        FeatureSet("maddison9", ("black", "white", "empty", *_steps("liberties_{}", 4), "legal", "recent_1")),
        FeatureSet(
            "maddison36",
            (
                *("black", "white", "empty"),
                *_steps("liberties_{}", 4),
                *_steps("after_{}_liberties", 6),
                "legal",
                *_recent(5),
                *_steps("captures_{}", 7),
                "ladder_capture",
                *(f"rank_{dan}" for dan in range(1, RANKS + 1)),
            ),
        ),
        FeatureSet(
            "alphago48",
            (
                *("own", "other", "empty", "ones"),
                *(*_recent(7), "older"),
                *_steps("liberties_{}", 8),
                *_steps("captures_{}", 8),
                *_steps("self_atari_{}", 8),
                *_steps("after_{}_liberties", 8),
                *("ladder_capture", "ladder_escape", "sensible", "zeros"),
            ),
        ),
        FeatureSet("signed1", ("signed_stones",)),
        FeatureSet("omegago4", ("black", "white", "legal", "illegal")),
    )
}


@cache
def parse_feature_set(name: str) -> FeatureSet:
    """Return the feature set of that name; raise InputError when there is none.

    name: one of FEATURE_SETS, planes of which may be taken away or others added: "standard-ko+own_pass_alive".
    """
    base, *changes = re.split("([+-])", name)
    if base not in FEATURE_SETS:
        raise InputError(f"feature set must be one of {', '.join(FEATURE_SETS)}. Received: {cut(base)}")
    chosen = list(FEATURE_SETS[base].planes)
    for sign, plane in zip(changes[::2], changes[1::2], strict=True):
        if sign == "+":
            chosen.append(plane)
        elif plane in chosen:
            chosen.remove(plane)
        else:
            raise InputError(f"feature set {name}: expected a plane of {base} after '-'. Received: {cut(plane)}")
    return FeatureSet(name, tuple(chosen))


@cache
def channels(feature_set: FeatureSet) -> NDArray[np.int16]:
    """Return int16 (len(PLANES),): the channel of each plane in the set, -1 where it is absent; do not change it."""
    places = {plane: channel for channel, plane in enumerate(feature_set.planes)}
    return np.array([places.get(plane, -1) for plane in PLANES], np.int16)


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
    return describe(positions, feature_set)[0]


def chain_ids(positions: Sequence[Position]) -> NDArray[np.int32]:
    """Return int32 (B, N, N): each stone the smallest flat index of its chain, each empty point its own.

    positions: at least one, all of one board side; InputError otherwise.
    """
    return describe(positions, FeatureSet("none", ()))[1]


def plane(position: Position, name: str) -> NDArray[np.float32]:
    """Return float32 (N, N), the single plane of that name; raise InputError for an unknown one."""
    return planes([position], FeatureSet(name, (name,)))[0, :, :, 0]


def describe(
    positions: Sequence[Position], feature_set: FeatureSet, rank: int = RANKS
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return (planes, chain ids) as `planes` and `chain_ids` do, in one pass; rank: of the players, in dan."""
    side = _common_side(positions)
    out = empty_output(len(positions), side, feature_set)
    recent = np.full((len(positions), RECENT), side * side, np.int16)
    for row, position in zip(recent, positions, strict=True):
        row[: len(position.recent)] = position.recent
    fill_positions(
        side,
        np.stack([position.stones for position in positions]).reshape(-1, side * side),
        np.array([position.to_move for position in positions], np.int64),
        np.array([position.ko for position in positions], np.int64),
        recent,
        rank,
        channels(feature_set),
        out,
    )
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
        _write_planes(side, state, channels, out.planes[b], out.chains[b])


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
        _write_planes(side, state, channels, out.planes[b], out.chains[b])
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
    rank = np.int64(games.ranks[game, 0 if to_move > 0 else 1])  # another type would compile `_write_planes` again
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
def _write_planes(side: int, state: BoardState, channels: Int16, planes: Float32, chains: Int32) -> None:
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

    Args as for `_write_planes`, whose state is `stones` and `to_move`.
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

    Args as for `_write_planes`, whose state is `stones`, `to_move` and `ko`.
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
