"""The eight symmetries as a group."""

import itertools

import numpy as np
import pytest

from goban import symmetry

BOARD = np.arange(25).reshape(5, 5)


def test_zero_is_the_identity() -> None:
    assert (symmetry.apply(BOARD, 0) == BOARD).all()


def test_all_are_different() -> None:
    assert len({symmetry.apply(BOARD, k).tobytes() for k in symmetry.SYMMETRIES}) == 8


@pytest.mark.parametrize("k", symmetry.SYMMETRIES)
def test_inverse(k: int) -> None:
    assert (symmetry.apply(symmetry.apply(BOARD, k), symmetry.inverse(k)) == BOARD).all()
    assert symmetry.compose(k, symmetry.inverse(k)) == 0


@pytest.mark.parametrize(("first", "second"), list(itertools.product(symmetry.SYMMETRIES, repeat=2)))
def test_composition(first: int, second: int) -> None:
    one_by_one = symmetry.apply(symmetry.apply(BOARD, first), second)
    assert (symmetry.apply(BOARD, symmetry.compose(first, second)) == one_by_one).all()


@pytest.mark.parametrize("k", symmetry.SYMMETRIES)
def test_points_move_as_the_array_does(k: int) -> None:
    turned = symmetry.apply(BOARD, k).ravel()
    assert all(turned[symmetry.point(p, 5, k)] == p for p in range(25))
    assert symmetry.point(25, 5, k) == 25


def test_leading_axes_stay() -> None:
    batch = np.stack([BOARD, BOARD + 100])
    assert (symmetry.apply(batch, 5)[1] == symmetry.apply(BOARD + 100, 5)).all()
