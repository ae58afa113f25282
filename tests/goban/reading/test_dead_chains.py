"""Dead chains that live after all: by moving first, or by stones played where they stood."""

import numpy as np
import pytest

from goban.array_types import Mask
from goban.coords import BLACK, EMPTY, gtp_names
from goban.position import Position
from goban.reading.dead_chains import read_dead_chains
from goban.reading.position_reader import PositionReader
from goban.reading.under_the_stones import living_under_the_stones
from tests.support.finished_positions import finished_positions

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
IN_ATARI = """\
O . . X . O . . .
O . . X . . . . .
O . . X . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . ."""


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
        assert gtp_names(read_dead_chains(PositionReader(position), dead).open) == names


def test_a_stone_in_a_large_territory_is_left_unread() -> None:
    position = Position.from_diagram(STRAIGHT_THREE.replace(". . . . . . .\n. O", ". . X . . . .\n. O"))
    dead = np.zeros((7, 7), np.bool_)
    dead[3, 2] = True
    verdicts = read_dead_chains(PositionReader(position), dead)
    assert (gtp_names(verdicts.open), gtp_names(verdicts.unread)) == ([], ["C4"])


def living(position: Position, dead: Mask) -> Mask:
    """Return the living chains among the dead ones, where no model knows more."""
    return living_under_the_stones(PositionReader(position), dead)


def test_three_points_without_capturing() -> None:
    [torazu] = [each for each in finished_positions() if each.theme == "torazu_sanmoku"]
    stones = torazu.position.stones
    dead = np.zeros(stones.shape, np.bool_)
    dead[:2, 1:3] = True
    for turns in range(4):
        turned, expected = Position.from_stones(-np.rot90(stones, turns)), np.rot90(dead, turns)
        np.testing.assert_array_equal(living(turned, expected), expected)


def test_chains_whose_captor_is_captured_in_return() -> None:
    [hanezeki] = [each for each in finished_positions() if str(each) == "hanezeki: in the corner"]
    dead = hanezeki.position.stones == Position.from_diagram(IN_ATARI).stones
    dead &= hanezeki.position.stones != EMPTY
    assert dead.sum() == 7
    np.testing.assert_array_equal(living(hanezeki.position, dead), dead)


def test_a_stone_that_took_a_ko_has_no_captor() -> None:
    position = Position.from_diagram("""
    . X O .
    X O . O
    . X O .
    . . . .
    """).play("C3")
    dead = position.stones == BLACK
    assert position.ko >= 0
    assert not living(position, dead).any()


def test_stones_that_the_model_calls_alive_stay_alive() -> None:
    [torazu] = [each for each in finished_positions() if each.theme == "torazu_sanmoku"]
    assert not living(torazu.position, np.zeros((9, 9), np.bool_)).any()
