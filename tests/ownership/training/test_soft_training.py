"""Learning from a teacher: what a batch is trained towards, that it learns, and that it goes on exactly."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.batches import Batch, SoftTargets
from game_datasets.evaluation_positions import table_planes
from game_datasets.load_table import load_games, load_soft
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import USUAL_HEADS, NetworkConfig
from ownership.training.checkpoints import CheckpointError, load_checkpoint
from ownership.training.schedule import Schedule
from ownership.training.training_options import TrainingOptions
from tests.support.positions import write_dataset
from tests.support.shared import made_once
from tests.support.soft import soft_row, write_soft_dataset

pytest.importorskip("keras", reason="training needs the train extra")


from ownership.networks.build_network import build_network
from ownership.training import head_training, losses, training_targets
from ownership.training.recipes import RECIPES
from ownership.training.saved_networks import load_trained
from ownership.training.train_run import train
from ownership.training.trainer import Trainer
from ownership.training.training_games import TrainingGames
from planes.feature_sets import parse_feature_set

SMALL = NetworkConfig("residual", "classic8", filters=4, blocks=1, heads=(*USUAL_HEADS, "margin"))
OPTIONS = TrainingOptions(
    samples=8 * 25, batch_size=8, seed=5, validations=5, validation_positions=20, teacher_weight=0.5
)


@pytest.fixture
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "games-beside-soft", write_dataset)


@pytest.fixture
def soft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [soft_row(7, seed, known=seed % 4 != 0) for seed in range(40)]
    return made_once(tmp_path_factory, "soft", lambda folder: write_soft_dataset(folder, rows))


@pytest.fixture
def trained(dataset: Path, soft: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training with a teacher, which other tests read at the same time."""
    return made_once(
        tmp_path_factory, "trained-softly", lambda folder: train(dataset, SMALL, OPTIONS, folder, soft=[soft])
    )


def test_a_batch_is_trained_towards_records_and_the_teacher() -> None:
    batch = Batch(
        planes=np.zeros((4, 2, 2, 8), np.float32),
        chains=None,
        target=np.array([[[1, -1], [1, 0]], *np.zeros((3, 2, 2))], np.int8),
        stones=np.zeros((4, 2, 2), np.int8),
        to_move=np.ones(4, np.int8),
        ko=np.full(4, -1, np.int16),
        move=np.array([3, -1, -1, -1], np.int16),
        game=np.arange(4, dtype=np.int32),
        ply=np.zeros(4, np.int16),
        labelled=np.array([True, False, False, False]),
        komi=np.full(4, 0.5, np.float32),
        resigned=np.full(4, -1, np.int8),
        symmetry=np.zeros(4, np.int64),
        soft=SoftTargets(
            ownership=np.array([[[0.5, -0.5], [1, 0]], [[0, 0], [0, -1]]], np.float32),
            policy=np.array([[0.25, 0, 0, 0, 0.75], [0, 0, 0, 0, 0]], np.float32),
            area=np.array([np.nan, -3], np.float32),
            deviation=np.array([0, 2], np.float32),
            win_rate=np.array([0.5, 0.25], np.float32),
        ),
    )
    config = NetworkConfig("residual", "classic8", heads=("ownership", "policy", "score", "margin"))
    wanted, weights = head_training.network_targets(batch, config, OPTIONS, 0)
    assert wanted["ownership"][0].tolist() == [[1, 0], [1, 0.5]]
    assert wanted["ownership"][2:].tolist() == [[[0.75, 0.25], [1, 0.5]], [[0.5, 0.5], [0.5, 0]]]
    assert wanted["policy"].tolist() == [[0, 0, 0, 1, 0], [0] * 5, [0.25, 0, 0, 0, 0.75], [0] * 5]
    assert wanted["score"].tolist() == [[1, 0], [0, 0], [0, 0], [-3, 2]]
    assert wanted["margin"].tolist() == [[1, 0.5, 1], [0, 0.5, 0], [0, 0.5, 0.5], [-3, 0.5, 0.25]]
    assert {head: weight.ravel().tolist() for head, weight in weights.items()} == {
        "ownership": [1, 0, 1, 1],
        "policy": [1, 0, 1, 0],
        "score": [1, 0, 0, 1],
        "margin": [1, 0, 0, 1],
    }


