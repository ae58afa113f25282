"""The sampler draws the same from games and from a teacher's positions each time, and ends cleanly."""

import threading
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from game_datasets.evaluation_positions import table_planes
from game_datasets.sampler import Sampler
from goban import coords
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from tests.support.batches import STANDARD, same
from tests.support.random_games import RandomGame, branched_games, game_table, random_game

TABLE = game_table([random_game(side, seed, 10 * side) for seed, side in enumerate([5, 9, 9, 7, 9, 5])])


def sampler(seed: int = 1, workers: int = 2) -> Sampler:
    return Sampler(TABLE, STANDARD, 16, seed, workers=workers, chains=True)


def test_a_batch_has_the_documented_arrays_and_one_side() -> None:
    for step in range(10):
        batch = sampler().batch(step)
        assert batch.chains is not None
        side = int(TABLE.side[batch.game[0]])
        assert (TABLE.side[batch.game] == side).all()
        assert batch.planes.shape == (16, side, side, 20)
        assert batch.planes.dtype == np.float32
        assert batch.chains.shape == (16, side, side)
        assert batch.chains.dtype == np.int32
        assert batch.target.shape == (16, side, side)
        assert batch.target.dtype == np.int8
        assert batch.game.dtype == np.int32
        assert batch.ply.dtype == np.int16
        assert batch.planes.flags.c_contiguous


def test_boards_stay_as_they_were_played_without_symmetries() -> None:
    for step in range(5):
        batch = Sampler(TABLE, STANDARD, 16, 1, symmetries=False).batch(step)
        [plain] = table_planes(TABLE, batch.game, batch.ply, STANDARD)
        assert np.array_equal(batch.planes, plain.planes)
        assert np.array_equal(batch.move, plain.move)


def test_chains_come_only_when_requested() -> None:
    assert Sampler(TABLE, STANDARD, 4, 1).batch(0).chains is None


def test_some_positions_are_shown_without_the_moves_before_them() -> None:
    recent = [number for number, name in enumerate(STANDARD.planes) if name.startswith("recent_")]
    others = [number for number in range(len(STANDARD.planes)) if number not in recent]
    for step in range(10):
        whole = sampler().batch(step)
        some, none = (Sampler(TABLE, STANDARD, 16, 1, history_dropout=share).batch(step) for share in (0.5, 1.0))
        for batch in (some, none):
            np.testing.assert_array_equal(batch.planes[..., others], whole.planes[..., others])
            np.testing.assert_array_equal(batch.move, whole.move)
        assert whole.planes[..., recent].any()
        assert not none.planes[..., recent].any()
        left = (some.planes[..., recent] == whole.planes[..., recent]).all(axis=(1, 2, 3))
        assert 0 < left.sum() < 16
        assert not some.planes[~left][..., recent].any()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_threads_never_change_the_draws(workers: int) -> None:
    batches = sampler(workers=workers).iterate(start_step=3)
    for step, batch in enumerate(islice(batches, 12), 3):
        assert same(batch, sampler().batch(step))


def test_seeds_and_steps_draw_different_batches() -> None:
    assert not same(sampler(1).batch(0), sampler(2).batch(0))
    assert not same(sampler(1).batch(0), sampler(1).batch(1))


def test_draws_cover_sides_games_plies_and_symmetries_evenly() -> None:
    table = game_table([random_game(5, 1, 30), random_game(5, 2, 4), random_game(3, 3, 17)])
    batches = [Sampler(table, STANDARD, 64, 7).batch(step) for step in range(200)]
    games = np.concatenate([batch.game for batch in batches])
    plies = np.concatenate([batch.ply for batch in batches])
    assert np.mean(games == 2) == pytest.approx(18**0.5 / (18**0.5 + 36**0.5), abs=0.12)
    assert np.mean(games == 0) == pytest.approx(np.mean(games == 1), abs=0.03)
    assert np.bincount(plies[games == 0], minlength=31) / np.sum(games == 0) == pytest.approx(1 / 31, abs=0.02)
    assert set(plies[games == 1]) == set(range(5))


