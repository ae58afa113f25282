"""The value of a node by the visits below it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.position import Position
from ownership.search.mcts.tree_options import TreeOptions
from tests.support.positions import random_positions
from tests.support.tree_searches import ALONE, Area, check_tree, game_of, searched, tree_of

TREES = st.builds(
    lambda side, index, batch, threads, noise, weighting: (
        random_positions(side, 8)[index],
        TreeOptions(batch=batch, threads=threads, noise=noise, value_weighting=weighting),
    ),
    st.sampled_from([2, 3, 4, 5]),
    st.integers(0, 7),
    st.integers(1, 5),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.25]),
    st.sampled_from([0.0, 0.25, 1.0]),
)


@given(TREES, st.integers(1, 300))
@settings(max_examples=40)
def test_every_tree_adds_up(given_tree: tuple[Position, TreeOptions], visits: int) -> None:
    position, options = given_tree
    search = searched(game_of(position, "new-zealand"), Area(noise=1.0), options, visits=visits)
    check_tree(search)
    result = search.result()
    assert result.root.visits == visits
    assert sum(each.visits for each in result.moves) == visits - 1
    assert result.nodes <= visits


def test_a_value_may_be_that_of_the_best_move() -> None:
    """With `minimax` 1, the value of a node is plain minimax over its children."""
    options = TreeOptions(threads=1, batch=1, minimax=1.0)
    search = searched(game_of(random_positions(5, 4)[2]), Area(noise=1.0), options, visits=300)
    nodes = tree_of(search).nodes[: tree_of(search).used[0]]
    check_tree(search)
    for node in range(len(nodes)):
        below = nodes["to_move"][node] * nodes["best"][nodes["parent"] == node]
        own = nodes["own_value"][node] if not len(below) else nodes["to_move"][node] * below.max()
        assert nodes["best"][node] == pytest.approx(own)


def test_moves_that_seem_worse_count_less() -> None:
    """So a position is worth more to the side to move than the mean over its moves, and less than its best move."""
    position = random_positions(5, 4)[2]
    alike, weighted = (
        searched(game_of(position), Area(noise=1.0), replace(ALONE, value_weighting=weighting), visits=400).result()
        for weighting in (0.0, 0.25)
    )
    for result, least, most in ((alike, -1e-6, 1e-6), (weighted, 1e-4, 1.0)):
        means = [position.to_move * each.value.value for each in result.moves]
        visits = [each.visits for each in result.moves]
        total = position.to_move * (result.root.visits * result.root.value - result.own.value)
        mean = np.average(means, weights=visits)
        assert least <= total / sum(visits) - mean < min(most, max(means) - mean)
