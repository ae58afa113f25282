"""Chains that a model is not sure of, read out where sure ones enclose them."""

import numpy as np

from goban.coords import BLACK
from goban.position import Position
from tests.support.reading import judged

# Black's corner has a bulky five for an eye, its vital point taken; everything else is alive for sure.
BULKY_FIVE = """
. . X X O . .
. O . X O . .
X X X X O O O
O O O O O X X
X X X X X X .
. X . . . X .
. . X . X . .
"""

# Black's stones on the right are dead: White captures H1 before Black can take J1, the wall in atari, for an eye.
ATARI_IN_THE_WALL = """
. . X O . . . . O .
. X X O . O . O O .
. . X O . . O X X O
. . X O . O O X X O
. X X O . . O O X .
. . X O . O O X . X
. . X O . . O X O O
. X X O . O X X X .
. . X O . . O O X X
. . X O . O . X O .
"""


# Black can capture A7, and is captured after that.
DEAD_CAPTORS = """
O . X O . O .
X X X . O O O
O O O O . O .
. O . O O O O
O O O . O . .
. . O O O . .
. . O . O . .
"""


def test_an_unsure_group_in_a_small_area() -> None:
    position = Position.from_diagram(BULKY_FIVE)
    corner = np.zeros((7, 7), np.bool_)
    corner[:3, :4] = True
    black, white = ((position.stones == colour) & corner for colour in (1, -1))
    verdict = judged(position, black, np.zeros((7, 7), np.bool_))
    assert (verdict[black] == -1).all()
    assert not verdict[~black].any()
    assert (judged(position, np.zeros((7, 7), np.bool_), white)[black] == -1).all()  # though it is said to live


def test_a_wall_of_the_other_side_that_is_captured_inside_is_no_wall() -> None:
    position = Position.from_diagram(ATARI_IN_THE_WALL)
    black = (position.stones == BLACK) & (np.arange(10) > 3)
    unsure = np.zeros((10, 10), np.bool_)
    unsure[2:5, 7:9] = black[2:5, 7:9]
    assert not (judged(position, unsure, black & ~unsure) > 0).any()


def test_a_stone_is_not_dead_whose_captors_are_captured_first() -> None:
    position = Position.from_diagram(DEAD_CAPTORS)
    unsure, dead = np.zeros((7, 7), np.bool_), position.stones == BLACK
    unsure[0, 0] = True
    assert not judged(position, unsure, dead).any()
    assert judged(position, unsure, dead & False)[0, 0] == -1
