"""Differences between the settings of a study, with intervals that also hold for few seeds."""

from collections.abc import Sequence
from itertools import product
from math import isinf, sqrt

import numpy as np
import pytest

pytest.importorskip("pandas", reason="figures need the train extra")

from ownership.evaluation.measure import Measurements, PredictedMoves
from ownership.evaluation.study_contrasts import Factor, Run, contrast_csv, contrast_table, contrasts, t_quantile

GAMES, POSITIONS = 40, 5


def run(setting: Sequence[str], right: float, seed: int) -> Run:
    """A training whose policy finds about a share of the moves."""
    count = GAMES * POSITIONS
    found = np.random.default_rng(seed).random(count) < right
    numbers = np.arange(count)
    ranks, zeros = np.where(found, 1, 50), np.zeros(count)
    policy = PredictedMoves(ranks, zeros, zeros.astype(bool), zeros, zeros)
    game, ply = numbers // POSITIONS, numbers % POSITIONS
    same = np.full(count, 9)
    return Run(tuple(setting), Measurements(game, game, ply, same, same, 0 * same, same, policy=policy))


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (8, 2.3060), (30, 2.0423), (120, 1.9799), (10**6, 1.9602)],
)
def test_the_quantiles_of_students_table(degrees: int, quantile: float) -> None:
    assert t_quantile(degrees) == pytest.approx(quantile, abs=2e-4)


def test_a_single_training_of_each_tells_nothing_about_seeds() -> None:
    assert isinf(t_quantile(0))
    found = contrasts([Factor("filters", ("16", "32"))], [run(["16"], 0.3, 0), run(["32"], 0.4, 1)])
    assert [each.name for each in found] == ["filters=16", "filters: 32 - 16"]
    assert "top_1_error" in found[1].figures and "top_1_training_error" not in found[1].figures


def test_one_factor_is_the_difference_of_means_with_the_t_interval_of_two_samples() -> None:
    factor = Factor("filters", ("16", "32"))
    runs = [run(["16"], 0.3, seed) for seed in range(3)] + [run(["32"], 0.4, seed) for seed in range(3, 6)]
    [_, found] = contrasts([factor], runs)
    shares = np.array([(each.measured.policy.rank == 1).mean() for each in runs if each.measured.policy]).reshape(2, 3)
    assert found.figures["top_1"] == pytest.approx(shares[1].mean() - shares[0].mean())
    pooled = sqrt((shares[0].var(ddof=1) + shares[1].var(ddof=1)) / 2)
    assert found.figures["top_1_training_error"] == pytest.approx(2.7764 * pooled * sqrt(2 / 3), rel=1e-3)


def test_effects_are_means_over_the_settings_of_other_factors() -> None:
    factors = [Factor("filters", ("16", "32")), Factor("pooling", ("off", "max", "mean"))]
    settings = list(product(*(each.values for each in factors)))
    runs = [run(each, 0.5 if each[0] == "32" else 0.2, seed) for seed, each in enumerate(2 * settings)]
    found = {each.name: each.figures for each in contrasts(factors, runs)}
    assert list(found)[:4] == [
        "filters=16, pooling=off",
        "filters: 32 - 16",
        "pooling: max - off",
        "pooling: mean - off",
    ]
    assert len(found) == 4 + 5 and "filters=32, pooling=mean - first" in found
    share = {each.setting: 0.0 for each in runs}
    for each in runs:
        assert each.measured.policy
        share[each.setting] += (each.measured.policy.rank == 1).mean() / 2
    effect = np.mean([share["32", pooling] - share["16", pooling] for pooling in factors[1].values])
    assert found["filters: 32 - 16"]["top_1"] == pytest.approx(effect)
    one, two = (found[name]["top_1_training_error"] for name in ("filters: 32 - 16", "filters=32, pooling=off - first"))
    assert one / two == pytest.approx(sqrt((1 / 6 + 1 / 6) / (1 / 2 + 1 / 2)))  # one spread, of 12 - 6 degrees
    assert found["filters: 32 - 16"]["top_1"] - one > 0, "a difference of 0.3 is seen with two seeds"


def test_the_table_and_the_file() -> None:
    factor = Factor("filters", ("16", "32"))
    runs = [run([value], 0.4, place + 2 * seed) for place, value in enumerate(factor.values) for seed in range(3)]
    found = contrasts([factor], runs)
    lines = contrast_table(found).splitlines()
    assert (
        lines[0].split() == ["top-1"]
        and lines[1].startswith("filters=16  ")
        and lines[2].startswith("filters: 32 - 16  ")
    )
    assert lines[2].count("±") == 2 and lines[2].split()[-3][0] in "+-"
    rows = contrast_csv(found).splitlines()
    assert rows[0] == "contrast,figure,value,half_interval_games,half_interval_trainings"
    assert float(rows[1].split(",")[2]) == found[0].figures["top_1"]
