"""Factors on deviations and spreads: from known errors, and how well they hold on others."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from game_datasets.load_table import load_games
from goban.position import Position
from ownership.evaluation.calibration_fit import (
    conformal_factor,
    fit_calibration,
    fit_deviation,
    fit_spread,
    log_loss_factor,
)
from ownership.evaluation.metrics import BINS, binned
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import (
    DIGEST,
    description_digest,
    read_model_files,
    write_calibration,
)
from ownership.inference.score_calibration import Factors, ScoreCalibration, calibrated
from tests.support.positions import write_dataset

INTERVAL = 1.645  # standard deviations, of which a normal distribution has 90% within
POSITIONS = 12000


def positions(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return deviations that a network answers, how unsettled points are, and distances with other true deviations.

    The true deviation is 1.5 times the answer on a settled board and half of it on an unsettled one.
    """
    random = np.random.default_rng(seed)
    unsettled, deviation = random.uniform(0, 1, POSITIONS), random.uniform(1, 20, POSITIONS)
    return deviation, unsettled, np.abs(random.normal(0, deviation * (1.5 - unsettled)))


def test_the_conformal_factor_is_the_distance_of_its_rank() -> None:
    distances = np.arange(1.0, 20.0)  # 19: the rank is 0.9 * 20
    assert conformal_factor(distances) == 18
    assert conformal_factor(distances[::-1] / 10) == pytest.approx(1.8)
    assert conformal_factor(np.array([0.5, 0.2, 0.3])) == 0.5  # 3 are too few for 90%


def test_known_errors_give_known_factors() -> None:
    deviation, unsettled, distance = positions(seed=1)
    found = fit_deviation(deviation, unsettled, distance)
    for share, factor in found.unsettled:
        assert factor == pytest.approx(1.5 - share, rel=0.12)
    assert all(factor == pytest.approx(1, rel=0.08) for _, factor in found.size)
    by_size = fit_deviation(deviation, unsettled, INTERVAL * deviation * np.where(deviation < 10, 0.5, 2))
    low, *_, high = (factor for _, factor in by_size.size)
    assert low < 0.35 < 0.9 < high


def test_the_interval_holds_90_percent_of_other_games_in_every_phase() -> None:
    fitted = fit_deviation(*positions(seed=1))
    deviation, unsettled, distance = positions(seed=2)
    raw, held = (distance <= INTERVAL * each for each in (deviation, fitted.applied(deviation, unsettled)))
    for values in (unsettled, deviation):
        for part in np.array_split(np.argsort(values), 10):
            assert 0.87 <= held[part].mean() <= 0.93
    assert raw[unsettled < 0.1].mean() < 0.8 and raw[unsettled > 0.9].mean() > 0.97


@pytest.mark.parametrize("factor", [0.6, 1.0, 1.7])
def test_chances_to_win_come_true_after_their_spread_is_fitted(factor: float) -> None:
    random = np.random.default_rng(3)
    lead, spread, unsettled = (
        random.normal(0, 8, POSITIONS),
        random.uniform(2, 10, POSITIONS),
        random.uniform(0, 1, POSITIONS),
    )
    won = (random.uniform(0, 1, POSITIONS) < 1 / (1 + np.exp(-lead / (factor * spread)))).astype(np.float64)
    assert log_loss_factor(lead / spread, won, POSITIONS) == pytest.approx(factor, rel=0.08)
    fitted = fit_spread(spread, unsettled, lead, won, np.arange(POSITIONS)).applied(spread, unsettled)
    chance = 1 / (1 + np.exp(-lead / fitted))
    tally = binned(chance, won, np.arange(POSITIONS), POSITIONS)
    shares, counts = (each.sum(axis=0) / BINS for each in (tally.observed - tally.predicted, tally.points))
    assert np.abs(shares[counts > 10] / counts[counts > 10]).max() < 0.1
    assert tally.error < 0.03


def test_games_that_the_leader_always_wins_do_not_make_the_spread_0() -> None:
    lead = np.full(200, 5.0)
    few, many = (log_loss_factor(lead, np.ones(200), games) for games in (2, 200))
    assert 0.3 < many < few < 1


def test_factors_are_interpolated_and_those_of_the_nearest_side_hold() -> None:
    nine = ScoreCalibration(Factors(((0.0, 1.0), (0.5, 2.0))), Factors(size=((1.0, 3.0),)))
    large = ScoreCalibration(Factors(size=((0.0, 10.0),)))
    ownership = np.ones((3, 9, 9), np.float32)
    ownership[1].ravel()[:20] = 0.5
    ownership[2] = 0.25
    outputs = {"deviation": np.full(3, 4, np.float32), "margin": np.array([[5, 2]] * 3, np.float32)}
    found = calibrated({**outputs, "ownership": ownership}, {9: nine, 19: large})
    np.testing.assert_allclose(found["deviation"], [4, 4 * (1 + 40 / 81), 8], rtol=1e-6)
    np.testing.assert_array_equal(found["margin"], [[5, 6]] * 3)
    for side, factor in ((14, 1), (15, 10), (25, 10), (2, 1)):
        settled = {**outputs, "ownership": np.zeros((3, side, side), np.float32)}
        assert calibrated(settled, {9: nine, 19: large})["deviation"] == pytest.approx(4 * factor)
        assert calibrated(settled, {}) == settled
    assert calibrated(outputs, {9: nine}) == outputs, "without ownership"


def test_a_model_answers_as_its_calibration_demands(tmp_path: Path) -> None:
    directory = shutil.copytree(find_model("fast").weights.parent, tmp_path / "model")
    files, position = read_model_files(directory), Position.empty(9)
    write_calibration(files, {})
    raw = Evaluator.load(directory).evaluate([position])[0]
    write_calibration(files, {9: ScoreCalibration(Factors(((0.0, 2.0),)), Factors(((0.0, 0.5),)))})
    values = json.loads((directory / "model.json").read_text())
    assert values[DIGEST] == description_digest(values)
    changed = Evaluator.load(directory).evaluate([position])[0]
    assert raw.deviation and raw.win_rate and changed.win_rate
    assert changed.lead == raw.lead
    assert changed.own_win_rate == raw.own_win_rate == raw.win_rate, "by which searches value positions"
    assert changed.deviation == pytest.approx(2 * raw.deviation)
    odds = [np.log(chance / (1 - chance)) for chance in (raw.win_rate, changed.win_rate)]
    assert odds[1] == pytest.approx(2 * odds[0], rel=1e-3)


def test_the_same_games_give_the_same_calibration_of_every_side(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    places = [str(write_dataset(tmp_path / str(side), side)) for side in (7, 9)]
    table, files = load_games(places), find_model("fast")
    found = fit_calibration(files, table, 60, symmetries=1)
    assert set(found) == {7, 9}
    assert found == fit_calibration(files, table, 60, symmetries=1)
    assert found != fit_calibration(files, table, 60, symmetries=8)
    assert len(found[9].deviation.size) == 1  # too few positions for two bins
