"""Measurements of a model on a dataset, summed up."""

import csv
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
    FIGURES,
    accuracy_curve,
    all_figures,
    detail_table,
    difference,
    notes,
    standard_error,
)
from ownership.evaluation.measure import (
    Measurements,
    Owners,
    PredictedMoves,
    measure,
    measure_batch,
    measure_both_sides,
)
from ownership.evaluation.metrics import BINS, Calibration, SidesDisagreement
from ownership.evaluation.model_comparison import comparison, comparison_file
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import distinct_names, find_model
from ownership.report.model_page import model_page
from runtime.folders import Folder
from tests.support.datasets import RECORD, write_dataset

pd = pytest.importorskip("pandas", reason="evaluation needs the train extra")


def measurements() -> Measurements:
    """Return three positions: two of a game of 100 moves on 9x9, the end of one of 50 moves on 19x19."""
    tally = Calibration(_bins([4], [0, 3], [0, 3]), _bins([1], [0, 2.5], [0, 2.5]), _bins([1], [0, 3], [0, 3]))
    owners = Owners(
        accuracy=np.array([0.5, 1.0, 0.75]),
        accuracy_of_all=np.array([0.5, 0.9, 0.98]),
        brier=np.array([0.25, 0.05, 0.1]),
        sure_and_wrong=np.array([0.0, 0.25, 0.5]),
        stones_right=np.array([1.0, 0.0, 1.0]),
        blocks_right=np.array([np.nan, 0.5, 1.0]),
        chain_spread=np.array([np.nan, 0.1, 0.3]),
        expected=np.array([0.0, 8.0, -3.0]),
        deviation=np.array([10.0, 1.0, 0.5]),
        stones=np.array([0.0, 0.5, 0.1]),
        spread=np.full(3, np.nan),
        score=np.array([7.5, 7.5, -5.0]),
        wins=np.array([0.5, 0.96, 0.2]),
        won=np.array([1.0, 1.0, 0.0]),
        calibration=tally,
    )
    policy = PredictedMoves(
        rank=np.array([1, 6, 0]),
        entropy=np.array([2.0, 4.0, 8.0]),
        illegal=np.array([False, True, True]),
        chance=np.array([0.9, 0.3, 0.1]),
        right=np.array([1.0, 0.0, np.nan]),
    )
    return Measurements(
        game=np.array([0, 0, 1]),
        record=np.array([0, 0, 1]),
        ply=np.array([0, 50, 50]),
        moves=np.array([100, 100, 50]),
        side=np.array([9, 9, 19]),
        dataset=np.array([0, 1, 1]),
        dan=np.array([9, 8, 9]),
        owners=owners,
        policy=policy,
    )


def _bins(*rows: list[float]) -> np.ndarray:
    return np.array([row + [0] * (BINS - len(row)) for row in rows], np.float64)


def test_a_summary_groups_positions() -> None:
    figures = all_figures(measurements())
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
    assert figures["top"] == [0.5] * 5 + [1.0] * 15
    assert figures["top_error"] == [None] * 20  # both stones were played in one game
    assert [row["accuracy_error"] for row in figures["by_move"]] == pytest.approx([None, 0.125 / 2**0.5])
    assert (figures["entropy"], figures["illegal"]) == (3.0, 0.5)
    assert figures["move_calibration"] == [
        {"predicted": 0.3, "observed": 0.0, "observed_error": None, "points": 1},
        {"predicted": 0.9, "observed": 1.0, "observed_error": None, "points": 1},
    ]
    assert [(row["rank"], row["positions"]) for row in figures["by_rank"]] == [(8, 1), (9, 2)]
    assert figures["chain_spread"] == pytest.approx(0.2)
    ends = figures["ends"]
    assert (ends["games"], ends["accuracy_of_all"], ends["mostly_right"]) == (1, 0.98, 1.0)
    assert (sum(ends["histogram"]), ends["histogram"][98]) == (1, 1)
    assert [(row["side"], row["positions"]) for row in figures["by_side"]] == [(9, 2), (19, 1)]
    assert figures["calibration"][1] == {"predicted": 5 / 6, "observed": 1.0, "observed_error": None, "points": 6}
    assert figures["win_log_loss"] == pytest.approx(-np.log(0.5 * 0.96 * 0.8) / 3)
    assert figures["win_calibration_error"] == pytest.approx((0.5 + 0.04 + 0.2) / 3)
    assert [(row["predicted"], row["observed"]) for row in figures["win_calibration"]] == [
        (0.2, 0),
        (0.5, 1),
        (0.96, 1),
    ]
    assert figures["score_width"] == pytest.approx(2 * 1.645 * 11.5 / 3)
    assert json.loads(json.dumps(figures)) == figures


