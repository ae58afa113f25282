"""Planes of one position as numba kernels: the only code that computes them, for training and for inference.

The path is one: a `BoardState` (from a Position, or replayed from a record and turned by a symmetry) goes into
`describe`, which writes all planes and the chain ids. To add a plane, add its name to PLANES and write it in
`describe` or in one of the functions it calls; what moves would do is counted in `tactics`.

Kernels trust their arguments; `features` and `sampler` check them in Python.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.jit import in_place, kernel
from goban.kernels import chain_ids, replay_to
from goban.ladders import ladders
from goban.regions import pass_alive, region_owners
from goban.tactics import Chains, move_results, read_chains

Bool = npt.NDArray[np.bool_]
Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float32 = npt.NDArray[np.float32]

RECENT = 5  # moves remembered, newest first

# "own" is the side to move; area is Tromp-Taylor's: stones, and empty regions that touch one colour only.
# From "legal" to "after_4_or_more_liberties": what it may play, the stones that captures, the liberties of the chain it
# makes. Stones in a ladder are caught by it; a ladder move catches two liberties or saves a chain in atari.
# A channel table is int16 (len(PLANES),): the channel of each plane, or -1.
PLANES = (
    "own_1_liberty",
    "own_2_liberties",
    "own_3_liberties",
    "own_3_or_more_liberties",
    "own_4_or_more_liberties",
    "other_1_liberty",
    "other_2_liberties",
    "other_3_liberties",
    "other_3_or_more_liberties",
    "other_4_or_more_liberties",
    "ko",
    "ones",
    "empty_fraction",
    "recent_1",
    "recent_2",
    "recent_3",
    "recent_4",
    "recent_5",
    "own_area",
    "other_area",
    "own_pass_alive",
    "other_pass_alive",
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
_LIBERTIES = 5  # planes by liberties of each player
_KO = PLANES.index("ko")
_ONES = PLANES.index("ones")
_EMPTY_FRACTION = PLANES.index("empty_fraction")
_RECENT = PLANES.index("recent_1")
_OWN_AREA = PLANES.index("own_area")
_OTHER_AREA = PLANES.index("other_area")
_OWN_PASS_ALIVE = PLANES.index("own_pass_alive")
_OTHER_PASS_ALIVE = PLANES.index("other_pass_alive")
_LEGAL = PLANES.index("legal")
_CAPTURES = PLANES.index("captures_1")
_AFTER = PLANES.index("after_1_liberty")
_OWN_LADDER = PLANES.index("own_ladder")
_OTHER_LADDER = PLANES.index("other_ladder")
_LADDER_CAPTURE = PLANES.index("ladder_capture")
_LADDER_ESCAPE = PLANES.index("ladder_escape")


class BoardState(NamedTuple):
    """What planes are computed from. stones int8 (N*N,); recent int16 (RECENT,), N*N for a pass or no move."""

    stones: Int8
    to_move: int
    ko: int
    recent: Int16


class Games(NamedTuple):
    """The arrays of a GameTable that a replay needs, with the same names, shapes and codes."""

    moves: Int16
    move_offset: Int64
    branch: Int16
    setup: Int16
    setup_offset: Int64
    target: Int8
    target_offset: Int64


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


@kernel
def fill_positions(
    side: int, stones: Int8, to_move: Int64, ko: Int64, recent: Int16, channels: Int16, out: Output
) -> None:
    """Write planes and chain ids of positions, given as stones int8 (B, N*N), to_move int64 (B,), ko int64 (B,), -1
    for none, and recent int16 (B, RECENT). Leaves `out.target` and `out.move` alone."""
    for b in range(len(stones)):
        state = BoardState(stones[b], int(to_move[b]), int(ko[b]), recent[b])
        describe(side, state, channels, out.planes[b], out.chains[b])


@kernel
def fill_batch(side: int, games: Games, draws: Draws, places: Int16, channels: Int16, out: Output) -> None:
    """Replay games to a ply, turn them, and write planes, chain ids, targets and moves from the side to move's view.

    `places` int16 (8, N*N + 1): where each symmetry takes each point, and the pass to itself.
    All games must have board side `side`.
    """
    for b in range(len(draws.game)):
        place = places[draws.symmetry[b]]
        state = _turned(_replayed(side, games, draws.game[b], draws.ply[b]), place)
        describe(side, state, channels, out.planes[b], out.chains[b])
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


@kernel
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
    return BoardState(stones, to_move, ko, recent)


@kernel
def _turned(state: BoardState, place: Int16) -> BoardState:
    """Return the situation with every point moved to its place."""
    stones = np.empty_like(state.stones)
    for point in range(len(stones)):
        stones[place[point]] = state.stones[point]
    recent = np.empty_like(state.recent)
    for k in range(RECENT):
        recent[k] = place[state.recent[k]]
    ko = int(place[state.ko]) if state.ko >= 0 else -1
    return BoardState(stones, state.to_move, ko, recent)


@kernel
def describe(side: int, state: BoardState, channels: Int16, planes: Float32, chains: Int32) -> None:
    """Write the planes that have a channel into planes float32 (N*N, C), all zero before, and ids into chains int32
    (N*N,), as `goban.kernels.chain_ids` gives them."""
    points = side * side
    chains[:] = chain_ids(side, state.stones)
    known = read_chains(side, state.stones, chains)
    _write_stones(state, known, channels, planes)
    if channels[_ONES] >= 0:
        planes[:, channels[_ONES]] = 1
    if channels[_EMPTY_FRACTION] >= 0:
        planes[:, channels[_EMPTY_FRACTION]] = np.sum(state.stones == 0) / points
    if channels[_KO] >= 0 and state.ko >= 0:
        planes[state.ko, channels[_KO]] = 1
    for k in range(RECENT):
        if channels[_RECENT + k] >= 0 and state.recent[k] < points:
            planes[state.recent[k], channels[_RECENT + k]] = 1
    if channels[_OWN_AREA] >= 0 or channels[_OTHER_AREA] >= 0:
        area = region_owners(side, state.stones)
        _mark(area, state.to_move, channels[_OWN_AREA], planes)
        _mark(area, -state.to_move, channels[_OTHER_AREA], planes)
    if channels[_OWN_PASS_ALIVE] >= 0 or channels[_OTHER_PASS_ALIVE] >= 0:
        alive = pass_alive(side, state.stones)
        _mark(alive, state.to_move, channels[_OWN_PASS_ALIVE], planes)
        _mark(alive, -state.to_move, channels[_OTHER_PASS_ALIVE], planes)
    if channels[_LEGAL:_OWN_LADDER].max() >= 0:
        _write_moves(state, known, channels, planes)
    if channels[_OWN_LADDER : _LADDER_ESCAPE + 1].max() >= 0:
        _write_ladders(side, state, channels, planes)


@in_place
def _write_stones(state: BoardState, chains: Chains, channels: Int16, planes: Float32) -> None:
    """Mark each stone in the planes of its player and its chain's liberties."""
    for point in range(len(state.stones)):
        if state.stones[point] == 0:
            continue
        count = chains.liberties[chains.ids[point]]
        first = 0 if state.stones[point] == state.to_move else _LIBERTIES
        at_most_3 = channels[first + min(count, 3) - 1]
        if at_most_3 >= 0 and count <= 3:
            planes[point, at_most_3] = 1
        if count >= 3 and channels[first + 3] >= 0:
            planes[point, channels[first + 3]] = 1
        if count >= 4 and channels[first + 4] >= 0:
            planes[point, channels[first + 4]] = 1


