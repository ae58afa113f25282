"""One definition of seki: the stones that are shown and the eyes that do not count belong to the same groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.array_types import Stones
from goban.coords import BLACK, EMPTY
from goban.counting.counted_score import count
from goban.position import Position
from goban.reading.seki import seki_groups
from goban.regions import region_owners
from tests.support import reference_regions as reference
from tests.support.finished_positions import finished_positions
from tests.support.positions import random_positions
from tests.support.seki import TERRITORY, disputed_seki

# Name, stones, the same without those that are not in seki.
SEKI = [
    (
        "an eye each and one liberty shared",
        ". X . O . O X / X X O O O O X / O O X X X X X / O O X . X . X / . O X X X X X / O O O O O O O / . O . O . O .",
        ". X . O . O . / X X O O O O . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "no eye and two liberties shared that are apart",
        "X X X X X / X X X X X / . O X X . / O O O O O / O O O O O",
        "X X X X X / X X X X X / . O X X . / O O O O O / O O O O O",
    ),
    (
        "one dame between groups without eyes",
        "X X X X . / X X X X . / O O . X . / . O O O X / . O . O O",
        ". . . . . / . . . . . / . . . . . / . . . . . / . . . . .",
    ),
    (
        "an eye of three points each, in which a second one can be made, and one liberty shared",
        ". . . X O . . / X X X X O O . / X X X X O O O / X X X . O O O / X X X X O O O / X X X X O O O / X X X X O O O",
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "dame between living groups",
        ". X . O . / X X . O O / . X . O . / X X . O O / . X . O .",
        ". . . . . / . . . . . / . . . . . / . . . . . / . . . . .",
    ),
]


@pytest.mark.parametrize(("name", "stones", "expected"), SEKI, ids=[case[0] for case in SEKI])
@pytest.mark.parametrize("colour", [1, -1])
def test_stones_in_seki(name: str, stones: str, expected: str, colour: int) -> None:
    position = Position.from_stones(colour * text_diagram.parse_diagram(stones))
    found = count(position, np.zeros(position.stones.shape, np.bool_), TERRITORY).seki
    assert text_diagram.render_text(colour * position.stones * found) == text_diagram.render_text(
        text_diagram.parse_diagram(expected)
    ), name


def test_a_group_without_an_eye_may_be_in_seki_with_one_that_has_an_eye() -> None:
    [finished] = [each for each in finished_positions() if each.name.startswith("a group without an eye between two")]
    found = count(finished.position, finished.dead, TERRITORY).seki
    assert text_diagram.render_text(finished.position.stones * found, coordinates=False).splitlines() == [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        "O O . . . . . . .",
        ". O . . . . . . .",
        "O O . . . . . . .",
        ". O . . . . . . .",
        "X X O O O O . . .",
        "X X . O . O . . .",
    ]


@pytest.mark.parametrize("side", [5, 7, 9, 13])
def test_score_and_status_agree_on_random_positions(side: int) -> None:
    random = np.random.default_rng(side)
    for position in random_positions(side, 40):
        chosen = random.random(side * side) < 0.2
        dead = chosen[position.chain_ids()] & (position.stones != EMPTY)
        assert not disputed_seki(position, dead).any()


def test_claimed_seki_is_shown_and_not_counted() -> None:
    position = Position.from_diagram(". X O . / X X O O / O O . O / . O O .")
    dead = np.zeros((4, 4), np.bool_)
    claimed = position.stones == BLACK
    score = count(position, dead, TERRITORY, seki=claimed)
    np.testing.assert_array_equal(score.seki, claimed)
    assert (score.owner[0, 0], score.black.territory) == (EMPTY, 0)


def test_weak_groups_share_the_dame_of_a_claimed_seki() -> None:
    position = Position.from_diagram(
        ". . . X O . . / . . . X O . . / . . . . X O . / . . . X O . . / O . . X O . . / X X X X O . . / . X . X O . ."
    )
    claimed = np.zeros((7, 7), np.bool_)
    claimed[4, 0] = True
    found = count(position, np.zeros((7, 7), np.bool_), TERRITORY, seki=claimed).seki
    assert text_diagram.render_text(position.stones * found, coordinates=False).splitlines() == [
        ". . . X . . .",
        ". . . X . . .",
        ". . . . X . .",
        ". . . . . . .",  # two eyes
        "O . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
    ]


@given(reference.crowded_boards(), st.integers(0, 1 << 32), st.sampled_from([0, 0.1]))
@settings(max_examples=300)
def test_crowded_boards_as_in_plain_python(stones: Stones, seed: int, share: float) -> None:
    side, flat = len(stones), stones.ravel()
    claimed = np.random.default_rng(seed).random(side * side) < share
    found = seki_groups(side, flat, region_owners(side, flat), claimed)
    expected = reference.seki(reference.board_of(stones), reference.points_of(side, claimed))
    assert reference.points_of(side, found) == expected, text_diagram.render_text(stones)
