"""Rollouts: the answers of their policy, points that cannot change, and sums that must agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.coords import BLACK, WHITE, parse_gtp
from goban.position import Position
from goban.rollouts import PATTERNS, _pattern_table, roll_out
from goban.text_diagram import parse_diagram
from tests.support.positions import random_positions

TABLE = _pattern_table(PATTERNS)

# name, before, the colour of the last move, the last move, where the other side always answers
ANSWERS = [
    (
        "captures a stone that puts itself in atari",
        "....... / .X..... / X.X.... / ....... / ....... / ....... / .......",
        WHITE, "B5", "B4",
    ),
    (
        "extends from atari",
        "....... / ....... / ..O.... / .OX.... / ....... / ....... / .......",
        WHITE, "C3", "D4",
    ),
    (
        "captures the stone that gives atari",
        "....... / ..O.... / ...O... / XOX.... / .XO.... / ....... / .......",
        WHITE, "D4", "B5",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "colour", "last", "answer"), ANSWERS)
def test_answers_to_the_last_move(name: str, before: str, colour: int, last: str, answer: str) -> None:
    position = Position.from_diagram(before, colour).play(parse_gtp(last, 7))
    first = roll_out(position, 200, seed=3).first[:, parse_gtp(answer, 7)]
    assert (first == -colour).all(), name


def test_a_move_far_away_is_not_answered() -> None:
    before, last, point = (
        "....... / .X..... / XOX.... / ....... / ....... / ....... / .......",
        "G1",
        parse_gtp("B4", 7),
    )
    first = roll_out(Position.from_diagram(before, WHITE).play(parse_gtp(last, 7)), 200, seed=3).first[:, point]
    assert {BLACK, WHITE} <= set(first.tolist())


def code(around: str) -> int:
    """Return the index of eight points around a move by rows: `x` own stones, `o` the other's, `-` beyond the edge."""
    return sum(".xo-".index(sign) << 2 * k for k, sign in enumerate(around.replace(" ", "")))


@pytest.mark.parametrize(
    ("around", "matches"),
    [
        ("xox .. ...", True),  # hane
        ("..x .o ..x", True),  # the same, turned
        ("oxo .. ...", True),  # with colours swapped
        ("xo. o. ...", True),  # a cut
        ("xo. oo ...", False),  # which is connected already
        ("... .. ...", False),
        ("x.. o. ---", True),  # at the edge
        ("... .. ---", False),
        ("xxx xx xxx", False),
    ],
)
def test_patterns(around: str, matches: bool) -> None:
    assert TABLE[code(around)] == matches


def test_patterns_match_turned_mirrored_and_with_colours_swapped() -> None:
    points = np.arange(8)
    square = np.insert(points, 4, -1).reshape(3, 3)
    for turned in (np.rot90(square), square.T):
        order = [each for each in turned.ravel() if each >= 0]
        codes = np.arange(4**8)
        moved = sum((codes >> 2 * k & 3) << 2 * to for to, k in enumerate(order))
        assert (TABLE[codes] == TABLE[moved]).all()
    swapped = np.array([0, 2, 1, 3])
    assert (TABLE[codes] == TABLE[sum(swapped[codes >> 2 * k & 3] << 2 * k for k in range(8))]).all()


def test_a_group_with_two_eyes_lives_and_a_finished_board_stays() -> None:
    board = """
        .X.XO
        XXXXO
        OOOOO
        .O.O.
        OOOOO
    """
    rollouts = roll_out(Position.from_diagram(board, BLACK), 50)
    owner = parse_diagram("XXXXO / XXXXO / OOOOO / OOOOO / OOOOO")
    assert (rollouts.ownership == owner).all()
    assert (rollouts.scores == owner.sum()).all() and not rollouts.first.any()


POSITIONS = st.builds(lambda side, index: random_positions(side, 8)[index], st.integers(2, 9), st.integers(0, 7))


@given(POSITIONS, st.integers(1, 5), st.integers(0, 2**63))
def test_scores_and_owners_agree(position: Position, count: int, seed: int) -> None:
    rollouts = roll_out(position, count, seed)
    points = position.side**2
    assert rollouts.scores.shape == (count,) and rollouts.first.shape == (count, points)
    assert (np.abs(rollouts.scores) <= points).all() and (np.abs(rollouts.ownership) <= 1).all()
    assert rollouts.ownership.sum() == pytest.approx(rollouts.scores.mean(), abs=1e-3)
    again = roll_out(position, count, seed)
    assert (again.first == rollouts.first).all() and (again.scores == rollouts.scores).all()


def test_seeds_differ() -> None:
    one, other = (roll_out(Position.empty(9), 20, seed).scores.tolist() for seed in (1, 2))
    assert one != other and len(set(one)) > 5
