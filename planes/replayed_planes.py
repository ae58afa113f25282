"""Feature planes of positions of a dataset's games, which are replayed and turned by a symmetry."""

from typing import NamedTuple

import numpy as np

from goban.array_types import Int8, Int16, Int64
from goban.jit import in_place, inner, kernel
from goban.move_kernels import replay_to
from planes.plane_kernels import BoardState, write_planes
from planes.plane_names import RECENT
from planes.position_planes import Output


class GameArrays(NamedTuple):
    """The arrays of a GameTable that a replay needs, with the same names, shapes and codes."""

    move_codes: Int16
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


class Boards(NamedTuple):
    """Replayed positions, turned like their planes: stones int8 (B, N*N), to_move int8 (B,), and ko int16 (B,), the
    point that the side to move may not take, -1 for none."""

    stones: Int8
    to_move: Int8
    ko: Int16


@kernel
def fill_batch(
    side: int, games: GameArrays, draws: Draws, places: Int16, channels: Int16, out: Output, boards: Boards
) -> None:
    """Replay games to a ply, turn them, and write planes, chain ids, targets and moves from the side to move's view.

    `places` int16 (8, N*N + 1): where each symmetry takes each point, and the pass to itself.
    All games must have board side `side`.
    """
    for b in range(len(draws.game)):
        place = places[draws.symmetry[b]]
        state = _turned(_replayed(side, games, draws.game[b], draws.ply[b]), place)
        write_planes(side, state, channels, out.planes[b], out.chains[b])
        boards.stones[b] = state.stones
        boards.to_move[b], boards.ko[b] = state.to_move, state.ko
        first, last = games.target_offset[draws.game[b]], games.target_offset[draws.game[b] + 1]
        for point in range(last - first):
            out.target[b, place[point]] = games.target[first + point] * state.to_move
        move = _next_move(games, draws.game[b], draws.ply[b])
        out.move[b] = place[move] if move >= 0 else -1


@in_place
def _next_move(games: GameArrays, game: int, ply: int) -> int:
    """Return the point played after `ply` moves, -1 at the end and where moves are no longer the players' own."""
    if 0 <= games.branch[game] <= ply:
        return -1
    played = games.move_offset[game] + ply
    if played < games.move_offset[game + 1]:
        return int(games.move_codes[played] >> 1)
    return -1


@inner
def _replayed(side: int, games: GameArrays, game: int, ply: int) -> BoardState:
    """Return the situation after `ply` moves. To move is who moves next in the record, else not the last mover."""
    start, end = games.move_offset[game], games.move_offset[game + 1]
    setup = np.zeros(side * side, np.int8)
    for code in games.setup[games.setup_offset[game] : games.setup_offset[game + 1]]:
        setup[code >> 1] = 1 - 2 * (code & 1)
    moves = np.empty(ply, np.int16)
    colours = np.empty(ply, np.int8)
    for k in range(ply):
        code = games.move_codes[start + k]
        moves[k] = code >> 1
        colours[k] = 1 - 2 * (code & 1)
    stones, ko, _, _ = replay_to(side, setup, moves, colours, ply)
    to_move = 1 if ply == 0 else -int(colours[ply - 1])
    if start + ply < end:
        to_move = 1 - 2 * int(games.move_codes[start + ply] & 1)
    if ply > 0 and to_move == colours[ply - 1]:
        ko = -1
    recent = np.full(RECENT, side * side, np.int16)
    for k in range(min(RECENT, ply)):
        recent[k] = moves[ply - 1 - k]
    rank = np.int64(games.ranks[game, 0 if to_move > 0 else 1])  # another type would compile `write_planes` again
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
