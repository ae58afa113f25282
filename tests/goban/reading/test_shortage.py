"""Living chains short of liberties, which their own territory does not save if the other side moves first."""

import numpy as np
import pytest

from goban.coords import gtp_names
from goban.position import Position
from goban.reading.dead_groups import read_dead_chains
from goban.reading.reader import Reader
from goban.reading.shortage import short_of_liberties
from tests.support.finished_positions import finished_positions
from tests.support.reading import TWO_STONES


@pytest.mark.parametrize(
    ("diagram", "names"), [(TWO_STONES, ["C5", "C4"]), (TWO_STONES.replace("O O X . . X", "O O X X . X"), [])]
)
def test_two_stones_that_the_next_move_decides(diagram: str, names: list[str]) -> None:
    for colour in (1, -1):
        position, nothing = (
            Position.from_stones(colour * Position.from_diagram(diagram).stones),
            np.zeros((9, 9), np.bool_),
        )
        assert gtp_names(short_of_liberties(Reader(position), nothing, nothing)) == names


@pytest.mark.parametrize(
    ("name", "without", "with_proofs"),
    [
        # Black's dead stones take C9 of White's, and are taken then.
        ("nakade: a square of four stones inside five points", ["C9", "D9", "C8", "D8"], []),
        # White's dead stones were read without E8 and E9, where they live by taking D8.
        ("dragons: a ladder of diagonals with an eye at one end", ["D9", "D8"], ["D9", "D8"]),
    ],
)
def test_chains_beside_stones_that_are_proved_to_die(name: str, without: list[str], with_proofs: list[str]) -> None:
    [finished] = [each for each in finished_positions() if str(each) == name]
    reader, dead = Reader(finished.position), finished.dead
    verdicts = read_dead_chains(reader, dead)
    for proved, names in ((dead & False, without), (dead & ~(verdicts.open | verdicts.unread), with_proofs)):
        assert gtp_names(short_of_liberties(reader, dead, proved)) == names
