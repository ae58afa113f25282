"""Models and datasets in the hands of Keras: its own `load_model`, `fit`, `evaluate` and callbacks."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.load_table import load_games
from game_datasets.sampler import Sampler
from goban.errors import InputError
from ownership import Evaluator, Position
from ownership.inference.model_files import ModelError
from ownership.inference.network_config import NetworkConfig
from ownership.training.training_options import TrainingOptions
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes_and_chains
from tests.support.paths import ROOT
from tests.support.positions import write_dataset
from tests.support.soft import soft_row, write_soft_dataset

pytest.importorskip("keras", reason="training needs the train extra")

import keras

from ownership import KerasDataset, load_network
from ownership.networks.build_network import build_network
from ownership.training.head_training import compile_network
from ownership.training.train_run import train

SMALL = NetworkConfig("residual", "classic8", filters=4, blocks=1)
MODEL = ROOT / "ownership" / "models" / "fast" / "best.keras"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("keras") / "games")


@pytest.mark.long
def test_keras_loads_a_saved_network_after_load_network_is_imported() -> None:
    script = (
        f"from ownership import load_network; import keras; print(keras.models.load_model({str(MODEL)!r}).output_names)"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "'score'" in answer.stdout, answer.stderr


def test_a_loaded_network_answers_as_the_model_and_is_compiled() -> None:
    network, evaluator = load_network("fast"), Evaluator.load("fast", cached=0)
    planes, chains = planes_and_chains([Position.empty(9).play("E5")], evaluator.feature_set)
    found = network.predict_on_batch({"planes": planes})["ownership"]
    np.testing.assert_allclose(found, evaluator.predict(planes, chains)["ownership"], atol=0.02)
    assert network.compiled
    with pytest.raises(ModelError, match="Received: missing"):
        load_network("missing")


def test_fit_and_evaluate_take_a_dataset(games: Path) -> None:
    """A network that has seen the games names more owners right in the others than one that has not."""
    options = TrainingOptions(samples=1, batch_size=16, learning_rate=0.01)
    training, held_out = (
        KerasDataset(games, SMALL, steps, split, options) for steps, split in ((60, "train"), (8, "validation"))
    )
    model = build_network(SMALL)
    compile_network(model, SMALL, options)
    variables = len(model.metrics_variables)
    before = model.evaluate(held_out, verbose=0, return_dict=True)
    assert model.evaluate(held_out, verbose=0, return_dict=True) == pytest.approx(before)
    model.fit(training, epochs=2, verbose=0)
    after = model.evaluate(held_out, verbose=0, return_dict=True)
    name = "ownership_decided_accuracy"
    assert after[name] > before[name] + 0.05
    assert len(model.metrics_variables) == variables, "TensorFlow traces a first step that makes variables twice"


def test_epochs_go_on_from_each_other(games: Path) -> None:
    dataset = KerasDataset(games, SMALL, steps=2, options=TrainingOptions(samples=1, batch_size=4))
    first = [dataset[step][0]["planes"] for step in range(len(dataset))]
    dataset.on_epoch_end()
    second = [dataset[step][0]["planes"] for step in range(len(dataset))]
    assert not any(np.array_equal(one, other) for one in first for other in second)


def test_fit_takes_games_of_two_board_sides(games: Path, tmp_path: Path) -> None:
    """Keras takes from the first two batches which lengths vary: these have two sides, and no batch is lost."""
    datasets = [games, write_dataset(tmp_path / "small", side=5)]
    drawn = Sampler(load_games(datasets, "train"), parse_feature_set(SMALL.feature_set), 4, seed=2)
    assert [drawn.side(step) for step in range(6)] == [7, 7, 5, 5, 5, 7]
    options = TrainingOptions(samples=1, batch_size=4, seed=2)
    batches = KerasDataset(datasets, SMALL, steps=6, options=options)
    assert [batches[step][0]["planes"].shape[1] for step in range(6)] == [7, 5, 7, 5, 5, 7]
    model = build_network(SMALL)
    compile_network(model, SMALL, options)
    model.fit(batches, epochs=3, verbose=0)


def test_a_batch_an_epoch_has_one_board_side(games: Path, tmp_path: Path) -> None:
    datasets = [games, write_dataset(tmp_path / "small", side=5)]
    with pytest.raises(InputError, match=r"steps must be 2 or more for games of several board sides\. .*: 1, for 5, 7"):
        KerasDataset(datasets, SMALL, steps=1)


def test_a_teacher_gives_its_share_of_a_dataset(games: Path, tmp_path: Path) -> None:
    """Its policy is known in each position, the records' next move is not at their ends."""
    soft = write_soft_dataset(tmp_path / "soft", [soft_row(7, seed) for seed in range(4)])
    options = TrainingOptions(samples=1, batch_size=8, teacher_weight=0.5)
    inputs, targets, weights = KerasDataset(games, SMALL, 1, options=options, soft=[soft])[0]
    assert inputs["planes"].shape == (8, 7, 7, SMALL.channels)
    certain = np.isin(targets["ownership"], (0, 0.5, 1)).all(axis=(1, 2))
    assert certain.tolist() == [True] * 4 + [False] * 4
    assert weights["policy"][4:].all()
    assert {name: each.shape[0] for name, each in weights.items()} == dict.fromkeys(SMALL.heads, 8)


class Notes(keras.callbacks.Callback):  # type: ignore[misc]
    """Keeps the figures that it receives, and ends the training with the second validation."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []
        self.brier: list[float] = []

    def on_train_begin(self, logs: Any = None) -> None:
        self.events.append("begin")

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        assert logs["loss"] > 0
        self.events.append(str(batch))

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.events.append(f"({epoch}")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.events.append(f"{epoch})")
        self.brier.append(logs["validation_brier"])
        self.model.stop_training = epoch == 1

    def on_train_end(self, logs: Any = None) -> None:
        self.events.append("end")


@pytest.mark.usefixtures("without_export")
def test_callbacks_follow_a_training_and_may_end_it(games: Path, tmp_path: Path) -> None:
    options = TrainingOptions(samples=80, batch_size=8, validations=5, validation_positions=8)
    notes = Notes()
    train(games, replace(SMALL, heads=("ownership",)), options, tmp_path / "model", callbacks=[notes])
    assert " ".join(notes.events) == "begin (0 0 1 0) (1 2 3 1) end"
    assert notes.brier[0] != notes.brier[1]
