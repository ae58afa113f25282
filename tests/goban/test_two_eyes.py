"""Stones of groups with two eyes, as diagrams and the stones that are in none."""

import numpy as np
import pytest

from goban import text_diagram
from goban.coords import parse_gtp
from goban.regions import region_owners
from goban.two_eyes import two_eyed

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
    found = two_eyed(6, stones, region_owners(6, stones))
    assert set(np.flatnonzero((stones != 0) & ~found)) == {parse_gtp(vertex, 6) for vertex in vertices_without}
