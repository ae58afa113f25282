"""Tables of measurements: means by group, standard errors, differences between models."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ownership.evaluation.evaluation_tables import (
    FIGURES,
    accuracy_curve,
    all_figures,
    detail_table,
    difference,
    notes,
    standard_error,
)
from ownership.evaluation.metrics import SidesDisagreement
from ownership.evaluation.model_comparison import comparison, comparison_file
from ownership.inference.model_catalogue import distinct_names, find_model
from ownership.report.model_page import model_page
from tests.support.measurements import measurements

pd = pytest.importorskip("pandas", reason="evaluation needs the train extra")


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
    of_benchmark = ("final_scores", "contested")  # `ownership evaluate --benchmark` adds them
    means = [name for name in FIGURES if not name.endswith("calibration_error") and name not in of_benchmark]
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
    assert [line[:14].strip() for line in lines if "x" in line[:5] or " dan" in line[:14]] == [
        "9x9",
        "19x19",
        "8 dan",
        "9 dan",
    ]
    one_side = {**figures, "by_side": figures["by_side"][:1], "by_rank": figures["by_rank"][:1]}
    assert not [line for line in detail_table(one_side).splitlines() if "x" in line[:5] or " dan" in line[:14]]
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


def test_a_curve_goes_as_far_as_one_game_in_ten() -> None:
    rows = [
        {"move": move, "positions": positions, "accuracy": 0.5, "accuracy_error": None}
        for move, positions in ((1, 20), (2, 2), (3, 1))
    ]
    assert accuracy_curve({"games": 20, "by_move": rows})[0] == [1, 2]


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