def test_the_soft_policy_is_the_teachers_at_a_temperature_of_4() -> None:
    policy = np.array([[1 / 16, 0, 0, 0, 15 / 16], [0, 0, 0, 0, 0]], np.float32)
    batch = Batch(
        planes=np.zeros((3, 2, 2, 1), np.float32),
        chains=None,
        target=np.zeros((3, 2, 2), np.int8),
        stones=np.zeros((3, 2, 2), np.int8),
        to_move=np.ones(3, np.int8),
        ko=np.full(3, -1, np.int16),
        move=np.array([3, -1, -1], np.int16),
        game=np.arange(3, dtype=np.int32),
        ply=np.zeros(3, np.int16),
        labelled=np.ones(3, np.bool_),
        komi=np.zeros(3, np.float32),
        resigned=np.full(3, -1, np.int8),
        symmetry=np.zeros(3, np.int64),
        soft=SoftTargets(
            ownership=np.zeros((2, 2, 2), np.float32),
            policy=policy,
            area=np.zeros(2, np.float32),
            deviation=np.ones(2, np.float32),
            win_rate=np.ones(2, np.float32),
        ),
    )
    options = replace(OPTIONS, soft_policy_weight=0.4)
    wanted, weights = head_training.network_targets(batch, NetworkConfig("residual", "classic8"), options, 0)
    likely = (15 / 16) ** 0.25
    expected = np.array([[0] * 5, [0.5 / (0.5 + likely), 0, 0, 0, likely / (0.5 + likely)], [0] * 5])
    np.testing.assert_allclose(wanted["soft_policy"], expected, rtol=1e-6)
    assert weights["soft_policy"].tolist() == [0, 1, 0]


@pytest.mark.long
def test_a_soft_policy_helps_the_training_and_is_not_saved(dataset: Path, soft: Path, tmp_path: Path) -> None:
    options = replace(OPTIONS, samples=8 * 10, validations=1, soft_policy_weight=0.4)
    train(dataset, SMALL, options, tmp_path / "model", soft=[soft])
    saved = load_trained(tmp_path / "model" / "best.keras", SMALL)
    assert saved.count_params() == build_network(SMALL).count_params()
    assert Evaluator.load(tmp_path / "model").heads == SMALL.heads
    assert "--soft-policy-weight 0.4" in " ".join((tmp_path / "model" / "README.md").read_text().split())


def test_a_stack_has_no_soft_policy() -> None:
    recipe = RECIPES["omegago"]
    with pytest.raises(InputError, match="no head for the training alone"):
        build_network(recipe.network, auxiliary=("soft_policy",))


def test_a_distribution_of_scores_is_fitted_by_itself() -> None:
    def loss(mean: float, deviation: float) -> float:
        return float(losses.score_loss(np.array([[4.0, 3.0]]), np.array([[mean, deviation]], np.float64))[0])

    best = loss(4, 3)
    assert all(best < loss(mean, deviation) for mean, deviation in [(3, 3), (5, 3), (4, 2.5), (4, 3.5), (4, 0.1)])


def test_a_distribution_of_margins_is_fitted_by_itself() -> None:
    """The side to move is 4 points ahead by area, and wins with a komi of 3 against it in 3 of 4 games."""

    def loss(mean: float, spread: float) -> float:
        return float(losses.margin_loss(np.array([[4.0, 3.0, 0.75]]), np.array([[mean, spread]], np.float64))[0])

    fitting = 1 / np.log(3)  # sigmoid((4 - 3) / spread) is 3/4
    best = loss(4, fitting)
    assert all(best < loss(*other) for other in [(3.5, fitting), (4.5, fitting), (4, fitting / 2), (4, fitting * 2)])


