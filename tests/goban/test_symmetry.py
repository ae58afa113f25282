"""The eight symmetries of the board."""

import numpy as np
import pytest

from goban import symmetry

BOARD = np.arange(25).reshape(5, 5)


def test_zero_is_the_identity() -> None:
    assert (symmetry.apply(BOARD, 0) == BOARD).all()


def test_all_are_different() -> None:
    assert len({symmetry.apply(BOARD, k).tobytes() for k in symmetry.SYMMETRIES}) == 8


@pytest.mark.parametrize("k", symmetry.SYMMETRIES)
def test_points_move_as_the_array_does(k: int) -> None:
    turned = symmetry.apply(BOARD, k).ravel()
    assert all(turned[symmetry.point(p, 5, k)] == p for p in range(25))
    assert symmetry.point(25, 5, k) == 25


def test_leading_axes_stay() -> None:
    batch = np.stack([BOARD, BOARD + 100])
    assert (symmetry.apply(batch, 5)[1] == symmetry.apply(BOARD + 100, 5)).all()


@pytest.mark.parametrize("k", symmetry.SYMMETRIES)
def test_tables_say_where_points_go_and_come_from(k: int) -> None:
    content = np.append(BOARD, 25)
    turned = np.append(symmetry.apply(BOARD, k), 25)
    assert (content[symmetry.sources(5)[k]] == turned).all()
    assert (turned[symmetry.destinations(5)[k]] == content).all()
