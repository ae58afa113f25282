"""The status of the stones of a finished position, from ownership that is drawn."""

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE
from goban.counting.dead_stones import assign_status
from goban.counting.status_assignments import consistent
from goban.pass_alive import pass_alive
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.regions import owners
from tests.support.positions import ko_positions, random_positions

# B and W: surely Black's, White's; b and w: probably; small digits: nearly even, in Black's favour.
CHANCES = {"B": 0.97, "W": -0.97, "b": 0.6, "w": -0.6, "1": 0.1, "?": 0.0}


def drawn(text: str) -> NDArray[np.float32]:
    return np.array([[CHANCES[mark] for mark in line.split()] for line in text.split("\n") if line], np.float32)


# Three white stones in Black's area, whose own points are nearly even: the points around them say that they are dead.
INVADED = """
. . . X O . .
. O . X O O .
. O . X O . O
. O . X O O O
. . . X X O .
. . X . X O O
. . . X . X O
"""
INVADED_MAP = """
b b b B W W W
b ? b B W W W
b ? b B W W W
b ? b B W W W
b b b B B W W
b b B B B W W
B B B B B B W
"""


def test_the_points_around_a_chain_say_whether_it_is_dead() -> None:
    status = assign_status(PositionReader(Position.from_diagram(INVADED), drawn(INVADED_MAP)))
    assert np.flatnonzero(status.dead).tolist() == [8, 15, 22]
    assert 0 < status.doubt[1, 1] < 0.1
    assert np.count_nonzero(status.doubt) == 3


def test_unconditional_life_needs_no_ownership() -> None:
    position = Position.from_diagram(". X O . / X X . O / . X O . / X X O .".replace(" / ", "\n"))
    status = assign_status(PositionReader(position, np.full((4, 4), -0.9, np.float32)))
    assert not status.dead[position.stones == 1].any()
    assert not status.doubt[position.stones == 1].any()


def test_claims_go_before_everything() -> None:
    position = Position.from_diagram(INVADED)
    claimed = np.where(position.stones == -1, 1, 0).astype(np.int8)
    assert not assign_status(PositionReader(position, drawn(INVADED_MAP)), claimed).dead.any()
    assert assign_status(PositionReader(position, drawn(INVADED_MAP)), -claimed).dead[position.stones == -1].all()


@cache
def played() -> list[Position]:
    """20 positions of random games and 60 with a ko."""
    return [*random_positions(7, 20), *ko_positions(7, 60)]


@settings(max_examples=120)
@example(19, np.full((7, 7), -1, np.float32))
@example(19, np.full((7, 7), 1, np.float32))
@given(
    st.integers(0, 79),
    arrays(np.float32, (7, 7), elements=st.floats(-1, 1, width=32)),
)
def test_chains_are_judged_as_a_whole_and_lie_with_the_enemy(number: int, ownership: NDArray[np.float32]) -> None:
    position = played()[number]
    status = assign_status(PositionReader(position, ownership))
    for chain in position.chains():
        assert len({bool(status.dead.flat[point]) for point in chain.points}) == 1
        assert len({float(status.doubt.flat[point]) for point in chain.points}) == 1
    assert not status.dead[position.stones == 0].any()
    assert ((status.doubt >= 0) & (status.doubt < 1)).all()
    alive = pass_alive(7, position.stones.ravel()).reshape(7, 7)
    assert not status.dead[(alive == position.stones) & (position.stones != 0)].any()


@pytest.mark.parametrize("certainty", [0.96, 1.0])
def test_a_sure_map_is_followed(certainty: float) -> None:
    for position in random_positions(7, 10):
        none = np.zeros((7, 7), np.bool_)
        ownership = certainty * np.where(position.stones == 0, owners(position.stones, none), position.stones)
        status = assign_status(PositionReader(position, ownership.astype(np.float32)))
        lies = pass_alive(7, position.stones.ravel()).reshape(7, 7) == -position.stones
        assert np.array_equal(status.dead, lies & (position.stones != 0))
        assert consistent(position.stones, owners(position.stones, status.dead), status.dead)


def test_reading_that_captures_a_group_leaves_nothing_in_doubt() -> None:
    """Two groups with one eye each, of which a network makes little: one is read again once the other is gone."""
    position = Position.from_diagram("""
    . . . . . . . . .
    . X X X X X X X .
    X O O O X O O O X
    X O . O X O . O X
    X O O O X O O O X
    . X X X X X X X .
    . . . . . . . . .
    . X . X . X . X .
    . . . . . . . . .
    """)
    alive = owners(position.stones, np.zeros((9, 9), np.bool_))
    status = assign_status(PositionReader(position, 0.5 * alive.astype(np.float32)))
    assert np.array_equal(status.dead, position.stones == -1)
    assert not status.open.any()
    assert status.doubt.max() < 0.01


RACE_BY_DOUBLE_KO = """
O X . X X O . O X
O O X . X X O O X
. O X X X O O X X
O O O O O O X X .
. X X X X X X . .
X . . X . . . . .
. X . . . X . X .
. . . . . . . . .
. . . . X . . . .
"""


def race_by_double_ko() -> PositionReader:
    ownership = np.full((9, 9), -0.99, np.float32)
    ownership[4:] = ownership[:4, 7:] = 0.99
    return PositionReader(Position.from_diagram(RACE_BY_DOUBLE_KO), ownership)


def test_who_wins_a_race_by_double_ko_is_in_doubt() -> None:
    """White has a liberty outside, at A5, so that it depends on the side to move who is captured."""
    reader = race_by_double_ko()
    doubt = assign_status(reader).doubt
    assert doubt[reader.stones != 0].max() >= 0.5
    assert doubt[0, 0] == doubt[1, 2] == 0.5


def test_a_claim_about_some_stones_leaves_reading_the_others() -> None:
    """White's three stones live in the only eye of the black ones, though the model takes them for dead."""
    position = Position.from_diagram("""
    . O O O . X O
    X X X X X X O
    O O O O O O O
    . . O . O . .
    O O O O O O O
    . . . . . . .
    . . . . . . .
    """)
    ownership = np.full((7, 7), -0.99, np.float32)
    ownership[:2, :6] = 0.99
    claimed = np.zeros((7, 7), np.int8)
    claimed[2] = 1  # the white stones around them live
    assert not assign_status(PositionReader(position, ownership), claimed).dead.any()


def test_what_is_claimed_of_a_race_by_double_ko_is_not_in_doubt() -> None:
    reader = race_by_double_ko()
    racing = assign_status(reader).doubt >= 0.5
    assert {BLACK, WHITE} <= set(reader.stones[racing].tolist())
    claimed = np.where(racing, -reader.stones, EMPTY).astype(np.int8)  # White lives
    status = assign_status(reader, claimed)
    assert not status.doubt[racing].any()
    np.testing.assert_array_equal(status.dead[racing], reader.stones[racing] == BLACK)
