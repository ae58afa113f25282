"""Dead chains read with their own side first: what lives by moving first is open."""

import numpy as np
import pytest

from goban.coords import gtp_names
from goban.position import Position
from goban.reading.dead_groups import read_dead_chains
from goban.reading.reader import Reader

# Black's stones in the corner are marked dead in each.
STRAIGHT_THREE = """
. . . X O . .
X X X X O . .
O O O O O . .
. . . . . . .
. O . O . O .
. . . . . . .
. . . . . . .
"""
TWO_POINTS = """
. . X O O . .
X X X O . . .
O O O O . . .
. . . . . . .
. O . O . O .
. . . . . . .
. . . . . . .
"""


@pytest.mark.parametrize(
    ("diagram", "names"),
    [
        (STRAIGHT_THREE, ["D7", "A6", "B6", "C6", "D6"]),
        (TWO_POINTS, []),
    ],
)
def test_what_lives_by_moving_first_is_open(diagram: str, names: list[str]) -> None:
    for colour in (1, -1):
        position = Position.from_stones(colour * Position.from_diagram(diagram).stones)
        dead = position.stones == colour
        assert gtp_names(read_dead_chains(Reader(position), dead).open) == names


def test_a_stone_in_a_large_territory_is_left_unread() -> None:
    position = Position.from_diagram(STRAIGHT_THREE.replace(". . . . . . .\n. O", ". . X . . . .\n. O"))
    dead = np.zeros((7, 7), np.bool_)
    dead[3, 2] = True
    verdicts = read_dead_chains(Reader(position), dead)
    assert (gtp_names(verdicts.open), gtp_names(verdicts.unread)) == ([], ["C4"])
