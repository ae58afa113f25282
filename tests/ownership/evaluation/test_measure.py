"""Measurements of a model on a dataset, summed up."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_datasets.rows import (
    Label,
    Row,
    accepted_row,
    decoded_game,
    encode_points,
)
from game_datasets.shards import write_shard
from game_records.result_property import Result
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.evaluation.evaluation_tables import (
    all_figures,
)
from ownership.evaluation.measure import (
    measure,
    measure_batch,
    measure_both_sides,
)
from ownership.inference.evaluator import Evaluator
from runtime.folders import Folder
from tests.support.datasets import RECORD, write_dataset
from tests.support.measurements import measurements

pd = pytest.importorskip("pandas", reason="evaluation needs the train extra")


def test_boards_of_one_game_count_as_one_game(tmp_path: Path) -> None:
    from game_datasets.load_table import load_games

    def row(moves: str, branch: int | None, komi: float = 0.5) -> Row:
        game = parse_game(f"(;SZ[5]KM[{komi}]{moves})".encode())
        return accepted_row(game, Label(np.ones((5, 5), np.int8), 25.0, "hand")) | {"branch": branch}

    first, others = ";B[bb];W[dd]", (";B[bb]", ";B[bb];W[dc];B[cc]", ";B[ab];W[ac]")
    rows = [row(first + ";B[cc]", 3), row(others[0], None), row(first, 2), row(first + ";B[dc];W[ee]", 4)]
    rows += [row(others[1], None), row(others[2], 2), row(f"AB[aa]{first};B[cc]", 3)]
    write_shard(Folder(tmp_path), 0, rows)
    table = load_games(tmp_path)
    assert table.records.tolist() == [2, 1, 2, 2, 4, 5, 6]
    same = np.flatnonzero(table.records == 2)
    measured = replace(measurements(), record=table.records[np.array([same[0], same[-1], 4])])
    assert all_figures(measured)["accuracy_error"] == all_figures(measurements())["accuracy_error"]


def test_the_last_position_of_every_game_counts(tmp_path: Path) -> None:
    from game_datasets.evaluation_positions import evaluation_positions, further_ends
    from game_datasets.load_table import load_games

    table = load_games(write_dataset(tmp_path / "data"))  # one game of 14 moves
    for every in (1, 3, 7, 10, 14, 15):
        games, plies = evaluation_positions(table, every)
        further = further_ends(table, every)
        assert [each for each in zip([*games, *further[0]], [*plies, *further[1]], strict=True) if each[1] == 14] == [
            (0, 14)
        ]
    measured = measurements()
    assert measured.owners is not None
    right = np.array([1.0, 1.0, 0.5])
    ends = replace(measured, ply=measured.moves, owners=replace(measured.owners, accuracy_of_all=right))
    found = all_figures(measured, ends=ends)
    assert (found["positions"], found["ends"]["games"]) == (3, 4)
    assert found["ends"]["accuracy_of_all"] == pytest.approx((0.98 + 1 + 1 + 0.5) / 4)


def test_score_is_black_minus_white(small_model: Path, tmp_path: Path) -> None:
    from game_datasets.evaluation_positions import table_planes
    from game_datasets.load_table import load_games

    evaluator = Evaluator.load(small_model)
    table = load_games(write_dataset(tmp_path / "data"))
    games, plies = np.zeros(2, np.int32), np.array([0, 13], np.int16)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True)
    measured = measure(evaluator, table, batches)
    game = parse_game(RECORD)
    expected = evaluator.ownership([game.position(0), game.position(13)]).sum(axis=(1, 2)) - 0.5
    assert measured.owners is not None
    np.testing.assert_allclose(measured.owners.expected, expected, atol=0.05)


def leads(evaluator: Evaluator, positions: list[Position]) -> list[float]:
    """Return the leads that a model predicts, by area with komi 0.5."""
    answers = evaluator.evaluate(positions, terms=Terms(RULESETS["area"], 0.5))
    return [each.lead for each in answers if each.lead is not None]


def test_the_expected_score_is_the_lead_of_a_model_that_predicts_it(tmp_path: Path) -> None:
    from game_datasets.evaluation_positions import table_planes
    from game_datasets.load_table import load_games

    evaluator = Evaluator.load("play")
    table = load_games(write_dataset(tmp_path / "data"))
    games, plies = np.zeros(2, np.int32), np.array([0, 13], np.int16)
    batches = list(table_planes(table, games, plies, evaluator.feature_set, chains=True))
    game = parse_game(RECORD)
    positions = [game.position(0), game.position(13)]
    measured = measure(evaluator, table, batches).owners
    assert measured is not None
    np.testing.assert_allclose(measured.expected, leads(evaluator, positions), atol=0.01)
    both = measure_both_sides(evaluator, table, batches).owners
    turned = [[Position.from_stones(each.stones, colour) for each in positions] for colour in (BLACK, WHITE)]
    assert both is not None
    means = np.mean([leads(evaluator, boards) for boards in turned], axis=0)
    np.testing.assert_allclose(both.expected, means, atol=0.01)


def test_moves_are_ranked_up_to_the_last_one_and_a_given_deviation_is_used(tmp_path: Path) -> None:
    from game_datasets.evaluation_positions import table_planes
    from game_datasets.load_table import load_games
    from planes.feature_sets import FEATURE_SETS

    table = load_games(write_dataset(tmp_path / "data"))
    plies = np.array([0, 7, 14], np.int16)
    batch = next(table_planes(table, np.zeros(3, np.int32), plies, FEATURE_SETS["classic8"]))
    policy = np.zeros((3, 26), np.float32)
    policy[:, 6] = 1  # the first move of the record
    half = np.full((3, 5, 5), 0.5, np.float32)
    measured = measure_batch(
        table, batch, {"ownership": half, "policy": policy, "deviation": np.array([1, 2, 3], np.float32)}
    )
    assert measured.policy is not None
    assert measured.policy.rank.tolist() == [1, 26, 0]
    assert measured.policy.illegal.tolist() == [False, True, True]
    assert measured.policy.entropy.tolist() == [0, 0, 0]
    assert measured.owners is not None
    assert measured.owners.deviation.tolist() == [1, 2, 3]
    assert measured.owners.accuracy_of_all.tolist() == [0.5] * 3  # a half counts half, and so do neutral points
    assert measure_batch(table, batch, {"ownership": half}).policy is None
    assert measure_batch(table, batch, {"policy": policy}).owners is None


def board(text: str) -> np.ndarray:
    """Return a finished board as a row's code list: X Black's stones, O White's."""
    return np.array([{".": 0, "X": BLACK, "O": WHITE}[point] for point in text.split()], np.int8)


