"""Stones of groups with two eyes, as diagrams and the stones that are in none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.array_types import Stones
from goban.coords import parse_gtp
from goban.regions import region_owners
from goban.two_eyes import two_eyed
from tests.support import reference_regions as reference

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


@given(reference.crowded_boards(), st.integers(0, 1 << 32))
@settings(max_examples=300)
def test_crowded_boards_as_in_plain_python(stones: Stones, seed: int) -> None:
    """Points that both colours touch are divided at random, as the borders of an unfinished board may do."""
    side, flat, random = len(stones), stones.ravel(), np.random.default_rng(seed)
    owners = region_owners(side, flat)
    divided = (flat == 0) & (owners == 0) & (random.random(side * side) < random.choice([0, 0.5]))
    owners[divided] = random.choice([-1, 1], np.count_nonzero(divided))
    expected = reference.two_eyed(reference.board_of(stones), reference.board_of(owners.reshape(stones.shape)))
    assert reference.points_of(side, two_eyed(side, flat, owners)) == expected, text_diagram.render_text(stones)
