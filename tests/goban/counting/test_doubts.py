"""Why a count may be wrong: each reason with the points that it is worth."""

import numpy as np
import pytest

from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from goban.counting.claims import Claims
from goban.counting.doubts import Doubt
from goban.counting.estimate import Estimate
from goban.counting.estimate_position import estimate
from goban.counting.languages import language
from goban.position import Position
from goban.rulesets import RULESETS, Terms

SIDE = 9
# White's three stones lie in Black's territory.
BOARD = """
. . . . . X O . .
. X . . . X O . .
. . . . . X O . .
. . . . . X O . O
. . O O . X O . .
. . O . . X O . .
. . . . . X O . O
. X . . . X O . .
. . . . . X O . .
"""
INVADERS = ("C5", "D5", "C4")


def counted(lives: float, rules: str = "area", over: bool = True) -> Estimate:
    """Return the count where the points of Black's territory are White's by an ownership `lives` from -1 to 1."""
    owners = np.ones((SIDE, SIDE), np.float32)
    owners[:, :5] = -lives
    owners[:, 6:] = -1
    for vertex in ("B2", "B8"):
        owners.flat[parse_gtp(vertex, SIDE)] = 1
    return estimate(Position.from_diagram(BOARD), owners, Terms(RULESETS[rules], 0), ended=True, over=over)


@pytest.mark.parametrize("rules", ["area", "territory"])
def test_a_group_that_may_live_is_worth_the_change_of_the_count(rules: str) -> None:
    answer = counted(-0.82, rules)
    assert (answer.finished, answer.state) == (True, "unsafe")
    first = answer.reasons[0]
    assert (first.kind, first.colour) == ("may live", WHITE)
    assert {gtp_name(point, SIDE) for point in first.points} == {*INVADERS}
    alive = np.zeros((SIDE, SIDE), np.bool_)
    alive.flat[list(first.points)] = True
    nothing = np.zeros_like(alive)
    claims = Claims(nothing, alive, nothing)
    position, terms = answer.position, answer.terms
    other = estimate(position, answer.ownership, terms, ended=True, claims=claims)
    assert first.worth == answer.score - other.score > 0
    assert answer.trust.startswith(f"Not safe to count: White's C5 (3 stones, {first.worth:g} points) may live")


def test_a_sure_count_has_no_reasons() -> None:
    answer = counted(-0.99)
    assert (answer.state, answer.reasons, answer.in_doubt) == ("safe", (), [])


def test_chains_in_doubt_have_the_chance_to_live() -> None:
    [chain] = counted(-0.82).in_doubt
    assert (chain.colour, {gtp_name(point, SIDE) for point in chain.points}) == (WHITE, {*INVADERS})
    assert chain.lives == pytest.approx(0.09)


def test_moves_that_may_be_left_come_first() -> None:
    answer = counted(-0.82, over=False)
    assert answer.reasons[0].kind == "moves left"
    assert answer.trust == "Not safe to count: moves may be left."
    assert answer.state == "unsafe"


def test_dame_are_no_reason() -> None:
    side = 9
    stones = np.zeros((side, side), np.int8)
    stones[:, :4], stones[:, 5:] = BLACK, WHITE
    stones[1::4, 1] = stones[1::4, 7] = 0
    stones[7, 1] = stones[7, 7] = 0
    owners = stones.astype(np.float32)
    owners[stones == 0] = np.sign(4 - np.nonzero(stones == 0)[1])
    answer = estimate(Position.from_stones(stones), owners, Terms(RULESETS["area"], 0), ended=True)
    assert int(answer.uncertain_points.sum()) == side, "the column of dame is more than 6% of the board"
    assert (answer.score, answer.state) == (0, "safe")


@pytest.mark.parametrize("name", ["en", "de", "zh", "ja", "ko"])
@pytest.mark.parametrize(
    "doubt",
    [
        Doubt("moves left", SIDE),
        Doubt("may live", SIDE, WHITE, (0, 1, 2), 8),
        Doubt("may die", SIDE, BLACK, (0,), 1),
        Doubt("next move", SIDE, BLACK, (0,), 2),
        Doubt("open border", SIDE, 0, (3,), 6),
        Doubt("points next move", SIDE, 0, (3, 4), 2),
        Doubt("points", SIDE, 0, (3,), 1),
    ],
)
def test_every_reason_is_worded_in_every_language(doubt: Doubt, name: str) -> None:
    token = language.set(name)
    try:
        assert doubt.text and "{" not in doubt.text
        if doubt.points:
            assert gtp_name(doubt.points[0], SIDE) in doubt.text and f"{doubt.worth:g}" in doubt.text
    finally:
        language.reset(token)
