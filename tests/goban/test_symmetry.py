"""The eight symmetries of the board."""

import numpy as np
import pytest

from goban import coords

BOARD = np.arange(25).reshape(5, 5)


def test_zero_is_the_identity() -> None:
    assert (coords.apply_symmetry(BOARD, 0) == BOARD).all()


def test_all_are_different() -> None:
    assert len({coords.apply_symmetry(BOARD, k).tobytes() for k in coords.SYMMETRIES}) == 8


@pytest.mark.parametrize("k", coords.SYMMETRIES)
def test_points_move_as_the_array_does(k: int) -> None:
    turned = coords.apply_symmetry(BOARD, k).ravel()
    assert all(turned[coords.destinations(5)[k, p]] == p for p in range(25))
    assert coords.destinations(5)[k, 25] == 25


def test_leading_axes_stay() -> None:
    batch = np.stack([BOARD, BOARD + 100])
    assert (coords.apply_symmetry(batch, 5)[1] == coords.apply_symmetry(BOARD + 100, 5)).all()


@pytest.mark.parametrize("k", coords.SYMMETRIES)
def test_tables_say_where_points_go_and_come_from(k: int) -> None:
    content = np.append(BOARD, 25)
    turned = np.append(coords.apply_symmetry(BOARD, k), 25)
    assert (content[coords.sources(5)[k]] == turned).all()
    assert (turned[coords.destinations(5)[k]] == content).all()
