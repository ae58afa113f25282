"""Pairings of a match."""

from ownership.match.pairings import schedule


def test_all_pairs_play_each_opening_with_both_colours() -> None:
    pairings = list(schedule(["a", "b", "c"], 4))
    assert len(pairings) == len(set(pairings)) == 12
    assert [(each.black, each.white, each.opening) for each in pairings if (each.first, each.second) == (0, 2)] == [
        (0, 2, 0),
        (2, 0, 0),
        (0, 2, 1),
        (2, 0, 1),
    ]