def test_boards_of_two_datasets_with_both_sides_to_move(
    bundled: Evaluator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two walls on 5x5: one whose points have its colour as the target, one whose points have the other."""
    from ownership.cli import main

    stones = board("""
        . X O . .
        X X O O .
        . X O . O
        X X O O .
        . X O . .
    """)
    target = np.tile(np.array([1, 1, -1, -1, -1], np.int8), (5, 1))
    write_board(tmp_path / "right", stones, target)
    write_board(tmp_path / "wrong", stones.reshape(5, 5).T.ravel(), -target.T)
    arguments = ["evaluate", "default", str(tmp_path / "right"), str(tmp_path / "wrong"), "--both-sides"]
    assert main([*arguments, "--json", str(tmp_path / "a.json")]) == 0
    figures = json.loads((tmp_path / "a.json").read_text())
    boards = [stones.reshape(5, 5), stones.reshape(5, 5).T]
    both = np.stack(
        [
            [bundled.ownership([Position.from_stones(board, to_move)])[0] for board in boards]
            for to_move in (BLACK, WHITE)
        ]
    )
    mean, turned = both.mean(axis=0)
    assert figures["sides_averaged"] is True
    assert figures["accuracy"] == pytest.approx(0.5)
    right, wrong = figures["by_dataset"]
    assert (right["all_stones"], wrong["all_stones"]) == (1, 0)
    assert right["brier"] == pytest.approx(np.mean(((1 + mean) / 2 - (target > 0)) ** 2), abs=1e-5)
    assert (right["sure_and_wrong"], wrong["sure_and_wrong"]) == (0, pytest.approx(np.mean(np.abs(turned) > 0.9)))
    assert figures["both_sides"]["differ"] == np.mean(np.abs(both[0] - both[1]) > 0.5)
    assert "with either side to move" in capsys.readouterr().out


def write_board(folder: Path, stones: np.ndarray, target: np.ndarray) -> None:
    folder.mkdir()
    nothing = np.array([], np.int16)
    codes = encode_points(np.flatnonzero(stones), stones[stones != 0])
    game = decoded_game(
        codes,
        nothing,
        side=5,
        source=str(target[0, 0]),
        komi=0.5,
        handicap=0,
        rules="area",
        result=Result(0, None, "unknown", ""),
    )
    row = accepted_row(game, Label(target, float(target.sum()) - 0.5, "the test"))
    write_shard(Folder(folder), 0, [row | {"split": "test"}])
