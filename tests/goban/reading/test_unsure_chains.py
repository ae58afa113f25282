"""Chains that a model is not sure of, read out where sure ones enclose them."""

import numpy as np
import pytest

from goban.coords import BLACK, parse_gtp
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import CAPTURED, SAFE, UNKNOWN
from goban.reading.unsure_chains import read_chain
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
# An eye of four points in a row lives, whoever moves first.
FOUR_IN_A_ROW = """
. . . . X O .
X X X X X O .
O O O O O O .
. . . . . . .
. O . . . O .
. . . . . . .
. . . . . . .
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


@pytest.mark.parametrize(
    ("diagram", "vertex", "dead", "expected"),
    [
        (BULKY_FIVE, "D7", "B6", CAPTURED),
        (BULKY_FIVE.replace("X X O . .\n. O", "X X O . .\n. ."), "D7", "", UNKNOWN),
        (FOUR_IN_A_ROW, "E7", "", SAFE),
        (DEAD_CAPTORS, "A7", "", CAPTURED),
        (DEAD_CAPTORS, "A7", "B6", UNKNOWN),
    ],
    ids=["an eye of five, taken", "an eye of five", "an eye of four", "captors that live", "captors that are dead"],
)
def test_one_chain(diagram: str, vertex: str, dead: str, expected: int) -> None:
    position = Position.from_diagram(diagram)
    status = (position.stones != 0).astype(np.int8)
    chains = {point: chain for chain in position.chains() for point in chain.points}
    chain = chains[parse_gtp(vertex, 7)]
    for other in dead.split():
        status.flat[list(chains[parse_gtp(other, 7)].points)] = -1
    status.flat[list(chain.points)] = 0
    assert read_chain(PositionReader(position), status, chain) == expected
