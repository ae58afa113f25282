"""The rules against numbers and programs that know nothing of this code."""

import zipfile
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from sgfmill import sgf, sgf_moves
from sgfmill.boards import Board as SgfmillBoard

from goban.array_types import Int8, Int16
from goban.board_kernels import new_board, place
from goban.coords import BLACK, WHITE
from goban.jit import kernel
from goban.move_kernels import check_game, replay_to, setup_facts
from tests.support.paths import REAL_GAMES

COLOURS = {"b": BLACK, "w": WHITE}


@kernel
def _legal_positions(side: int, last: int) -> int:
    """Return the number of boards whose chains all have liberties and whose last point holds `last`."""
    points = side * side - 1
    stones = np.full(side * side, -1, np.int8)
    stones[points] = last
    found = 0
    while True:
        found += int(setup_facts(side, stones)[1] < 0)
        point = 0
        while point < points and stones[point] == 1:
            stones[point] = -1
            point += 1
        if point == points:
            return found
        stones[point] += 1


# John Tromp and Gunnar Farnebäck, Combinatorics of Go
@pytest.mark.parametrize(
    ("side", "expected"), [(2, 57), (3, 12_675), pytest.param(4, 24_318_165, marks=pytest.mark.long)]
)
def test_number_of_legal_positions(side: int, expected: int) -> None:
    assert _legal_positions(side, 0) + 2 * _legal_positions(side, 1) == expected, "as many with White as with Black"


@kernel
def _trace(side: int, moves: Int16, colours: Int8, every: int) -> tuple[Int16, Int8]:
    """Return the point that simple ko forbids after each move, and the stones after each `every` moves."""
    board = new_board(side, np.zeros(side * side, np.int8))
    kos = np.empty(len(moves), np.int16)
    snapshots = np.empty((len(moves) // every, side * side), np.int8)
    for ply in range(len(moves)):
        kos[ply] = place(board, int(moves[ply]), int(colours[ply]))[2]
        if (ply + 1) % every == 0:
            snapshots[ply // every] = board.stones
    return kos, snapshots


EVERY = 25


def _random_game(side: int, seed: int) -> tuple[list[tuple[int, int]], list[int], list[npt.NDArray[np.int8]]]:
    """Return moves (point, colour), suicides included, with ko points and snapshots as sgfmill sees them."""
    random = np.random.default_rng(seed)
    attempts = 3 * side * side
    points = random.integers(0, side * side, attempts).tolist()
    colours = random.choice(("b", "w"), attempts).tolist()
    board = SgfmillBoard(side)
    moves, kos, snapshots = [], [], []
    for point, colour in zip(points, colours, strict=True):
        row, column = divmod(point, side)
        if board.get(row, column) is not None:
            continue
        ko = board.play(row, column, colour)
        moves.append((point, COLOURS[colour]))
        kos.append(-1 if ko is None else ko[0] * side + ko[1])
        if len(moves) % EVERY == 0:
            snapshots.append(_stones(board))
    return moves, kos, snapshots


def _stones(board: SgfmillBoard) -> npt.NDArray[np.int8]:
    stones = np.zeros((board.side, board.side), np.int8)
    for colour, (row, column) in board.list_occupied_points():
        stones[row, column] = COLOURS[colour]
    return stones.ravel()


@pytest.mark.parametrize("count", [1_000, pytest.param(67_000, marks=pytest.mark.long, id="of a million in all")])
@pytest.mark.parametrize("side", range(5, 20))
def test_random_moves_like_sgfmill(side: int, count: int) -> None:
    played = 0
    seed = side * 100_000
    while played < count:
        moves, kos, snapshots = _random_game(side, seed)
        points = np.array([point for point, _ in moves], np.int16)
        colours = np.array([colour for _, colour in moves], np.int8)
        our_kos, our_snapshots = _trace(side, points, colours, EVERY)
        assert our_kos.tolist() == kos, f"seed {seed}"
        assert np.array_equal(our_snapshots.ravel(), np.ravel(snapshots)), f"seed {seed}"
        played += len(moves)
        seed += 1


def _records(count: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of some records of each archive."""
    for archive in ("fox-pro", "selfplay-9x9", "tygem-counted-2009-05"):
        with zipfile.ZipFile(REAL_GAMES / f"{archive}.zip") as opened:
            for name, data in _split(opened, count):
                yield f"{archive}/{name}", data


def _split(opened: zipfile.ZipFile, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield up to `most` games, whether one file holds one or thousands."""
    found = 0
    for name in opened.namelist():
        for data in opened.read(name).replace(b"\r", b"").split(b"\n(;"):
            if found == most:
                return
            if b"SZ" in data or b"FF" in data:
                found += 1
                yield name, data if data.startswith(b"(;") else b"(;" + data


def _moves(game: sgf.Sgf_game, side: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int8], SgfmillBoard]:
    """Return points, colours and the board of the set-up."""
    board, plays = sgf_moves.get_setup_and_moves(game)
    points = [side * side if move is None else move[0] * side + move[1] for _, move in plays]
    colours = [COLOURS[colour] for colour, _ in plays]
    return np.array(points, np.int16), np.array(colours, np.int8), board


def _first_illegal(board: SgfmillBoard, points: list[int], colours: list[int]) -> int:
    """Play into `board`; return the index of the first move on an occupied point or against simple ko, or -1."""
    ko, last = None, 0
    for ply, (point, colour) in enumerate(zip(points, colours, strict=True)):
        if point == board.side**2:
            ko = None
            continue
        move = divmod(point, board.side)
        if board.get(*move) is not None or (move == ko and colour != last):
            return ply
        ko, last = board.play(*move, "b" if colour == BLACK else "w"), colour
    return -1


@pytest.mark.slow
@pytest.mark.skipif(not REAL_GAMES.is_dir(), reason=f"no game records in {REAL_GAMES}")
@pytest.mark.parametrize("count", [200, pytest.param(900, marks=pytest.mark.long)])
def test_real_games_like_sgfmill(count: int) -> None:
    compared = 0
    for name, data in _records(count):
        try:
            game = sgf.Sgf_game.from_bytes(data)
            side = game.get_size()
            points, colours, board = _moves(game, side)
        except ValueError:
            continue
        setup = _stones(board)
        illegal = _first_illegal(board, points.tolist(), colours.tolist())
        assert check_game(side, setup, points, colours, True) == illegal, name
        assert (replay_to(side, setup, points, colours, len(points))[0] == _stones(board)).all(), name
        compared += 1
    assert compared >= 2.5 * count
