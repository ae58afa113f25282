"""Openings, handicaps and pairings of a match."""

import pytest

from goban.coords import WHITE
from goban.errors import InputError
from ownership.match.conditions import Conditions, schedule


def test_openings_are_fair_and_repeatable() -> None:
    conditions = Conditions(9, opening=2, seed=5)
    openings = [tuple(conditions.moves(number)) for number in range(20)]
    assert openings == [tuple(Conditions(9, opening=2, seed=5).moves(number)) for number in range(20)]
    assert len(set(openings)) > 15
    assert openings != [tuple(Conditions(9, opening=2, seed=6).moves(number)) for number in range(20)]
    for side in (2, 3, 5, 7, 9, 13, 19):
        assert len(Conditions(side, opening=1).moves(3)) == 1


def test_handicap_stones_are_set_up() -> None:
    start = Conditions(9, handicap=3, opening=0).new_game().start
    assert (int(start.stones.sum()), start.to_move) == (3, WHITE)


@pytest.mark.parametrize(
    "wrong", [{"side": 1}, {"rules": "mine"}, {"opening": 5}, {"handicap": 1}, {"main_time": -1.0}]
)
def test_impossible_conditions_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Conditions(**{"side": 9, **wrong})  # type: ignore[arg-type]


def test_all_pairs_play_each_opening_with_both_colours() -> None:
    pairings = list(schedule(["a", "b", "c"], 4))
    assert len(pairings) == len(set(pairings)) == 12
    assert [(each.black, each.white, each.opening) for each in pairings if (each.first, each.second) == (0, 2)] == [
        (0, 2, 0),
        (2, 0, 0),
        (0, 2, 1),
        (2, 0, 1),
    ]
