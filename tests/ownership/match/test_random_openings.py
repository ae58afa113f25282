"""Openings of a match."""

from ownership.match.match_conditions import Conditions


def test_openings_are_fair_and_repeatable() -> None:
    conditions = Conditions(9, opening=2, seed=5)
    openings = [tuple(conditions.moves(number)) for number in range(20)]
    assert openings == [tuple(Conditions(9, opening=2, seed=5).moves(number)) for number in range(20)]
    assert len(set(openings)) > 15
    assert openings != [tuple(Conditions(9, opening=2, seed=6).moves(number)) for number in range(20)]
    for side in (2, 3, 5, 7, 9, 13, 19):
        assert len(Conditions(side, opening=1).moves(3)) == 1
