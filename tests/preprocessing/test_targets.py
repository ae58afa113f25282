"""From a finished game to the owner of each point."""

import numpy as np
import pytest

from goban import diagram
from goban.coords import BLACK
from preprocessing.gnugo import GnuGo, find_gnugo
from preprocessing.record import Game
from preprocessing.sgf import parse_game
from preprocessing.targets import REJECTIONS, Labeller, Rejected

DEAD_STONE = """
    . . . X O . .
    . X . X O O .
    . . O X O . .
    . X . X O O .
    . . . X O . .
    . . . X O . .
    . . . X O . .
"""
SEKI = """
    . . O X . O X . .
    . . O X . O X . .
    . . O X O O X . .
    . . O O X X X . .
    O O O O X X X X X
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
"""
SEKI_OWNERS = """
    O O O X . O X X X
    O O O X . O X X X
    O O O X O O X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
"""


def labeller(tolerance: float = 1.5) -> Labeller:
    return Labeller(GnuGo(find_gnugo()), "GNU Go 3.8", tolerance)


def record(text: str, result: str) -> Game:
    """Return a game that plays the stones of a diagram one by one, with komi 0.5."""
    stones = diagram.parse(text)
    letters = "abcdefghijklmnopqrstuvwxy"
    moves = "".join(
        f";{'B' if stones[row, column] == BLACK else 'W'}[{letters[column]}{letters[row]}]"
        for row, column in np.argwhere(stones)
    )
    return parse_game(f"(;GM[1]SZ[{len(stones)}]KM[0.5]RU[Chinese]RE[{result}]{moves})".encode(), "test")


def assert_owners(found: np.ndarray, expected: str) -> None:
    assert np.array_equal(found, diagram.parse(expected)), diagram.render(found)


def test_every_point_has_an_owner() -> None:
    label = labeller().label(record(DEAD_STONE, "B+6.5"))
    assert_owners(label.target, "\n".join(["X X X X O O O"] * 7))
    assert label.target.dtype == np.int8
    assert (label.score, label.scorer) == (6.5, "GNU Go 3.8")


def test_nobody_owns_the_empty_points_of_a_seki() -> None:
    label = labeller().label(record(SEKI, "B+4.5"))
    assert_owners(label.target, SEKI_OWNERS)


@pytest.mark.parametrize(("result", "tolerance"), [("B+8.5", 2), ("B+5.5", 1), ("W+0.5", 7)])
def test_accepts_within_the_tolerance(result: str, tolerance: float) -> None:
    assert labeller(tolerance).label(record(DEAD_STONE, result)).score == 6.5


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (record(DEAD_STONE, "B+R"), "not counted"),
        (record(DEAD_STONE, "W+T"), "not counted"),
        (record(DEAD_STONE, "?"), "not counted"),
        (record("X .\n. O", "B+0.5"), "side"),
        (record("\n".join(["X O . . . . ."] + [". . . . . . ."] * 6), "B+6.5"), "too short"),
        (record(DEAD_STONE, "B+8.5"), "score differs"),
        (record(DEAD_STONE, "W+6.5"), "score differs"),
    ],
)
def test_rejections(game: Game, reason: str) -> None:
    with pytest.raises(Rejected) as raised:
        labeller().label(game)
    assert raised.value.reason == reason
    assert reason in REJECTIONS


def test_a_rejection_says_both_scores() -> None:
    with pytest.raises(Rejected, match=r"recorded \+8.5, counted \+6.5"):
        labeller().label(record(DEAD_STONE, "B+8.5"))
