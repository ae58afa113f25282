"""Batches show positions, moves and targets from the view of the side to move."""

from dataclasses import replace

import numpy as np
import pytest

from game_datasets.batches import drop_history, replay_batch
from game_datasets.evaluation_positions import table_planes
from game_datasets.game_table import GameTable
from game_datasets.sampler import Sampler
from goban.coords import BLACK, WHITE
from goban.position import Position
from planes.feature_sets import FEATURE_SETS
from planes.position_planes import planes_and_chains
from planes.replayed_planes import Draws
from tests.support.batches import OLDER, RECENT, STANDARD
from tests.support.random_games import RANK, RandomGame, branched_games, game_table, random_game

# Moves, ply, the side to move there.
TURNS = [
    ([], 0, BLACK),
    ([(0, WHITE)], 0, WHITE),
    ([(0, WHITE)], 1, BLACK),
    ([(0, BLACK), (1, BLACK)], 1, BLACK),
    ([(0, BLACK), (1, BLACK)], 2, WHITE),
    ([(0, BLACK), (25, WHITE)], 2, BLACK),
]


def test_the_last_position_of_a_game_shows_who_resigned() -> None:
    game = random_game(5, 3, 20)
    table = game_table([game, game, game])
    last = game.moves[-1][1]
    table = replace(table, resigned=np.array([-last, last, 0], np.int8))  # the side to move, the other side, neither
    games, plies = np.repeat(np.arange(3, dtype=np.int32), 2), np.tile(np.array([0, len(game.moves)], np.int16), 3)
    [batch] = table_planes(table, games, plies, STANDARD)
    assert batch.resigned.tolist() == [0, 1, 0, -1, 0, -1]


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


def test_a_game_without_a_target_gives_moves_only() -> None:
    table = game_table([random_game(5, 1, 30), random_game(5, 2, 30)])
    table = replace(table, target=table.target[:25], target_offset=np.array([0, 25, 25]))
    batch = Sampler(table, STANDARD, 64, 7).batch(0)
    assert batch.labelled.tolist() == (batch.game == 0).tolist()
    assert not batch.target[batch.game == 1].any()
    assert batch.target[batch.game == 0].any()
    assert ((batch.move >= 0) == (batch.ply < 30)).all()


def test_moves_teach_nothing_from_the_branch_on() -> None:
    table = branched_games(-1, 20)
    games, plies = np.repeat([0, 1], 31).astype(np.int32), np.tile(np.arange(31), 2).astype(np.int16)
    [batch] = table_planes(table, games, plies, STANDARD)
    played = (table.move_codes >> 1).reshape(2, 30)
    assert batch.move.tolist() == [*played[0].tolist(), -1, *played[1, :20].tolist(), *[-1] * 11]
    assert (batch.labelled).all()


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