def test_games_of_a_dataset_are_drawn_by_its_weight() -> None:
    table = game_table([random_game(5, 1, 30), random_game(5, 2, 30), random_game(5, 3, 30)])
    table = replace(table, dataset=np.array([0, 1, 1], np.int16))
    batches = [Sampler(table, STANDARD, 64, 7, weights=(6, 1)).batch(step) for step in range(100)]
    drawn = np.bincount(np.concatenate([batch.game for batch in batches]))
    assert drawn / drawn.sum() == pytest.approx([6 / 8, 1 / 8, 1 / 8], abs=0.02)


def test_all_symmetries_are_drawn_evenly() -> None:
    table = game_table([RandomGame(5, [(1, BLACK)], [])])
    batches = [Sampler(table, STANDARD, 64, 7).batch(step) for step in range(50)]
    stones = np.concatenate([batch.planes[..., 2].reshape(64, -1).argmax(axis=1) for batch in batches])
    turned = {coords.destinations(5)[k, 1] for k in coords.SYMMETRIES}
    assert turned == set(stones)
    assert np.bincount(stones)[sorted(turned)] / len(stones) == pytest.approx(1 / 8, abs=0.03)


def test_one_position_in_eight_is_an_end_by_two_passes() -> None:
    stones = [(point, (BLACK, WHITE)[point % 2]) for point in range(0, 20, 2)]
    ended, stopped = (RandomGame(5, [], [*stones, *rest]) for rest in ([(25, BLACK), (25, WHITE)], [(21, BLACK)]))
    batches = [Sampler(game_table([ended, stopped]), STANDARD, 64, 7).batch(step) for step in range(100)]
    games, plies = (np.concatenate([getattr(batch, name) for batch in batches]) for name in ("game", "ply"))
    assert np.mean(plies[games == 0] == 12) == pytest.approx(1 / 8 + 7 / 8 / 13, abs=0.03)
    assert np.mean(plies[games == 1] == 11) == pytest.approx(1 / 12, abs=0.03)


def test_the_next_move_turns_with_the_board() -> None:
    table = game_table([RandomGame(5, [(1, BLACK)], [(1 + 5, WHITE)])])
    batch = Sampler(table, STANDARD, 64, 7).batch(0)
    begun = batch.ply == 0
    beside = {(coords.destinations(5)[k, 1], coords.destinations(5)[k, 6]) for k in coords.SYMMETRIES}
    stones = batch.planes[begun].reshape(-1, 25, len(STANDARD.planes))[..., STANDARD.planes.index("other_3_liberties")]
    found = {(int(each.argmax()), int(move)) for each, move in zip(stones, batch.move[begun], strict=True)}
    assert found == beside
    assert set(batch.move[~begun].tolist()) == {-1}


def test_closing_the_iterator_ends_its_threads() -> None:
    before = set(threading.enumerate())
    batches = sampler().iterate()
    next(batches)
    assert len(set(threading.enumerate()) - before) == 2
    batches.close()
    assert set(threading.enumerate()) <= before


def test_an_error_in_a_worker_is_raised_and_ends_the_threads() -> None:
    before = set(threading.enumerate())
    batches = sampler(seed=-1).iterate()
    with pytest.raises(ValueError, match="non-negative"):
        next(batches)
    assert set(threading.enumerate()) <= before


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InputError, match="at least one game"):
        Sampler(game_table([]), STANDARD, 4, 1)


def test_no_position_is_drawn_before_the_branch_of_its_game() -> None:
    batches = [Sampler(branched_games(-1, 0, 20, 30), STANDARD, 64, 7).batch(step) for step in range(50)]
    games, plies = (np.concatenate([getattr(batch, name) for batch in batches]) for name in ("game", "ply"))
    drawn = [set(plies[games == game].tolist()) for game in range(4)]
    assert drawn == [set(range(31)), set(range(31)), set(range(20, 31)), {30}]
    assert np.mean(games == 3) == pytest.approx(1 / 4, abs=0.03)
