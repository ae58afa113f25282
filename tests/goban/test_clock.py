"""The clocks of GTP: the time that a move takes, and the time allowed for one."""

import pytest

from goban.clock import Clock


@pytest.mark.parametrize(
    ("clock", "least", "most"),
    [
        (Clock(), None, None),
        (Clock(300, 30, 0), None, None),
        (Clock(300), 2.0, 10.0),
        (Clock(5, 1, 1), 0.5, 0.9),
        (Clock(0, 10, 1), 6.0, 9.0),
        (Clock(0, 300, 25), 8.0, 11.0),
        (Clock(1), 0.01, 0.1),
    ],
)
def test_what_a_clock_allows(clock: Clock, least: float | None, most: float | None) -> None:
    allowed = clock.begun().allowance(9, 0)
    assert allowed == least if least is None or most is None else allowed is not None and least <= allowed <= most


def test_a_game_is_over_before_the_time_is() -> None:
    for clock in (Clock(60).begun(), Clock(5, 1, 1).begun(), Clock(10, 20, 5).begun()):
        for ply in range(0, 120, 2):
            allowed = clock.allowance(9, ply)
            assert allowed is not None
            assert allowed < clock.remaining
            clock = clock.after(allowed)


def test_a_move_that_uses_up_the_main_time_counts_in_the_first_period() -> None:
    clock = Clock(10, 30, 5).begun().after(35)
    assert (clock.left, clock.stones) == (5, 4)
    clock = Clock(10, 30, 1).begun().after(35)
    assert (clock.left, clock.stones) == (30, 1)


def test_the_last_stone_of_a_period_begins_another() -> None:
    clock, seen = Clock(0, 30, 3).begun(), []
    for _ in range(4):
        clock = clock.after(6)
        seen.append((clock.left, clock.stones))
    assert seen == [(24, 2), (18, 1), (30, 3), (24, 2)]


def test_periods_for_single_stones_are_full_after_each_move() -> None:
    clock = Clock(0, 10, 1, single=True).begun().at(10, 5)
    assert clock.allowance(9, 0) == clock.after(4).allowance(9, 0)
    assert clock.allowance(9, 0) == Clock(0, 10, 1).begun().allowance(9, 0)
