"""The ownership that a search answers."""

import numpy as np
import pytest

from tests.support.positions import random_positions
from tests.support.tree_searches import Area, game_of, searched, tree_of


def test_ownership_is_averaged_with_its_deviation() -> None:
    search = searched(game_of(random_positions(4, 4)[2]), Area(noise=1.0), visits=100)
    tree = tree_of(search)
    whole, below = search.ownership()
    used = int(tree.used[0])
    weights = tree.nodes["own_visits"][:used]
    boards = tree.ownership[:used].astype(float).reshape(used, 4, 4) / 127
    mean = np.average(boards, axis=0, weights=weights)
    assert whole.mean == pytest.approx(mean, abs=1e-6)
    variance = np.average((boards - mean) ** 2, axis=0, weights=weights)
    assert whole.deviation == pytest.approx(np.sqrt(variance), abs=1e-5)
    assert set(below) == {each.point for each in search.result().moves}
