"""Benson's pass-alive chains and regions, as pairs of diagrams: stones, and what they own for ever; two-eyed groups."""

import numpy as np
import pytest

from goban import regions, text_diagram
from goban.coords import parse_gtp

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

TWO_EYES = """
. X . X O O
X X X X O .
O O O O O O
. O X X X X
O O X X . X
. O X . X X
"""
FALSE_EYE = """
. X O . O .
X . X O O O
X X X X X X
X O O O O O
O O . . . .
. . . . O .
"""
ROOMY = """
. . . . X O
. . X X X O
. . X O O O
X X X O . .
O O O O . .
. . . . . .
"""
SIX_POINTS = """
. . . . X O
. . X X X O
X X X O O O
X X X O . .
O O O O . .
. . . . . .
"""


@pytest.mark.parametrize(("name", "stones", "alive"), CASES)
def test_pass_alive(name: str, stones: str, alive: str) -> None:
    board = text_diagram.parse_diagram(stones)
    found = regions.pass_alive(len(board), board.ravel()).reshape(board.shape)
    assert text_diagram.render_text(found) == text_diagram.render_text(text_diagram.parse_diagram(alive)), name


@pytest.mark.parametrize(
    ("text", "vertices_without"),
    [
        (TWO_EYES, []),
        (FALSE_EYE, ["C6", "E6", "D5", "E5", "F5"]),
        (ROOMY, []),
        (SIX_POINTS, ["E6", "C5", "D5", "E5", "A4", "B4", "C4", "A3", "B3", "C3"]),
    ],
    ids=["two eyes each", "a corner with a false eye", "large regions", "a region of six points, which can be one eye"],
)
def test_stones_of_groups_with_two_eyes(text: str, vertices_without: list[str]) -> None:
    stones = text_diagram.parse_diagram(text).ravel()
    found = regions.two_eyed(6, stones, regions.region_owners(6, stones))
    assert set(np.flatnonzero((stones != 0) & ~found)) == {parse_gtp(vertex, 6) for vertex in vertices_without}
