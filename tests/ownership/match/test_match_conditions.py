"""Handicaps and impossible conditions of a match."""

import pytest

from goban.coords import WHITE
from goban.errors import InputError
from ownership.match.match_conditions import Conditions


def test_handicap_stones_are_set_up() -> None:
    start = Conditions(9, handicap=3, opening=0).new_game().start
    assert (int(start.stones.sum()), start.to_move) == (3, WHITE)


@pytest.mark.parametrize(
    "wrong", [{"side": 1}, {"rules": "mine"}, {"opening": 5}, {"handicap": 1}, {"main_time": -1.0}]
)
def test_impossible_conditions_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Conditions(**{"side": 9, **wrong})  # type: ignore[arg-type]