def test_records_alone_end_a_training() -> None:
    schedule = Schedule(replace(OPTIONS, teacher_until=0.8), peak=1e-3)
    assert [schedule.teaches(used) for used in (0, 0.5, 0.79, 0.81, 0.99)] == [True, True, True, False, False]
    assert not Schedule(TrainingOptions(samples=8, teacher_weight=0), peak=1e-3).teaches(0)
    with pytest.raises(InputError, match=r"teacher_weight: expected a number 0..1\. Received: 1\.5"):
        TrainingOptions(samples=1, teacher_weight=1.5)


def test_a_network_learns_the_labels_of_the_teacher(dataset: Path, soft: Path, tmp_path: Path) -> None:
    games, held_out = (load_games(dataset, split) for split in ("train", "validation"))
    table = load_soft(soft)
    options = TrainingOptions(samples=8 * 150, batch_size=8, validations=1, validation_positions=8, teacher_weight=1)
    training = Trainer(SMALL, options, TrainingGames(games, held_out, table), tmp_path)
    rows, plies = np.arange(40, dtype=np.int32), table.last.astype(np.int16)
    [batch] = table_planes(table, rows, plies, parse_feature_set(SMALL.feature_set))

    def loss() -> dict[str, float]:
        targets, weights = head_training.network_targets(batch, SMALL, options, 0)
        inputs = training_targets.network_inputs(batch)
        values = training.model.test_on_batch(inputs, targets, weights, return_dict=True)
        return {name: float(value) for name, value in values.items() if "loss" in name}

    before = loss()
    training.fit()
    after = loss()
    assert after["ownership_loss"] < 0.9 * before["ownership_loss"]
    assert after["loss"] < 0.9 * before["loss"]


def test_the_description_names_the_teacher(trained: Path, soft: Path) -> None:
    described = json.loads((trained / "model.json").read_text())["trained"]
    assert described["soft"] == [str(soft)]
    assert described["options"]["teacher_weight"] == 0.5
    assert f"--soft {soft} --teacher-weight 0.5" in " ".join((trained / "README.md").read_text().split())


@pytest.mark.long
@pytest.mark.usefixtures("without_export")
def test_a_training_that_is_interrupted_twice_goes_on_exactly(
    dataset: Path,
    soft: Path,
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for saves in (1, 3):
        with monkeypatch.context() as patched:
            interrupt_after(saves, patched)
            with pytest.raises(KeyboardInterrupt):
                train(dataset, SMALL, OPTIONS, tmp_path / "model", soft=[soft])
    assert "compare with the teacher's labels too; validation compares with games alone\n" in capsys.readouterr().err
    train(dataset, SMALL, OPTIONS, tmp_path / "model", soft=[soft])
    for array, wanted in zip(arrays(tmp_path / "model"), arrays(trained), strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-4, atol=1e-5)


def interrupt_after(saves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupts a training when it has saved a number of its five checkpoints."""
    save, done = Trainer._save, []

    def save_and_end(training: Trainer) -> None:
        save(training)
        done.append(training)
        if len(done) == saves:
            raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "_save", save_and_end)


def arrays(output: Path) -> list[Any]:
    return load_checkpoint(output / "last.npz", identity(output))[1]


def identity(output: Path) -> dict[str, Any]:
    with np.load(output / "last.npz") as saved:
        found: dict[str, Any] = json.loads(str(saved["state"]))["identity"]
    return found


def test_another_teacher_does_not_go_on(dataset: Path, soft: Path, trained: Path, tmp_path: Path) -> None:
    own = shutil.copytree(trained, tmp_path / "model")
    with pytest.raises(CheckpointError, match="the soft datasets have other positions than before"):
        train(dataset, SMALL, OPTIONS, own)
    one_file = sorted(soft.glob("*.parquet"))[:1]
    with pytest.raises(CheckpointError, match="the soft datasets have other positions than before"):
        train(dataset, SMALL, OPTIONS, own, soft=one_file)
