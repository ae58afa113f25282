"""The course of the learning rate, the best validation, and when a training ends early."""

import pytest

from ownership.training.checkpoints import Progress
from ownership.training.schedule import Schedule
from ownership.training.training_options import TrainingOptions


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ("constant", [1, 1, 1, 1, 1, 1]),
        ("halving", [1, 1, 1, 1 / 2, 1 / 4, 1 / 8]),
    ],
)
def test_rates_follow_the_course(schedule: str, rates: list[float]) -> None:
    course = Schedule(TrainingOptions(samples=28, schedule=schedule), peak=1.0)
    assert [course.learning_rate(used / 28, 1000) for used in (0, 14, 24.9, 25.1, 26.1, 28)] == rates


def test_cosine_rises_and_falls() -> None:
    course = Schedule(TrainingOptions(samples=1), peak=1.0)
    rates = [course.learning_rate(used / 100, 1000) for used in range(101)]
    assert max(rates) == rates[3] == 1.0
    assert rates[:4] == sorted(rates[:4]) and rates[3:] == sorted(rates[3:], reverse=True)
    assert 0 < rates[100] < 0.01


@pytest.mark.parametrize(
    ("name", "values", "stale"),
    [
        ("validation_brier", [0.3, 0.1, 0.2, 0.15], 2),
        ("validation_policy_accuracy", [0.1, 0.3, 0.2, 0.25], 2),
        ("validation_resign_brier", [0.3, 0.2, 0.1], 0),
    ],
)
def test_the_best_validation_is_found_by_what_the_network_answers(name: str, values: list[float], stale: int) -> None:
    progress = Progress()
    assert progress.stale == 0
    for value in values:
        progress.add_validation({"samples": 1, name: value})
    assert progress.stale == stale
