"""A training that is no better than guessing warns at its end."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ownership.inference.network_config import NetworkConfig
from ownership.training.training_options import TrainingOptions
from tests.support.positions import write_dataset

pytest.importorskip("keras", reason="training needs the train extra")

from ownership.training.train_run import train
from ownership.training.training_games import games_for
from ownership.training.validation import HeldOut, constant_figures, note_on_guessing

TINY = NetworkConfig("classic5", "classic8", filters=4, heads=("ownership",))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("training") / "games")


@pytest.mark.usefixtures("without_export")
def test_a_training_that_learns_nothing_warns_at_its_end(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = TrainingOptions(samples=8, batch_size=8, learning_rate=1e-9, validations=1, validation_positions=64)
    train(dataset, TINY, options, tmp_path / "nothing")
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"{tmp_path}/nothing: warning: no better than guessing: on the validation games its Brier")
    learned = replace(options, samples=8 * 60, learning_rate=1e-2)
    train(dataset, TINY, learned, tmp_path / "something")
    assert "guessing" not in capsys.readouterr().err


def test_a_constant_answer_is_as_good_as_it_can_be(dataset: Path) -> None:
    """One probability for all points, and one move, have the figures that trying all of them finds."""
    games = games_for(TINY, dataset, "validation")
    batches = list(HeldOut(games, TINY).batches(50))
    targets, moves = (np.concatenate([getattr(each, name) for each in batches]) for name in ("target", "move"))
    decided = targets[targets != 0] > 0
    tried = [np.square(share - decided).mean() for share in np.linspace(0, 1, 201)]
    found = constant_figures(batches)
    assert found["validation_brier"] == pytest.approx(min(tried), abs=1e-4)
    stones = moves[(moves >= 0) & (moves < 49)]
    assert found["validation_policy_accuracy"] == max((stones == move).mean() for move in range(49))


@pytest.mark.parametrize(
    ("record", "constant", "shown"),
    [
        (
            {"validation_brier": 0.2499},
            0.25,
            "its Brier score is 0.2499, that of one probability for all points 0.2500",
        ),
        ({"validation_brier": 0.2}, 0.25, ""),
        ({"validation_policy_accuracy": 0.004}, 0.005, "it finds 0.4% of the moves, always the same move is 0.5%"),
        ({"validation_policy_accuracy": 0.3}, 0.005, ""),
        ({"validation_resign_brier": 0.3}, 0.005, ""),
    ],
)
def test_what_is_no_better_than_guessing(record: dict[str, float], constant: float, shown: str) -> None:
    note = note_on_guessing(record, dict.fromkeys(("validation_brier", "validation_policy_accuracy"), constant))
    assert (shown in note) if shown else note == ""
