"""Whether a board looks finished."""

import numpy as np
import pytest

from goban.coords import BLACK, EMPTY, WHITE
from goban.counting.finished_or_not import looks_finished

STONES = np.repeat(np.array([BLACK, EMPTY, WHITE], np.int8), (25, 50, 25)).reshape(10, 10)
FEW, MANY = 1, 20  # of 100 points


@pytest.mark.parametrize(
    ("stones", "empty", "finished", "after_passes"),
    [
        (0, FEW, True, True),
        (MANY, 0, False, True),
        (0, MANY, False, True),
        (MANY, MANY, False, True),
        (0, 50, False, False),
    ],
)
def test_few_stones_and_few_empty_points_may_be_uncertain(
    stones: int, empty: int, finished: bool, after_passes: bool
) -> None:
    uncertain = np.zeros(100, np.bool_)
    uncertain[:stones] = True
    uncertain[25 : 25 + empty] = True
    assert looks_finished(STONES, uncertain.reshape(10, 10)) == finished
    assert looks_finished(STONES, uncertain.reshape(10, 10), ended=True) == after_passes


def test_a_board_of_one_colour_is_not_finished() -> None:
    assert not looks_finished(np.abs(STONES), np.zeros((10, 10), np.bool_))
