"""Finished boards that an ownership map marks and the record confirms."""

from dataclasses import replace

import numpy as np
import pytest

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban import text_diagram
from goban.coords import SYMMETRIES, apply_symmetry
from goban.position import Position
from preprocessing.record_confirmation import Confirmed, confirm, nearest_count
from tests.support.boards import DEAD_STONE

LETTERS = "abcdefghijklmnopqrstuvwxy"
COLOURS = {"B": 1.0, "W": -1.0, "b": 0.6, "w": -0.6, "?": 0.1}

DEAD_STONE_MAP = "\n".join(["B B B B W W W"] * 7)
HALVES = "\n".join(["X X X X O O O"] * 7)

# Black's corner lives or dies, and White's.
TWO_CORNERS = """
. X . O X . .
X X O O X . .
O O O . X . .
. . O X X X X
. . O X O O O
. . O X O . .
. . O X O . .
"""
TWO_CORNERS_MAP = """
b b W W B B B
b b W W B B B
W W W W B B B
W W W B B B B
W W W B w w w
W W W B w w w
W W W B w w w
"""
TWO_CORNERS_OWNERS = """
1 1 ? O X X X
1 1 O O X X X
O O O . X X X
O O O X X X X
O O O X 2 2 2
O O O X 2 2 2
O O O X 2 2 2
"""
TWINS = """
. O X . X O .
O O X . X O O
X X X . X X X
. . . . . . .
. X . . . X .
. . . . . . .
. . . . . . .
"""
TWINS_MAP = """
? ? B B B ? ?
? ? B B B ? ?
B B B B B B B
B B B B B B B
B B B B B B B
B B B B B B B
B B B B B B B
"""
TWINS_ALIVE = """
O O X X X O O
O O X X X O O
X X X X X X X
X X X X X X X
X X X X X X X
X X X X X X X
X X X X X X X
"""
# The chain B5 has one liberty of Black's own and a dame.
ONE_DAME = """
. X . O .
X O O O .
X X O . .
. X O O O
. X O . .
"""
ONE_DAME_MAP = """
B B ? W W
B W W W W
B B W W W
B B W W W
B B W W W
"""


def owner_map(text: str) -> np.ndarray:
    """Return the ownership that a diagram of colours, lower case where unsure, stands for."""
    return np.array([[COLOURS[mark] for mark in line.split()] for line in text.split("\n") if line], np.float32)


def record(text: str, result: str, rules: str = "Japanese", komi: float = 0.5, to_move: str = "B") -> GameRecord:
    """Return a record that sets up the stones of a diagram and passes twice."""
    stones = text_diagram.parse_diagram(text)
    names = {
        colour: "".join(f"[{LETTERS[column]}{LETTERS[row]}]" for row, column in np.argwhere(stones == colour))
        for colour in (1, -1)
    }
    first, second = (to_move, "W" if to_move == "B" else "B")
    header = f"GM[1]SZ[{len(stones)}]KM[{komi}]RU[{rules}]RE[{result}]PL[{first}]"
    return parse_game(f"(;{header}AB{names[1]}AW{names[-1]};{first}[];{second}[])".encode(), "test")


def confirmed(text: str, ownership: str, result: str, rules: str = "Japanese", to_move: str = "B") -> Confirmed | None:
    game = record(text, result, rules, to_move=to_move)
    return confirm(game, game.position(), owner_map(ownership))


def assert_owners(found: Confirmed | None, expected: str) -> None:
    assert found is not None
    assert np.array_equal(found.owner, text_diagram.parse_diagram(expected)), text_diagram.render_text(found.owner)


@pytest.mark.parametrize(
    ("rules", "result"), [("Japanese", "B+7.5"), ("Chinese", "B+6.5"), ("", "B+7.5"), ("", "B+6.5")]
)
def test_a_count_that_is_the_record(rules: str, result: str) -> None:
    found = confirmed(DEAD_STONE, DEAD_STONE_MAP, result, rules)
    assert_owners(found, HALVES)
    assert found is not None and not found.by_record


