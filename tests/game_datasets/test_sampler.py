"""The sampler draws the same from games and from a teacher's positions each time, and ends cleanly."""

import threading
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from game_datasets.batches import drop_history, replay_batch
from game_datasets.evaluation_positions import evaluation_positions, further_ends, table_planes
from game_datasets.game_table import GameTable
from game_datasets.sampler import Sampler
from goban import coords
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.position import Position
from planes.feature_sets import FEATURE_SETS
from planes.position_planes import planes_and_chains
from planes.replayed_planes import Draws
from tests.support.batches import OLDER, RECENT, STANDARD, same
from tests.support.random_games import RANK, RandomGame, game_table, random_game

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


def test_the_last_position_of_a_game_shows_who_resigned() -> None:
    game = random_game(5, 3, 20)
    table = game_table([game, game, game])
    last = game.moves[-1][1]
    table = replace(table, resigned=np.array([-last, last, 0], np.int8))  # the side to move, the other side, neither
    games, plies = np.repeat(np.arange(3, dtype=np.int32), 2), np.tile(np.array([0, len(game.moves)], np.int16), 3)
    [batch] = table_planes(table, games, plies, STANDARD)
    assert batch.resigned.tolist() == [0, 1, 0, -1, 0, -1]


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


# Moves, ply, the side to move there.
TURNS = [
    ([], 0, BLACK),
    ([(0, WHITE)], 0, WHITE),
    ([(0, WHITE)], 1, BLACK),
    ([(0, BLACK), (1, BLACK)], 1, BLACK),
    ([(0, BLACK), (1, BLACK)], 2, WHITE),
    ([(0, BLACK), (25, WHITE)], 2, BLACK),
]


@pytest.mark.parametrize(("moves", "ply", "to_move"), TURNS)
def test_targets_are_of_the_side_to_move(moves: list[tuple[int, int]], ply: int, to_move: int) -> None:
    table = game_table([RandomGame(5, [(12, BLACK)], moves)])
    batch = next(table_planes(table, np.array([0], np.int32), np.array([ply], np.int16), STANDARD))
    assert (batch.target.reshape(-1) == table.target * to_move).all()
    own = batch.planes[0, 2, 2, STANDARD.planes.index("own_area")]
    assert own == (to_move == BLACK)


def next_moves(table: GameTable, plies: list[int]) -> list[int]:
    batches = table_planes(table, np.zeros(len(plies), np.int32), np.array(plies, np.int16), STANDARD)
    return [int(move) for move in next(batches).move]


def test_the_next_move_is_that_of_the_record_and_none_at_its_end() -> None:
    table = game_table([RandomGame(5, [], [(7, BLACK), (25, WHITE), (3, BLACK)])])
    assert next_moves(table, [0, 1, 2, 3]) == [7, 25, 3, -1]


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


def test_a_game_without_a_target_gives_moves_only() -> None:
    table = game_table([random_game(5, 1, 30), random_game(5, 2, 30)])
    table = replace(table, target=table.target[:25], target_offset=np.array([0, 25, 25]))
    batch = Sampler(table, STANDARD, 64, 7).batch(0)
    assert batch.labelled.tolist() == (batch.game == 0).tolist()
    assert not batch.target[batch.game == 1].any()
    assert batch.target[batch.game == 0].any()
    assert ((batch.move >= 0) == (batch.ply < 30)).all()


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


def turned(*branches: int) -> GameTable:
    """Return a table of games of 30 moves on 5x5 with these branches, -1 for none."""
    table = game_table([random_game(5, seed, 30) for seed in range(len(branches))])
    return replace(table, branch=np.array(branches, np.int16))


def test_no_position_is_drawn_before_the_branch_of_its_game() -> None:
    batches = [Sampler(turned(-1, 0, 20, 30), STANDARD, 64, 7).batch(step) for step in range(50)]
    games, plies = (np.concatenate([getattr(batch, name) for batch in batches]) for name in ("game", "ply"))
    drawn = [set(plies[games == game].tolist()) for game in range(4)]
    assert drawn == [set(range(31)), set(range(31)), set(range(20, 31)), {30}]
    assert np.mean(games == 3) == pytest.approx(1 / 4, abs=0.03)


def test_moves_teach_nothing_from_the_branch_on() -> None:
    table = turned(-1, 20)
    games, plies = np.repeat([0, 1], 31).astype(np.int32), np.tile(np.arange(31), 2).astype(np.int16)
    [batch] = table_planes(table, games, plies, STANDARD)
    played = (table.move_codes >> 1).reshape(2, 30)
    assert batch.move.tolist() == [*played[0].tolist(), -1, *played[1, :20].tolist(), *[-1] * 11]
    assert (batch.labelled).all()


def test_evaluation_positions_begin_at_the_branch() -> None:
    games, plies = evaluation_positions(turned(-1, 17, 30), every=10)
    assert list(zip(games.tolist(), plies.tolist(), strict=True)) == [
        *((0, ply) for ply in (0, 10, 20, 30)),
        *((1, ply) for ply in (18, 28)),
        (2, 30),
    ]


@pytest.mark.parametrize("chosen", [None, [True, False, True]])
def test_the_stones_of_dropped_moves_are_older_ones(chosen: list[bool] | None) -> None:
    """As in the same positions without moves, but for the places of those that were captured."""
    game, plies, alphago = random_game(7, 5, 40), np.array([3, 30, 40]), FEATURE_SETS["alphago48"]
    draws = Draws(np.zeros(3, int), plies, np.zeros(3, int))
    with_moves = replay_batch(game_table([game]), draws, alphago, chains=False)
    kept, stones = with_moves.planes.copy(), with_moves.stones != 0
    dropped = drop_history(with_moves, alphago, None if chosen is None else np.array(chosen)).planes
    bare = [
        Position.from_stones(board, to_move=int(to_move), ko=int(ko))
        for board, to_move, ko in zip(with_moves.stones, with_moves.to_move, with_moves.ko, strict=True)
    ]
    without_moves, _ = planes_and_chains(bare, alphago, RANK)
    for number, drops in enumerate(chosen or [True] * 3):
        there = stones[number]
        expected = without_moves[number] if drops else kept[number]
        assert np.array_equal(dropped[number][there], expected[there])
        older = (there | kept[number][..., RECENT].any(axis=-1)) if drops else kept[number][..., OLDER]
        assert np.array_equal(dropped[number][..., OLDER], older)
    assert (kept[..., RECENT].any(axis=-1) & stones).any()  # there were moves to drop