def test_a_summary_has_each_dataset_and_where_the_sides_disagree() -> None:
    measured = measurements()
    assert measured.owners is not None
    found = replace(
        measured,
        owners=replace(measured.owners, disagreement=SidesDisagreement(points=40, differ=4, wrong=6, both=3)),
    )
    figures = all_figures(found, ["games", "https://host/data/boards/"])
    assert (figures["all_stones"], figures["sure_and_wrong"]) == (pytest.approx(2 / 3), 0.25)
    shown = [(row["dataset"], row["positions"], row["all_stones"]) for row in figures["by_dataset"]]
    assert shown == [("games", 1, 1.0), ("https://host/data/boards/", 2, 0.5)]
    assert figures["both_sides"] == {"differ": 0.1, "wrong_where_differing": 0.75, "wrong_elsewhere": 3 / 36}
    text = detail_table(figures)
    assert "\ngames " in text and "\nboards " in text
    assert "10.00% of the points differ; wrong are 75.0% of these and 8.33% of the others" in notes(figures)[-1]
    assert "both_sides" not in all_figures(measurements()) and "by_dataset" not in all_figures(measurements())


def test_standard_errors_are_over_games() -> None:
    values = pd.Series(np.random.default_rng(1).normal(size=200))
    alone = standard_error(values)
    assert alone == pytest.approx(values.std(ddof=0) / np.sqrt(200))
    assert standard_error(values.repeat(9)) == pytest.approx(alone)


def test_positions_without_a_figure_are_left_out_of_its_mean_and_error() -> None:
    figures = all_figures(measurements())  # chain spread: unknown, then 0.1 and 0.3 in two games
    assert (figures["chain_spread"], figures["chain_spread_error"]) == pytest.approx((0.2, np.hypot(0.1, 0.1) / 2))


def test_every_mean_has_a_standard_error() -> None:
    measured = measurements()
    figures = all_figures(measured)
    means = [name for name in FIGURES if not name.endswith("calibration_error")]
    assert {f"{name}_error" for name in means} <= figures.keys()
    assert figures["all_stones_error"] == pytest.approx(np.hypot(1 / 3, 1 / 3) / 3)  # 1 and 0 in one game, 1 in another
    last = figures["by_move"][-1]
    assert last["accuracy_error"] == pytest.approx(0.125 / np.sqrt(2))
    assert figures["by_move"][0]["accuracy_error"] is None
    moves, shares, errors = accuracy_curve(figures | {"games": 2})
    assert (moves, shares, errors[1]) == ([0, 50], [0.5, 0.875], last["accuracy_error"]) and np.isnan(errors[0])


def test_a_page_names_figures_as_tables_do_with_standard_errors() -> None:
    about = {"model": "mine", "path": "runs/mine", "datasets": ["games"], "split": "test", "games": 2, "symmetries": 1}
    figures = about | all_figures(measurements())
    page, rows = model_page(figures, []), comparison([figures])
    for name, value in (("score error, points", "3.33 ±"), ("all stones right", "66.7% ±"), ("top-1", "50.0%")):
        assert f"<dt>{name}</dt><dd><bdi>{value}" in page
        assert any(row.startswith(name) and value in row for row in rows.splitlines())


def test_fewer_than_two_games_have_no_standard_error() -> None:
    assert standard_error(pd.Series([1.0, 2.0], [3, 3])) is None
    measured = measurements()
    alone = replace(measured, record=np.zeros_like(measured.record))
    figures = all_figures(alone)
    assert json.loads(json.dumps(figures))["brier_error"] is None
    models = [{"model": "one", **figures}, {"model": "two", **figures, "difference": difference([alone], [alone])}]
    assert "±" not in comparison(models)
    assert r"\pm" not in comparison_file(models, Path("t.tex"))
    rows = list(csv.DictReader(comparison_file(models, Path("t.csv")).splitlines()))
    assert [row["brier_error"] for row in rows] == ["", "", ""]


