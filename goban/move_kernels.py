"""Moves and games by the rules of Go, as numba kernels over flat arrays: called from Python and from other kernels.

Boards, points and arguments are as in `goban.board_kernels`.

- `play(side, stones, point, colour, ko, suicide) -> (status, ko, captured, lost, hash)`, changes `stones`
- `legal_points(side, stones, colour, ko, suicide) -> bool[N*N + 1]`, the last one being the pass
- `setup_facts(side, stones) -> (hash, a stone without liberties or -1)`
- `replay_to(side, setup, moves, colours, plies) -> (stones int8[N*N], ko, captured by Black, by White)`
- `check_game(side, setup, moves, colours, suicide) -> index of the first illegal move, or -1`
"""

import numpy as np

from goban.array_types import Bool, Int8, Int16
from goban.board_kernels import KO, LEGAL, SUICIDE, Board, copy_points, move_status, new_board, place
from goban.jit import in_place, kernel


@kernel
def play(side: int, stones: Int8, point: int, colour: int, ko: int, suicide: bool) -> tuple[int, int, int, int, int]:
    """Play a stone (no pass) in place.

    Args:
        side: of the board.
        stones: int8 (N*N,), changed unless the move is illegal.
        point: flat index.
        colour: of the stone.
        ko: the point forbidden to `colour`, or -1.
        suicide: whether it is allowed.

    Returns:
        (status, new ko, stones captured, own stones lost, hash).
    """
    board = new_board(side, stones)
    status = KO if point == ko else move_status(board, point, colour)
    if status != LEGAL and not (status == SUICIDE and suicide):
        return status, ko, 0, 0, board.hash[0]
    captured, lost, ko = place(board, point, colour)
    copy_points(board.stones, stones)
    return LEGAL, ko, captured, lost, board.hash[0]


@kernel
def legal_points(side: int, stones: Int8, colour: int, ko: int, suicide: bool) -> Bool:
    """Return bool (N*N + 1,): where `colour` may play, pass included; `ko` is forbidden to it, or -1."""
    board = new_board(side, stones)
    legal = np.ones(side * side + 1, np.bool_)
    for point in range(side * side):
        status = move_status(board, point, colour)
        legal[point] = point != ko and (status == LEGAL or (status == SUICIDE and suicide))
    return legal


@kernel
def setup_facts(side: int, stones: Int8) -> tuple[int, int]:
    """Return (Zobrist hash of the stones, a stone without liberties or -1)."""
    board = new_board(side, stones)
    for point in range(side * side):
        if stones[point] != 0 and board.pseudo[board.head[point]] == 0:
            return board.hash[0], point
    return board.hash[0], -1


@in_place
def _replay(board: Board, moves: Int16, colours: Int8, plies: int, suicide: bool) -> tuple[int, int, int, int]:
    """Play until an illegal move or the end; return (moves played, ko, captured by Black, by White)."""
    points = len(board.stones)
    ko, by_black, by_white = -1, 0, 0
    for ply in range(plies):
        point, colour = int(moves[ply]), int(colours[ply])
        if point == points:
            ko = -1
            continue
        if point < 0 or point > points:
            return ply, ko, by_black, by_white
        if point == ko and colours[ply - 1] != colour:
            return ply, ko, by_black, by_white
        status = move_status(board, point, colour)
        if status != LEGAL and not (status == SUICIDE and suicide):
            return ply, ko, by_black, by_white
        captured, lost, ko = place(board, point, colour)
        if colour > 0:
            by_black += captured
            by_white += lost
        else:
            by_white += captured
            by_black += lost
    return plies, ko, by_black, by_white


@kernel
def replay_to(side: int, setup: Int8, moves: Int16, colours: Int8, plies: int) -> tuple[Int8, int, int, int]:
    """Replay the first `plies` moves of a game.

    Args:
        side: of the board.
        setup: int8 (N*N,), not changed.
        moves: int16 (M,), passes N*N.
        colours: int8 (M,), of the moves.
        plies: how many moves to play.

    Returns:
        (stones int8 (N*N,), ko point forbidden to the opponent of the last mover or -1, stones captured by Black, by
        White).

    Allows suicide; stops before an illegal move, which `check_game` finds.
    """
    board = new_board(side, setup)
    _, ko, by_black, by_white = _replay(board, moves, colours, plies, True)
    return board.stones, ko, by_black, by_white


@kernel
def check_game(side: int, setup: Int8, moves: Int16, colours: Int8, suicide: bool) -> int:
    """Return the index of the first illegal move (off the board, occupied, simple ko, suicide), or -1."""
    played = _replay(new_board(side, setup), moves, colours, len(moves), suicide)[0]
    return -1 if played == len(moves) else played
