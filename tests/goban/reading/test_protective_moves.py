"""Protective moves that are left when the dame are filled, and living chains short of liberties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from goban.coords import gtp_names
from goban.position import Position
from goban.reading.dead_chains import read_dead_chains
from goban.reading.liberty_shortage import short_of_liberties
from goban.reading.position_reader import PositionReader
from goban.reading.protective_moves import find_teire
from goban.regions import owners
from tests.support.finished_positions import finished_positions, parse
from tests.support.positions import random_positions
from tests.support.reading import TWO_STONES

# Once White fills E4, Black's D4 is in atari.
TO_CONNECT = """
. . X O . . .
. X X O . O .
. . X O O . .
. . . X . O .
. . X O O . .
. X X O . O .
. . X O . . .
"""
CONNECTED = TO_CONNECT.replace(". . . X . O .", ". . X X . O .")
# Once White fills E5, E3 and F4, Black's D4 and E4 are in atari.
THREE_DAME = """
. . X O . . .
. X X O O O .
. . X O . O .
. . . X X . O
. . X O . O .
. X X O O O .
. . X O . . .
"""
# Black can fill E4 and is connected, though White may be there first.
FRIEND_BEHIND = """
. . X O . . . . .
. X X O . O . O .
. . X O O O O O O
. . . X . X X X X
. . X O O O X . X
. X X O . O X X X
. . X O . O O O O
. . X O O . O . .
. . X O . O . . .
"""


def teire(position: Position, dead: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Return the points to be filled; all stones live unless they are said to be dead."""
    dead = np.zeros(position.stones.shape, np.bool_) if dead is None else dead
    return find_teire(PositionReader(position), dead, owners(position.stones, dead))


@pytest.mark.parametrize("diagram", [TO_CONNECT, THREE_DAME])
def test_a_stone_that_filling_dame_puts_in_atari_is_connected(diagram: str) -> None:
    assert gtp_names(teire(Position.from_diagram(diagram))) == ["C4"]


def test_the_answer_turns_with_the_board_and_changes_with_the_colours() -> None:
    position = Position.from_diagram(TO_CONNECT)
    found = teire(position)
    for turns in range(4):
        turned = Position.from_stones(-np.rot90(position.stones, turns))
        np.testing.assert_array_equal(teire(turned), np.rot90(found, turns))


@pytest.mark.parametrize("diagram", [CONNECTED, FRIEND_BEHIND])
def test_what_is_connected_or_can_be_on_a_dame_needs_no_move(diagram: str) -> None:
    assert not teire(Position.from_diagram(diagram)).any()


def test_a_small_group_with_dead_stones_in_it_takes_them() -> None:
    position = Position.from_diagram("""
        O O X O O O . X . O
        . O X X X O X X O O
        . O O . X X X O O .
        . . O O O O O O . .
        . . . . . . . . . .
        . . O . . O . . O .
        . . . . . . . . . .
        . O . . O . . O . .
        . . . . . . . . . .
        . . . O . . . . O .
    """)
    dead = np.zeros((10, 10), np.bool_)
    dead[0, 3:6] = dead[1, 5] = True
    assert gtp_names(teire(position, dead)) == ["G10"]


# Once White fills G1, Black's E1 has only the liberty that capturing White's stones gives it, and then has to connect.
TO_CAPTURE = """
+ + + + X O - - -
+ X + + X O - O -
+ + + + X O - - -
+ X + + X O O - -
+ + + X X O - - -
+ X + X O O - O -
+ + + X O - - - -
X X X X O O O O -
"""


@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("+ + + o X X . O -", ["C1", "D1"]),
        ("+ + o o X X . O -", ["B1", "D1"]),
        ("+ o o o X X . O -", ["A1", "D1"]),
        ("+ + X . X X . O -", ["D1"]),
        ("+ + X X X X . O -", []),
    ],
)
def test_where_a_chain_is_connected_only_by_capturing_the_capture_costs_points(row: str, points: list[str]) -> None:
    [finished] = parse("teire", f"# a name{TO_CAPTURE}{row}")
    assert gtp_names(teire(finished.position, finished.dead)) == points
    turned = Position.from_stones(-np.rot90(finished.position.stones))
    np.testing.assert_array_equal(
        teire(turned, np.rot90(finished.dead)), np.rot90(teire(finished.position, finished.dead))
    )


@given(st.integers(3, 9), st.integers(0, 7), st.integers(0, 2**32))
@settings(max_examples=50)
def test_only_territory_is_named_whatever_is_dead(side: int, index: int, seed: int) -> None:
    position = random_positions(side, 8)[index]
    choice = np.random.default_rng(seed).random(side * side) < 0.3
    dead = choice[position.chain_ids()].reshape(side, side) & (position.stones != 0)
    owner = owners(position.stones, dead)
    found = teire(position, dead)
    assert not found[(position.stones != 0) & ~dead].any()
    assert owner[found].all()


@pytest.mark.parametrize(
    ("diagram", "names"), [(TWO_STONES, ["C5", "C4"]), (TWO_STONES.replace("O O X . . X", "O O X X . X"), [])]
)
def test_two_stones_that_the_next_move_decides(diagram: str, names: list[str]) -> None:
    for colour in (1, -1):
        position, nothing = (
            Position.from_stones(colour * Position.from_diagram(diagram).stones),
            np.zeros((9, 9), np.bool_),
        )
        assert gtp_names(short_of_liberties(PositionReader(position), nothing, nothing)) == names


@pytest.mark.parametrize(
    ("name", "without", "with_proofs"),
    [
        # Black's dead stones take C9 of White's, and are taken then.
        ("nakade: a square of four stones inside five points", ["C9", "D9", "C8", "D8"], []),
        # White's dead stones were read without E8 and E9, where they live by taking D8.
        ("dragons: a ladder of diagonals with an eye at one end", ["D9", "D8"], ["D9", "D8"]),
    ],
)
def test_chains_beside_stones_that_are_proved_to_die(name: str, without: list[str], with_proofs: list[str]) -> None:
    [finished] = [each for each in finished_positions() if str(each) == name]
    reader, dead = PositionReader(finished.position), finished.dead
    verdicts = read_dead_chains(reader, dead)
    for proved, names in ((dead & False, without), (dead & ~(verdicts.open | verdicts.unread), with_proofs)):
        assert gtp_names(short_of_liberties(reader, dead, proved)) == names