@pytest.mark.parametrize("values", [np.ones(9), np.full(9, 0.1), np.tile([0.0, 0.5, 1.0], 3)])
def test_games_that_are_all_alike_have_no_standard_error(values: np.ndarray) -> None:
    game = np.arange(9) // 3
    assert standard_error(pd.Series(values, game)) is None
    one_more = pd.Series(np.append(values, 0.0), np.append(game, 3))
    assert standard_error(one_more) == pytest.approx(values.mean() * 1.08**0.5 / 10)


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


def test_details_show_every_group() -> None:
    figures = all_figures(measurements())
    lines = detail_table(figures).splitlines()
    numbers = "75.00% 79.33% 0.1333 0.1000 3.33 66.7% 12.6 0.3190 0.2467 66.7% 75.00% 25.000% 0.2000 50.0% 50.0% 100.0%"
    assert lines[1].split() == ["all", "3", *numbers.split(), "3.00", "50.00%"]
    assert notes(figures) == ["last positions: 100.0% of 1 above 96% of all points, 98.0% on average"]
    assert [line.split()[:2] for line in lines if line.startswith(("move", "tenth"))] == [
        ["move", "0"],
        ["move", "50"],
        ["tenth", "1"],
        ["tenth", "6"],
        ["tenth", "10"],
    ]
    assert "     0.833     1.000         6" in lines
    assert lines[-4:] == [
        " predicted  observed positions",
        "     0.200     0.000         1",
        "     0.500     1.000         1",
        "     0.960     1.000         1",
    ]


def test_models_given_twice_keep_their_name(small_model: Path) -> None:
    one = find_model(small_model)
    assert distinct_names([one, one, find_model("default")]) == ["small", "small", "default"]


def test_differences_between_models_are_paired_by_game() -> None:
    measured = measurements()
    assert measured.owners is not None
    better = replace(measured, owners=replace(measured.owners, brier=measured.owners.brier - 0.01))
    found = difference([better], [measured])
    assert found["brier"] == pytest.approx(-0.01)
    assert found["brier_error"] is None
    assert (found["accuracy"], found["top_1"]) == (0, 0)
    assert difference([replace(better, ply=measured.ply + 1)], [measured]) == {}
    models = [
        {"model": "old", **all_figures(measured)},
        {"model": "new", **all_figures(better), "difference": found},
    ]
    heads, *rows = comparison(models).splitlines()
    assert heads.split() == ["old", "new", "new", "-", "old"]
    [brier] = [row for row in rows if row.startswith("Brier ")]
    names = [line.split(",")[:2] for line in comparison_file(models, Path("t.csv")).splitlines()]
    assert names == [["model", "minus"], ["old", ""], ["new", ""], ["new", "old"]]
    assert brier.endswith("-0.0100") and any(row.endswith("+0.00%") for row in rows)


def test_the_last_position_of_every_game_counts(tmp_path: Path) -> None:
    from game_datasets.load_table import load_games
    from game_datasets.sampler import evaluation_positions, further_ends

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


def test_tables_of_models_as_csv_and_latex() -> None:
    figures = all_figures(measurements())
    models = [{"model": "a_b", **figures}, {"model": "other", **figures, "accuracy": 0.5}]
    less = comparison_file([*models, {**models[1], "difference": {"accuracy": -0.25}}], Path("t.tex"))
    assert r" & other $-$ a\_b " in less and r" & $-$25.00\% " in less
    rows = list(csv.DictReader(comparison_file(models, Path("t.csv")).splitlines()))
    assert [row["model"] for row in rows] == ["a_b", "other"]
    for row, model in zip(rows, models, strict=True):
        assert float(row["accuracy"]) == model["accuracy"]
        assert float(row["brier_error"]) == figures["brier_error"]
    lines = comparison_file(models, Path("t.tex")).splitlines()
    assert lines[:3] == [r"\begin{tabular}{lrr}", r" & a\_b & other \\ \hline", r"positions & 3 & 3 \\"]
    assert lines[3].startswith(r"accuracy & 75.00\% & 50.00\%") and lines[-1] == r"\end{tabular}"
    assert r"Brier score & 0.1333 $\pm$0.0" in lines[5]
    assert {line.count(" & ") for line in lines[1:-1]} == {2}


def test_score_is_black_minus_white(small_model: Path, tmp_path: Path) -> None:
    from game_datasets.load_table import load_games
    from game_datasets.sampler import table_planes

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
    from game_datasets.load_table import load_games
    from game_datasets.sampler import table_planes

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
    from game_datasets.load_table import load_games
    from game_datasets.sampler import table_planes
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