@kernel
def _write_moves(state: BoardState, chains: Chains, channels: Int16, planes: Float32) -> None:
    """Mark each move of the side to move in the planes of what it does."""
    captured, left = move_results(chains, state.to_move, state.ko)
    for point in range(len(left)):
        if left[point] > 0:
            _set(planes, point, channels[_LEGAL])
            _set(planes, point, channels[_AFTER + left[point] - 1])
        if captured[point] > 0:
            _set(planes, point, channels[_CAPTURES + min(captured[point], 3) - 1])


@kernel
def _write_ladders(side: int, state: BoardState, channels: Int16, planes: Float32) -> None:
    """Mark the stones that a ladder catches, and the moves of the side to move by which a ladder works or fails."""
    caught, catching, saving = ladders(side, state.stones, state.to_move)
    prey = caught * state.stones
    _mark(prey, state.to_move, channels[_OWN_LADDER], planes)
    _mark(prey, -state.to_move, channels[_OTHER_LADDER], planes)
    if state.ko >= 0:
        catching[state.ko] = saving[state.ko] = False
    _mark(catching.view(np.int8), 1, channels[_LADDER_CAPTURE], planes)
    _mark(saving.view(np.int8), 1, channels[_LADDER_ESCAPE], planes)


@in_place
def _mark(values: Int8, value: int, channel: int, planes: Float32) -> None:
    """Mark the points that have a value; does nothing without a channel."""
    if channel >= 0:
        for point in range(len(values)):
            if values[point] == value:
                planes[point, channel] = 1


@in_place
def _set(planes: Float32, point: int, channel: int) -> None:
    """Mark one point; does nothing without a channel."""
    if channel >= 0:
        planes[point, channel] = 1
