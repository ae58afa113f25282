"""Options of a training: what they may be, and how often they validate."""

from typing import Any

import pytest

from goban.errors import InputError
from ownership.training.training_options import TrainingOptions

WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "expected --samples or --minutes. Received: neither"),
    ({"samples": 1, "minutes": 1.0}, "Received: both"),
    ({"samples": 0}, "samples: expected a whole number from 1 up. Received: 0"),
    ({"minutes": float("nan")}, "minutes: expected a number above 0. Received: nan"),
    ({"minutes": float("inf")}, "minutes: expected a number above 0. Received: inf"),
    ({"samples": 1, "batch_size": -1}, "batch_size: expected a whole number from 1 up. Received: -1"),
    ({"samples": 1, "history_dropout": 1.5}, "history_dropout: expected a number 0..1. Received: 1.5"),
    ({"samples": 1, "dataset_weights": (1.0, 0.0)}, "dataset_weights: expected a number above 0. Received: 0.0"),
    ({"samples": 1, "seed": -1}, "seed: expected a whole number from 0 up. Received: -1"),
    ({"samples": 1, "loss": "hinge"}, "loss: expected one of squared, cross_entropy. Received: 'hinge'"),
]


@pytest.mark.parametrize(("values", "message"), WRONG)
def test_wrong_options_are_explained(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        TrainingOptions(**values)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "validations"),
    [
        (TrainingOptions(samples=1000), 1),
        (TrainingOptions(samples=100_000), 5),
        (TrainingOptions(minutes=1.5), 1),
        (TrainingOptions(minutes=600), 20),
        (TrainingOptions(samples=1000, validations=7), 7),
    ],
)
def test_a_short_training_is_not_spent_on_validation(options: TrainingOptions, validations: int) -> None:
    assert options.validation_count == validations
