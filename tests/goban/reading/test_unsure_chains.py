"""Chains that a model is not sure of, read out where sure ones enclose them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.coords import BLACK
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.reading.unsure_chains import read_unsure_chains
from tests.support.finished_positions import FinishedPosition, finished_positions

# In torazu sanmoku and hanezeki stones live though they can be captured.
READABLE = [each for each in finished_positions() if each.theme not in {"hanezeki", "torazu_sanmoku"}]

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


def judged(position: Position, unsure: NDArray[np.bool_], dead: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return what reading says when all other stones are known to be dead or alive."""
    status = np.where(unsure | (position.stones == 0), 0, np.where(dead, -1, 1)).astype(np.int8)
    return read_unsure_chains(PositionReader(position), status, ~dead & (position.stones != 0))


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


@pytest.mark.parametrize("finished", READABLE, ids=str)
def test_reading_is_never_wrong_where_all_else_is_known(finished: FinishedPosition) -> None:
    for chain in finished.position.chains():
        unsure = np.zeros(finished.dead.shape, np.bool_)
        unsure.flat[list(chain.points)] = True
        verdict = judged(finished.position, unsure, finished.dead)
        said = verdict[verdict != 0]
        dead = finished.dead[verdict != 0]
        np.testing.assert_array_equal(said, np.where(dead, -1, 1))
