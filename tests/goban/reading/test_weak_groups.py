"""Groups without two eyes: read out for any ownership."""

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.coords import gtp_names, parse_gtp
from goban.counting.dead_stones import assign_status
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.reading.weak_groups import read_weak_groups
from goban.regions import owners

# White's five stones in the corner have one eye, and Black's group around them has two.
ONE_EYE = """
. O O X . . .
O O X X . X .
O X X . . . .
X X . . X . .
. . X . . . X
. . . . X X X
. X . . X . .
"""
# White's eye has three points: the side that moves first makes two eyes of it, or one.
OPEN = """
. . . O X X .
O O O O X . .
X X X X X . X
. . . . . . .
. X . . X . .
. . . . . . .
. . . . . . .
"""
# White's two chains on the right have one eye together, and Black cuts their way along dame. GNU Go calls both dead.
ALONG_DAME = """
. . O X . . . . . . .
. O O X X X X X X X .
. . O . X X X X O X X
. . O . X X O . O O X
. . O . . O O O . O X
. . O . X X O X X . X
. . O . X X O O X X X
. . O . X X X O O X .
. . O . X X X O X X .
. O O X X X X X X . .
. . O X . . . . . . .
"""
# White's chain at F7 lives on the points that White surrounds. Where A is Black's, A4 can be captured there.
WALLS = """
O O . O . O O
. A O O . O X
O O . O O X X
A O O O X X O
. O X X X X .
O O . X X . X
X . O . X X X
"""


def sure(position: Position, lives: bool = True) -> NDArray[np.float32]:
    """Return an ownership that gives every point to the colour of the nearest stones, and is sure of it."""
    stones = position.stones
    return np.where(stones != 0, stones if lives else -stones, 1).astype(np.float32) * np.float32(0.98)


def test_a_group_with_one_eye_is_dead_however_sure_the_ownership() -> None:
    position = Position.from_diagram(ONE_EYE)
    status = assign_status(PositionReader(position, sure(position)))
    np.testing.assert_array_equal(status.dead, position.stones == -1)
    np.testing.assert_array_equal(status.read, status.dead)
    assert not status.doubt.any()


def test_dame_are_no_way_out_if_the_other_side_closes_it() -> None:
    position = Position.from_diagram(ALONG_DAME)
    status = assign_status(PositionReader(position, sure(position)))
    cut_off = position.stones == -1
    cut_off[:, :3] = False
    np.testing.assert_array_equal(status.dead, cut_off)
    np.testing.assert_array_equal(status.read, cut_off)
    assert not status.doubt.any()


def test_a_way_along_dame_that_either_side_can_close_is_open() -> None:
    position = Position.from_diagram(ALONG_DAME).play(parse_gtp("D7", 11), -1)
    status = assign_status(PositionReader(position, sure(position)))
    assert not status.dead.any()
    assert status.open.flat[[parse_gtp("G7", 11), parse_gtp("K8", 11)]].all()


def test_claims_go_before_reading() -> None:
    position = Position.from_diagram(ONE_EYE)
    claimed = np.where(position.stones == -1, 1, 0).astype(np.int8)
    status = assign_status(PositionReader(position, sure(position)), claimed)
    assert not status.dead.any()
    assert not status.read.any()
    assert not status.doubt[position.stones == -1].any()


def test_what_depends_on_the_first_move_is_in_doubt() -> None:
    position = Position.from_diagram(OPEN)
    nothing = np.zeros(position.stones.shape, np.bool_)
    verdicts = read_weak_groups(PositionReader(position, sure(position)), nothing)
    assert verdicts.open.flat[parse_gtp("B6", 7)]
    assert not verdicts.dead.any()
    status = assign_status(PositionReader(position, sure(position)))
    assert not status.dead.any()
    assert status.doubt.flat[parse_gtp("B6", 7)] == 0.5


@pytest.mark.parametrize(("wall", "expected"), [("X", []), ("O", ["F7", "G7", "F6"])])
def test_a_chain_is_not_proved_to_live_between_walls_that_could_be_captured(wall: str, expected: list[str]) -> None:
    position = Position.from_diagram(WALLS.replace("A", wall))
    nothing = np.zeros(position.stones.shape, np.bool_)
    owned = np.where(position.stones == 0, owners(position.stones, nothing), position.stones).astype(np.float32)
    verdicts = read_weak_groups(PositionReader(position, owned), nothing)
    assert {"F7", "G7", "F6"} <= set(gtp_names(verdicts.read))
    assert gtp_names(verdicts.living) == expected
    assert not (verdicts.open | verdicts.unproved).any()
