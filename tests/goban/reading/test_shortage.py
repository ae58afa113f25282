"""Living chains short of liberties, which their own territory does not save if the other side moves first."""

import numpy as np
import pytest

from goban.coords import gtp_names
from goban.position import Position
from goban.reading.reader import Reader
from goban.reading.shortage import short_of_liberties
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
