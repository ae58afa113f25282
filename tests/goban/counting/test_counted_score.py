"""Counting by area and by territory, as tables of diagrams; dead stones are written x (Black) and o (White)."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.coords import BLACK, WHITE
from goban.counting.counted_score import PlayerPoints, count, format_result, tromp_taylor
from goban.position import Position
from goban.regions import owners
from goban.rulesets import RULESETS, Terms

AREA, TERRITORY = RULESETS["area"], RULESETS["territory"]


def board(text: str) -> tuple[Position, npt.NDArray[np.bool_]]:
    """Return the position of a diagram and its dead stones."""
    stones = text_diagram.parse_diagram(text.upper())
    letters = [letter for letter in text if letter in "xoXO."]
    dead = np.array([letter in "xo" for letter in letters]).reshape(stones.shape)
    return Position.from_stones(stones), dead


DIVIDED = """
. . X O .
. . X O .
. . X O .
. . X O .
. . X O .
"""
DAME = """
. X . O .
. X . O .
. X X O .
. . X O .
. . X O .
"""
DEAD = """
. X O . x
X X O . .
. X O O O
o X X X O
. X . X O
"""
DEAD_AND_BIG = """
. . o . X O .
. o . . X O O
. . . . X O .
X X X X X O O
O O O O O O .
. . x . . . .
. . x . . . .
"""
SEKI_WITHOUT_EYES = """
. X O . O X .
X X O X O X X
O O O X O O O
O X X X X X O
O X . . . X O
O X X X X X O
O O O O O O O
"""
SEKI_WITH_EYES = """
. X . O . O X
X X O O O O X
O O O X X X X
X X X X . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""
TWO_EYES_BESIDE_DAME = """
. X . X . O .
X X X X . O O
O O O O O O .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""
ONE_LARGE_EYE_BESIDE_DAME = """
. . . X . O .
X X X X . O O
O O O O O O .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""
ONE_EYE_JOINED_BY_A_DAME = """
. X . X . X .
X X O X X X .
O O O O O X X
. . . . O O O
. . . . . . .
. . . . . . .
. . . . . . .
"""

# name, diagram, area (Black, White), territory (Black, White)
COUNTS = [
    ("a divided board", DIVIDED, (15, 10), (10, 5)),
    ("dame are neutral", DAME, (13, 10), (7, 5)),
    ("dead stones are territory and prisoners", DEAD, (14, 11), (6, 5)),
    ("dead stones in open territory", DEAD_AND_BIG, (20, 29), (14, 19)),
    ("eyes in seki are area but not territory", SEKI_WITH_EYES, (38, 10), (24, 0)),
    ("two small eyes make a living group in spite of dame", TWO_EYES_BESIDE_DAME, (8, 39), (2, 30)),
    ("so does an eye in which a second can be made", ONE_LARGE_EYE_BESIDE_DAME, (8, 39), (3, 30)),
    ("no seki where the other side is strong", ONE_EYE_JOINED_BY_A_DAME, (14, 34), (4, 25)),
]


@pytest.mark.parametrize(("name", "text", "area", "territory"), COUNTS)
def test_count(name: str, text: str, area: tuple[int, int], territory: tuple[int, int]) -> None:
    position, dead = board(text)
    by_area = count(position, dead, Terms(AREA, 0))
    by_territory = count(position, dead, Terms(TERRITORY, 0))
    assert (by_area.black.total, by_area.white.total) == area, name
    assert (by_territory.black.total, by_territory.white.total) == territory, name


@pytest.mark.parametrize(("name", "text", "area", "territory"), COUNTS)
def test_count_is_fair_to_colours(name: str, text: str, area: tuple[int, int], territory: tuple[int, int]) -> None:
    position, dead = board(text.translate(str.maketrans("XOxo", "OXox")))
    for rules, (black, white) in ((AREA, area), (TERRITORY, territory)):
        score = count(position, dead, Terms(rules, 0))
        assert (score.white.total, score.black.total) == (black, white), name


def test_the_owners_of_a_seki() -> None:
    position, dead = board(SEKI_WITH_EYES)
    assert count(position, dead, Terms(AREA, 0)).owner[0].tolist() == [1, 1, 0, -1, -1, -1, 1]
    assert count(position, dead, Terms(TERRITORY, 0)).owner[0].tolist() == [0, 1, 0, -1, 0, -1, 1]


def test_prisoners_count_under_territory_rules_only() -> None:
    stones = text_diagram.parse_diagram(DIVIDED)
    position = Position.from_stones(stones, prisoners=(3, 1))
    alive = np.zeros((5, 5), np.bool_)
    assert count(position, alive, Terms(TERRITORY, 6.5)).margin == 10 + 3 - 5 - 1 - 6.5
    assert count(position, alive, Terms(AREA, 6.5)).margin == 15 - 10 - 6.5


