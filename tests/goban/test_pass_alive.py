"""Benson's pass-alive chains and regions, as pairs of diagrams: stones, and what they own for ever."""

import numpy as np
import pytest
from hypothesis import given, settings

from goban import text_diagram
from goban.array_types import Stones
from goban.pass_alive import pass_alive
from tests.support import reference_planes
from tests.support.reference_planes import State
from tests.support.reference_regions import crowded_boards

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


def benson(board: Stones) -> Stones:
    """Return the same in plain Python, from the text of the theorem."""
    points = {(int(row), int(column)): int(stone) for (row, column), stone in np.ndenumerate(board)}
    alive = np.zeros_like(board)
    for colour in (1, -1):
        for point in reference_planes.pass_alive(State(len(board), points), colour):
            alive[point] = colour
    return alive


@given(crowded_boards())
@settings(max_examples=300)
def test_crowded_boards_as_in_plain_python(stones: Stones) -> None:
    found = pass_alive(len(stones), stones.ravel()).reshape(stones.shape)
    assert (found == benson(stones)).all(), text_diagram.render_text(stones)