@pytest.mark.parametrize(("rules", "result"), [("Japanese", "B+6.5"), ("Chinese", "B+7.5"), ("Japanese", "W+7.5")])
def test_a_record_that_no_count_gives(rules: str, result: str) -> None:
    assert confirmed(DEAD_STONE, DEAD_STONE_MAP, result, rules) is None


@pytest.mark.parametrize(
    ("rules", "result", "count"),
    [("Japanese", "B+6.5", 7.5), ("Chinese", "B+7.5", 6.5), ("", "B+9.5", 7.5), ("", "W+9.5", 6.5)],
)
def test_the_count_nearest_to_a_record(rules: str, result: str, count: float) -> None:
    game = record(DEAD_STONE, result, rules)
    assert nearest_count(game, game.position(), owner_map(DEAD_STONE_MAP)) == count


@pytest.mark.parametrize(
    ("result", "black_corner", "white_corner"),
    [("W+7.5", "X", "O"), ("B+10.5", "X", "X"), ("W+16.5", "O", "O"), ("B+1.5", "O", "X")],
)
def test_the_record_decides_about_unsure_groups(result: str, black_corner: str, white_corner: str) -> None:
    found = confirmed(TWO_CORNERS, TWO_CORNERS_MAP, result, "Chinese")
    between = "." if black_corner == "X" else "O"
    expected = TWO_CORNERS_OWNERS.replace("1", black_corner).replace("2", white_corner).replace("?", between)
    assert_owners(found, expected)
    assert found is not None and found.by_record == (result != "W+7.5")


def test_a_record_whose_komi_is_assumed_decides_nothing() -> None:
    game, owners = record(TWO_CORNERS, "B+10.5", "Chinese"), owner_map(TWO_CORNERS_MAP)
    assert confirm(game, game.position(), owners) is not None
    assert confirm(replace(game, komi_given=False), game.position(), owners) is None


def test_two_ways_to_explain_a_record_are_one_too_many() -> None:
    assert confirmed(TWINS, TWINS_MAP, "B+40.5", "Chinese") is None
    assert_owners(confirmed(TWINS, TWINS_MAP, "B+48.5", "Chinese"), "\n".join(["X X X X X X X"] * 7))
    assert_owners(confirmed(TWINS, TWINS_MAP, "B+32.5", "Chinese"), TWINS_ALIVE)


def test_a_stone_that_died_among_its_friends_explains_nothing() -> None:
    unsure = DEAD_STONE_MAP.replace("B", "b")
    assert confirmed(DEAD_STONE, unsure, "W+9.5", "Japanese") is None


@pytest.mark.parametrize(
    ("to_move", "result", "explained"),
    [("B", "W+6.5", True), ("B", "W+5.5", True), ("B", "W+7.5", False), ("W", "W+7.5", True), ("W", "W+5.5", False)],
)
def test_the_side_to_move_may_fill_the_odd_dame(to_move: str, result: str, explained: bool) -> None:
    found = confirmed(ONE_DAME, ONE_DAME_MAP, result, "Chinese", to_move)
    assert (found is not None) == explained


@pytest.mark.parametrize(
    ("result", "explained"), [("W+3.5", True), ("W+4.5", True), ("W+2.5", False), ("W+5.5", False)]
)
def test_a_point_may_have_to_be_protected_once_the_dame_are_filled(result: str, explained: bool) -> None:
    found = confirmed(ONE_DAME, ONE_DAME_MAP, result)
    assert (found is not None) == explained
    if found is not None:
        assert found.owner[0].tolist() == [1, 1, 0, -1, -1]


@pytest.mark.parametrize("k", SYMMETRIES)
def test_the_board_may_be_turned(k: int) -> None:
    game = record(TWO_CORNERS, "B+1.5", "Chinese")
    turned = Position.from_stones(apply_symmetry(game.position().stones, k))
    straight = confirm(game, game.position(), owner_map(TWO_CORNERS_MAP))
    found = confirm(game, turned, np.ascontiguousarray(apply_symmetry(owner_map(TWO_CORNERS_MAP), k)))
    assert straight is not None and found is not None
    assert np.array_equal(found.owner, apply_symmetry(straight.owner, k))
