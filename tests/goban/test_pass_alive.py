"""Benson's pass-alive chains and regions, as pairs of diagrams: stones, and what they own for ever."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.chain_kernels import label
from goban.move_kernels import setup_facts
from goban.pass_alive import pass_alive
from tests.support import reference_planes
from tests.support.reference_planes import State

CASES = [
    (
        "two eyes",
        ". X . X O . / X X X X O . / O O O O O . / . . . . . . / . . . . . . / . . . . . .",
        "X X X X . . / X X X X . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "one eye is not enough",
        ". X X X O . / X X X X O . / O O O O O . / . . . . . . / . . . . . . / . . . . . .",
        ". . . . . . / . . . . . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "two chains that share two eyes",
        ". X O . / X . X O / O X X O / O O O O",
        ". . . . / . . . . / . . . . / . . . .",
    ),
    (
        "one region in which every point is a liberty is one eye still",
        ". . X O / X X X O / O O O O / . . . .",
        ". . . . / . . . . / . . . . / . . . .",
    ),
    (
        "a stone of the opponent inside changes nothing",
        ". X . O X O / X X X X X O / O O O O O O / . . . . . . / . . . . . . / . . . . . .",
        "X X X X X . / X X X X X . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "room to live inside is still open",
        ". X . X . . / X X X X . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
        "X X X X . . / X X X X . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "both colours",
        ". X . X O / X X X X O / O O O O O / O . O O . / O O . O O",
        "X X X X O / X X X X O / O O O O O / O O O O O / O O O O O",
    ),
    ("the empty board", "... / ... / ...", "... / ... / ..."),
    ("a lone stone", "... / .X. / ...", "... / ... / ..."),
]


@pytest.mark.parametrize(("name", "stones", "alive"), CASES)
def test_pass_alive(name: str, stones: str, alive: str) -> None:
    board = text_diagram.parse_diagram(stones)
    found = pass_alive(len(board), board.ravel()).reshape(board.shape)
    assert text_diagram.render_text(found) == text_diagram.render_text(text_diagram.parse_diagram(alive)), name


def benson(board: np.ndarray) -> np.ndarray:
    """Return the same in plain Python, from the text of the theorem."""
    points = {(int(row), int(column)): int(stone) for (row, column), stone in np.ndenumerate(board)}
    alive = np.zeros_like(board)
    for colour in (1, -1):
        for point in reference_planes.pass_alive(State(len(board), points), colour):
            alive[point] = colour
    return alive


def crowded(side: int, seed: int) -> np.ndarray:
    """Return a random board, int8 (N*N,), with many black stones, and without chains that have no liberty."""
    board = np.random.default_rng(seed).choice(np.array([0, 1, -1], np.int8), side * side, p=[0.3, 0.5, 0.2])
    while (stone := setup_facts(side, board)[1]) >= 0:
        ids = label(side, board)
        board[ids == ids[stone]] = 0
    return board


@given(st.integers(2, 7), st.integers(0, 1 << 32))
@settings(max_examples=300)
def test_crowded_boards_as_in_plain_python(side: int, seed: int) -> None:
    board = crowded(side, seed)
    found, expected = pass_alive(side, board).reshape(side, side), benson(board.reshape(side, side))
    assert (found == expected).all(), text_diagram.render_text(board.reshape(side, side))
