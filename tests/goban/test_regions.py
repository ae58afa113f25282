"""Regions and their owners, beside the same in plain Python."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.array_types import Stones
from goban.regions import connected, protective_points, region_owners
from tests.support import reference_regions as reference


@given(reference.crowded_boards())
@settings(max_examples=200)
def test_an_empty_region_belongs_to_the_one_colour_beside_it(stones: Stones) -> None:
    found = region_owners(len(stones), stones.ravel()).reshape(stones.shape)
    expected = reference.owners(reference.board_of(stones))
    assert reference.board_of(found) == expected, text_diagram.render_text(stones)


@given(reference.crowded_boards())
@settings(max_examples=200)
def test_points_to_fill_once_dame_are_filled(stones: Stones) -> None:
    side, flat = len(stones), stones.ravel()
    found = protective_points(side, flat, region_owners(side, flat))
    expected = reference.protective_points(reference.board_of(stones))
    assert reference.points_of(side, found) == expected, text_diagram.render_text(stones)


@given(st.integers(2, 7), st.integers(0, 1 << 32), st.integers(2, 50))
@settings(max_examples=100)
def test_the_nearest_connected_points_are_found_first(side: int, seed: int, most: int) -> None:
    random = np.random.default_rng(seed)
    among = random.random(side * side) < 0.6
    start = random.choice(side * side, 2).tolist()
    found = {divmod(point, side) for point in connected(side, start, among, most)}
    board = reference.board_of(among.reshape(side, side))
    rings = [{divmod(point, side) for point in start}]
    while ring := {point for point in reference.around(board, set().union(*rings)) if board[point]}:
        rings.append(ring)
    reached = set().union(*rings)
    last = max(ring for ring, points in enumerate(rings) if points & found)
    assert set().union(*rings[:last]) <= found <= reached
    assert found == reached or most < len(found) <= most + 4
