"""Moves taken back: the whole memory of the board is as it was before them."""

import numpy as np
import pytest

from goban.array_types import Int16
from goban.board_kernels import LEGAL, Board, move_status, new_board
from goban.coords import BLACK, WHITE
from goban.jit import kernel
from goban.reading import search_stack


@kernel
def is_legal(board: Board, point: int, colour: int) -> bool:
    return move_status(board, point, colour) == LEGAL


@kernel
def place_down(board: Board, point: int, colour: int, kept: Int16) -> tuple[int, int, int]:
    return search_stack.place_down(board, point, colour, kept)


@kernel
def take_back(board: Board, point: int, colour: int, kept: Int16) -> None:
    search_stack.take_back(board, point, colour, kept)


@pytest.mark.parametrize("side", [2, 3, 4, 5, 7])
def test_take_back_restores_the_board(side: int) -> None:
    random = np.random.default_rng(side)
    board = new_board(side, np.zeros(side * side, np.int8))
    played: list[tuple[int, int, Int16, dict[str, list[int]]]] = []
    captures = joins = 0
    for _ in range(1500):
        colour = int(random.choice((BLACK, WHITE)))
        legal = [point for point in range(side * side) if is_legal(board, point, colour)]
        if legal and random.random() < 0.55:
            point, kept, before = int(random.choice(legal)), np.empty(search_stack.KEPT, np.int16), _memory(board)
            captured, _, _ = place_down(board, point, colour, kept)
            played.append((point, colour, kept, before))
            captures += captured
            joins += not captured and bool((board.trace >= 0).any())
        elif played:
            point, colour, kept, before = played.pop()
            take_back(board, point, colour, kept)
            assert _memory(board) == before
    assert captures
    assert joins or side == 2


def _memory(board: Board) -> dict[str, list[int]]:
    """Return all of a board but what its last move did."""
    return {name: array.ravel().tolist() for name, array in board._asdict().items() if name != "trace"}
