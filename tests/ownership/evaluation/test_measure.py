"""Metrics on cases small enough to compute by hand, and the report."""

import json
from pathlib import Path

import numpy as np
import pytest

from ownership.evaluation.measure import (
    BINS,
    TENTHS,
    Calibration,
    Measurements,
    accuracy,
    as_table,
    brier,
    calibration,
    measure,
    measure_batch,
    policy_rank,
    report,
)
from ownership.inference.evaluator import Evaluator
from preprocessing.records.sgf import parse_game
from tests.support.datasets import RECORD, write_dataset

PROBABILITY = np.array([[[0.92, 0.4], [0.2, 0.5]], [[0.62, 0.62], [0.62, 0.62]]], np.float32)
TARGET = np.array([[[1, 1], [-1, 0]], [[1, -1], [-1, -1]]], np.int8)


def test_accuracy_is_the_share_of_decided_points_called_right() -> None:
    np.testing.assert_allclose(accuracy(PROBABILITY, TARGET), [2 / 3, 1 / 4])


def test_one_half_is_no_answer() -> None:
    half = np.full((1, 2, 2), 0.5, np.float32)
    assert accuracy(half, np.ones((1, 2, 2), np.int8)) == [0]
    assert accuracy(half, -np.ones((1, 2, 2), np.int8)) == [0]


def test_brier_is_the_mean_squared_error_of_probabilities() -> None:
    expected = [(0.08**2 + 0.6**2 + 0.2**2) / 3, (0.38**2 + 3 * 0.62**2) / 4]
    np.testing.assert_allclose(brier(PROBABILITY, TARGET), expected, rtol=1e-6)


def test_calibration_counts_decided_points_in_bins() -> None:
    tally = calibration(PROBABILITY, TARGET)
    assert tally.points.sum() == 7
    assert (tally.points[18], tally.predicted[18], tally.observed[18]) == (1, pytest.approx(0.92), 1)
    assert (tally.points[12], tally.predicted[12], tally.observed[12]) == (4, pytest.approx(2.48), 1)
    # |0.92 - 1| + |0.4 - 1| + |0.2 - 0| + |2.48 - 1|, of 7 points
    assert tally.error == pytest.approx((0.08 + 0.6 + 0.2 + 1.48) / 7)


def test_certain_points_fall_into_the_last_bin() -> None:
    tally = calibration(np.ones((1, 2, 2), np.float32), np.ones((1, 2, 2), np.int8))
    assert tally.points[-1] == 4
    assert tally.error == 0


def measurements() -> Measurements:
    """Return three positions: two of a game of 100 moves on 9x9, the end of one of 50 moves on 19x19."""
    tallies = [Calibration(*np.zeros((3, BINS))) for _ in range(TENTHS)]
    tallies[0] = Calibration(*_bins([4, 0], [1, 0], [1, 0]))
    tallies[5] = tallies[9] = Calibration(*_bins([0, 3], [0, 2.5], [0, 3]))
    return Measurements(
        accuracy=np.array([0.5, 1.0, 0.75]),
        brier=np.array([0.25, 0.05, 0.1]),
        expected=np.array([0.0, 8.0, -3.0]),
        deviation=np.array([10.0, 1.0, 0.5]),
        score=np.array([7.5, 7.5, -5.0]),
        ply=np.array([0, 50, 50]),
        moves=np.array([100, 100, 50]),
        side=np.array([9, 9, 19]),
        rank=np.array([1, 6, 0]),
        calibration=tuple(tallies),
    )


def _bins(*rows: list[float]) -> np.ndarray:
    return np.array([row + [0] * (BINS - len(row)) for row in rows], np.float64)


def test_the_rank_of_a_move_counts_ties_against_it() -> None:
    policy = np.array([[0.5, 0.2, 0.3], [0.4, 0.4, 0.2], [0.5, 0.2, 0.3], [0.1, 0.1, 0.8]], np.float32)
    assert policy_rank(policy, np.array([1, 0, -1, 2], np.int16)).tolist() == [3, 2, 0, 1]