@st.composite
def played_games(draw: st.DrawFn) -> tuple[Position, npt.NDArray[np.bool_], int]:
    """Return the end of a random game, chains called dead, and the moves of Black less those of White."""
    side, chance = draw(st.integers(2, 9)), np.random.default_rng(draw(st.integers(0, 2**32)))
    position, lead = Position.empty(side), 0
    for point in chance.integers(0, side * side + 1, draw(st.integers(0, 4 * side * side))).tolist():
        if position.is_legal(point):
            lead += position.to_move * (point < side * side)
            position = position.play(point)
    called = chance.random(side * side)[position.chain_ids()] < draw(st.floats(0, 1))
    return position, called & (position.stones != 0), lead


@given(played_games())
@settings(max_examples=80)
def test_area_is_territory_and_the_moves_of_both(game: tuple[Position, npt.NDArray[np.bool_], int]) -> None:
    position, dead, lead = game
    by_area, by_territory = (count(position, dead, Terms(rules, 0.5)) for rules in (AREA, TERRITORY))
    eyes_in_seki = int(by_area.owner.sum() - by_territory.owner.sum())
    assert by_area.margin - by_territory.margin == lead + eyes_in_seki
    for score in (by_area, by_territory):
        living = (position.stones != 0) & ~dead
        assert np.array_equal(score.owner[living], position.stones[living])
    assert by_area.black.total + by_area.white.total == np.count_nonzero(by_area.owner)


@given(played_games(), st.integers(0, 3))
@settings(max_examples=80)
def test_a_count_turns_with_the_board_and_changes_with_the_colours(
    game: tuple[Position, npt.NDArray[np.bool_], int], turns: int
) -> None:
    position, dead, _ = game
    black, white = position.prisoners
    turned = Position.from_stones(-np.rot90(position.stones, turns), prisoners=(white, black))
    for rules in (AREA, TERRITORY):
        score = count(position, dead, Terms(rules, 0))
        other = count(turned, np.rot90(dead, turns), Terms(rules, 0))
        assert (other.black, other.white) == (score.white, score.black)
        np.testing.assert_array_equal(other.owner, -np.rot90(score.owner, turns))
        np.testing.assert_array_equal(other.seki, np.rot90(score.seki, turns))


@pytest.mark.parametrize(
    ("rules", "handicap", "bonus"),
    [
        ("chinese", 4, 4),
        ("chinese", 0, 0),
        ("chinese", 1, 0),
        ("aga", 4, 3),
        ("bga", 2, 1),
        ("ing", 2, 2),
        ("japanese", 4, 0),
        ("korean", 4, 0),
        ("new-zealand", 4, 0),
        ("tromp-taylor", 4, 0),
    ],
)
def test_handicap_bonus(rules: str, handicap: int, bonus: int) -> None:
    position, dead = board(DIVIDED)
    score = count(position, dead, Terms(RULESETS[rules], 0.5, handicap))
    assert score.terms.total_komi == 0.5 + bonus
    assert score.margin == 5 - 0.5 - bonus


def test_dead_marks_on_empty_points_are_ignored() -> None:
    position, _ = board(DIVIDED)
    marks = position.stones == 0
    for rules in (AREA, TERRITORY):
        assert count(position, marks, Terms(rules, 0)).margin == 5


def test_owners_of_the_empty_board() -> None:
    assert not owners(np.zeros((9, 9), np.int8), np.zeros((9, 9), np.bool_)).any()


@pytest.mark.parametrize(
    ("text", "margin"),
    [
        ("... / ... / ...", 0),
        ("... / .X. / ...", 9),
        ("X.O / ... / ...", 0),
        (".XO / XX. / ...", 3),
        (DIVIDED, 5),
        (DAME, 3),
    ],
)
def test_tromp_taylor(text: str, margin: int) -> None:
    assert tromp_taylor(text_diagram.parse_diagram(text)) == margin


@pytest.mark.parametrize(
    ("margin", "result"),
    [(8.5, "B+8.5"), (-0.5, "W+0.5"), (0.0, "0"), (3.0, "B+3"), (-3.75, "W+3.75"), (361, "B+361")],
)
def test_format_result(margin: float, result: str) -> None:
    assert format_result(margin) == result


def test_the_result_of_a_score() -> None:
    position, dead = board(DIVIDED)
    assert count(position, dead, Terms(AREA, 5.5)).result == "W+0.5"
    assert count(position, dead, Terms(AREA, 5)).result == "0"


def test_colours_are_what_owners_hold() -> None:
    owner = owners(text_diagram.parse_diagram(DIVIDED), np.zeros((5, 5), np.bool_))
    assert owner[0].tolist() == [BLACK, BLACK, BLACK, WHITE, WHITE]
    assert owner.dtype == np.int8


def test_what_points_are_made_of() -> None:
    position, dead = board(DEAD)
    position = Position.from_stones(position.stones, prisoners=(4, 1))
    by_area, by_territory = (count(position, dead, Terms(rules, 0.5)) for rules in (AREA, TERRITORY))
    assert (by_area.black, by_area.white) == (PlayerPoints(5, stones=9), PlayerPoints(4, stones=7))
    assert (by_territory.black, by_territory.white) == (
        PlayerPoints(5, dead=1, prisoners=4),
        PlayerPoints(4, dead=1, prisoners=1),
    )
