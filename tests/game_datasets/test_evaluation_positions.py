"""Evaluated positions: each ply as often as others, in order, in batches of one board side."""

from dataclasses import replace

import numpy as np
import pytest

from game_datasets.evaluation_positions import evaluation_positions, further_ends, staggered, table_planes
from tests.support.batches import STANDARD
from tests.support.random_games import branched_games, game_table, random_game

TABLE = game_table([random_game(side, seed, 10 * side) for seed, side in enumerate([5, 9, 9, 7, 9, 5])])


def test_evaluation_positions_are_every_tenth_ply_from_one_of_each_games_own() -> None:
    table = game_table([random_game(5, 1, 25), random_game(5, 2, 0), random_game(5, 3, 22), random_game(5, 4, 3)])
    table = replace(table, ids=[f"{number:016x}" for number in (20, 17, 32, 7)])
    found = evaluation_positions(table, every=10)
    assert list(zip(found.games.tolist(), found.plies.tolist(), strict=True)) == [
        *((0, ply) for ply in (0, 10, 20)),
        (1, 0),
        *((2, ply) for ply in (2, 12, 22)),
        (3, 3),
    ]
    further = further_ends(table, every=10)
    assert (further.games.tolist(), further.plies.tolist()) == ([0], [25])


def test_all_plies_are_evaluated_and_both_colours_alike() -> None:
    plies = evaluation_positions(game_table([random_game(5, seed, 40) for seed in range(90)])).plies
    assert set(plies.tolist()) == set(range(41))
    assert np.mean(plies % 2) == pytest.approx(0.5, abs=0.02)


def test_table_planes_keep_the_order_and_split_where_the_side_changes() -> None:
    batches = list(table_planes(TABLE, *evaluation_positions(TABLE), STANDARD, chains=True, batch_size=7))
    assert np.array_equal(np.concatenate([batch.game for batch in batches]), evaluation_positions(TABLE)[0])
    assert np.array_equal(np.concatenate([batch.ply for batch in batches]), evaluation_positions(TABLE)[1])
    assert [len(batch.game) for batch in batches] == [6, 7, 7, 6, 7, 1, 7, 3, 6]
    assert list(table_planes(TABLE, np.empty(0, np.int32), np.empty(0, np.int16), STANDARD)) == []


def test_evaluation_positions_begin_at_the_branch() -> None:
    games, plies = evaluation_positions(branched_games(-1, 17, 30), every=10)
    assert list(zip(games.tolist(), plies.tolist(), strict=True)) == [
        *((0, ply) for ply in (0, 10, 20, 30)),
        *((1, ply) for ply in (18, 28)),
        (2, 30),
    ]


def test_staggered_positions_go_through_the_games_from_their_branches() -> None:
    found = staggered(branched_games(-1, 14, 0, 29), np.array([0, 1, 2, 3], np.int32))
    assert found.plies.tolist() == [29 // 5, 14 + 2 * 15 // 5, 3 * 29 // 5, 29]