def test_report_groups_positions() -> None:
    figures = report(measurements())
    assert figures["positions"] == 3
    assert figures["accuracy"] == pytest.approx(0.75)
    assert figures["score_error"] == pytest.approx((7.5 + 0.5 + 2) / 3)
    assert figures["score_coverage"] == pytest.approx(2 / 3)
    assert figures["calibration_error"] == pytest.approx(0.1)
    assert [(row["move"], row["positions"], row["accuracy"]) for row in figures["by_move"]] == [
        (0, 1, 0.5),
        (50, 2, 0.875),
    ]
    assert [(row["tenth"], row["accuracy"]) for row in figures["by_tenth"]] == [(1, 0.5), (6, 1.0), (10, 0.75)]
    assert [row["calibration_error"] for row in figures["by_tenth"]] == pytest.approx([0, 1 / 6, 1 / 6])
    assert (figures["top_1"], figures["top_5"], figures["top_10"]) == (0.5, 0.5, 1.0)
    assert [row.get("top_1") for row in figures["by_tenth"]] == [1.0, 0.0, None]
    assert [(row["side"], row["positions"]) for row in figures["by_side"]] == [(9, 2), (19, 1)]
    assert figures["calibration"][1] == {"predicted": 5 / 6, "observed": 1.0, "points": 6}
    assert json.loads(json.dumps(figures)) == figures


def test_table_shows_every_group() -> None:
    lines = as_table(report(measurements())).splitlines()
    assert lines[1].split() == ["all", "3", "75.00%", "0.1333", "0.1000", "3.33", "66.7%", "50.0%", "50.0%", "100.0%"]
    assert [line.split()[:2] for line in lines if line.startswith(("move", "tenth"))] == [
        ["move", "0"],
        ["move", "50"],
        ["tenth", "1"],
        ["tenth", "6"],
        ["tenth", "10"],
    ]
    assert lines[-1].split() == ["0.833", "1.000", "6"]


def test_evaluate_command(small_chain_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset = write_dataset(tmp_path / "data")
    arguments = ["evaluate", str(small_chain_model), str(dataset), "--split", "train", "--every", "7"]
    assert main([*arguments, "--json", str(tmp_path / "a.json"), "--picture", str(tmp_path / "a.png")]) == 0
    figures = json.loads((tmp_path / "a.json").read_text())
    assert (figures["model"], figures["split"], figures["games"], figures["every"]) == ("small-chains", "train", 1, 7)
    assert [row["move"] for row in figures["by_move"]] == [0, 7, 14]
    assert sum(row["points"] for row in figures["calibration"]) == 3 * 20
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "accuracy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--every", "0"], "--every must be at least 1. Received: 0"),
        (["--picture", "a.gif"], "a.gif: expected a picture file ending in .png, .svg, .pdf"),
        (["--split", "exam"], "split must be one of train, validation, test. Received: exam"),
    ],
)
def test_evaluate_refuses(
    extra: list[str], message: str, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset = write_dataset(tmp_path / "data")
    assert main(["evaluate", str(small_model), str(dataset), "--split", "train", *extra]) == 2
    assert capsys.readouterr().err == f"ownership: error: {message}\n"


def test_score_is_told_from_blacks_side(small_model: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from preprocessing.dataset.sampler import evaluation_positions, table_planes
    from preprocessing.dataset.table import load_games

    evaluator = Evaluator.load(small_model)
    table = load_games(write_dataset(tmp_path / "data"))
    games, plies = evaluation_positions(table, 13)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True)
    measured = measure(evaluator, table, batches)
    game = parse_game(RECORD)
    expected = evaluator.ownership([game.position(0), game.position(13)]).sum(axis=(1, 2)) - 0.5
    np.testing.assert_allclose(measured.expected, expected, atol=0.05)


def test_moves_are_ranked_up_to_the_last_one_and_a_given_deviation_is_used(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from preprocessing.dataset.sampler import evaluation_positions, table_planes
    from preprocessing.dataset.table import load_games
    from preprocessing.features.planes import FEATURE_SETS

    table = load_games(write_dataset(tmp_path / "data"))
    batch = next(table_planes(table, *evaluation_positions(table, 7), FEATURE_SETS["classic8"]))
    policy = np.zeros((3, 26), np.float32)
    policy[:, 6] = 1  # the first move of the record
    half = np.full((3, 5, 5), 0.5, np.float32)
    measured = measure_batch(
        table, batch, {"ownership": half, "policy": policy, "deviation": np.array([1, 2, 3], np.float32)}
    )
    assert measured.rank.tolist() == [1, 26, 0]
    assert measured.deviation.tolist() == [1, 2, 3]
    assert measure_batch(table, batch, {"ownership": half}).rank.tolist() == [0, 0, 0]
