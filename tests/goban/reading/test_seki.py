"""Seki inside an eye: stones that a group with no other eye cannot take off."""

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.counting.dead_stones import assign_status
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.reading.seki import nakade_seki

# White's three stones in the corner, or on the side, stand in the only eye of the Black stones around them.
CORNER = """
. O O O . X O
X X X X X X O
O O O O O O O
. . O . O . .
O O O O O O O
. . . . . . .
. . . . . . .
"""
BENT = """
O O . X O . .
O X X X O . .
. X O O O . .
X X O . . . .
O O O . . . .
. . . . . . .
. . . . . . .
"""
PYRAMID = """
. O O O . X O
X X O X X X O
O X X X O O O
. O O O O . .
O O . O . O O
. . . . . . .
. . . . . . .
"""
A_RACE = """
. O O O O . X
X X X X X X X
O O O O O O .
. . O . . O O
O O O O O O .
. . . . . . .
. . . . . . .
"""
ANOTHER_EYE = """
. O O O . X .
X X X X X X X
O O O O O O O
. . O . O . .
O O O O O O O
. . . . . . .
. . . . . . .
"""
A_FRIEND_ACROSS_A_DAME = """
. O O O . X .
X X X X X . X
O O O O O X X
. . O . O X .
O O O O O X X
. . O O X X .
. . . O X . .
"""
A_LIBERTY_TO_SPARE = """
. O O O . . X
X X X X X X X
O O O O O O O
. . O . O . .
O O O O O O O
. . . . . . .
. . . . . . .
"""
TWO_STONES = """
. O O . X O .
X X X X X O .
O O O O O O .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


def invaders(position: Position) -> NDArray[np.bool_]:
    """The white chain that holds the second point of the first row or the first of the second."""
    chosen = np.zeros((7, 7), np.bool_)
    for chain in position.chains():
        if position.stones.flat[chain.points[0]] == -1 and {1, 7} & set(chain.points):
            chosen.flat[list(chain.points)] = True
    return chosen


@pytest.mark.parametrize("diagram", [CORNER, BENT, PYRAMID], ids=["in a row", "bent", "a pyramid"])
def test_stones_in_the_only_eye_live(diagram: str) -> None:
    position = Position.from_diagram(diagram)
    dead = invaders(position)
    assert 3 <= dead.sum() <= 4
    np.testing.assert_array_equal(nakade_seki(PositionReader(position), dead), dead)


@pytest.mark.parametrize(
    "diagram",
    [A_RACE, ANOTHER_EYE, A_FRIEND_ACROSS_A_DAME, A_LIBERTY_TO_SPARE, TWO_STONES],
    ids=["a race", "another eye", "a friend across a dame", "a liberty to spare", "two stones"],
)
def test_other_stones_stay_dead(diagram: str) -> None:
    position = Position.from_diagram(diagram)
    dead = invaders(position)
    assert 2 <= dead.sum() <= 4
    assert not nakade_seki(PositionReader(position), dead).any()


def test_the_status_follows_the_model_unless_a_player_claims_otherwise() -> None:
    position = Position.from_diagram(CORNER)
    dead = invaders(position)
    ownership = np.where(dead | (position.stones == 1), 0.99, -0.99).astype(np.float32)
    ownership[:2, :6] = 0.99
    assert not assign_status(PositionReader(position, ownership)).dead.any()
    np.testing.assert_array_equal(assign_status(PositionReader(position, ownership), -dead.astype(np.int8)).dead, dead)
