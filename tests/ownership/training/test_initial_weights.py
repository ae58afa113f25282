"""Trainings that begin with the weights of an earlier one."""

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import bundled_models, find_model
from ownership.inference.model_files import DIGEST, ModelError
from ownership.inference.network_config import NetworkConfig
from ownership.inference.stack_config import Stack
from ownership.training.checkpoints import CheckpointError
from tests.support.models import OPTIONS, TRAINED
from tests.support.positions import inputs

keras = pytest.importorskip("keras", reason="training needs the train extra")

from ownership.networks.build_network import build_network  # noqa: E402
from ownership.training.saved_networks import load_trained, take_weights  # noqa: E402
from ownership.training.train_run import train  # noqa: E402


@pytest.fixture(scope="module")
def dataset(trainings: Path) -> Path:
    return trainings / "games"


@pytest.fixture(scope="module")
def trained(trainings: Path) -> Path:
    return trainings / "model" / "seed-0"


@pytest.mark.long
@pytest.mark.parametrize("name", bundled_models())
def test_bundled_models_bring_the_weights_that_they_were_made_from(name: str) -> None:
    start = find_model(name)
    assert isinstance(start.network, NetworkConfig)
    model = build_network(start.network)
    take_weights(model, start.network, start)
    evaluator = Evaluator.load(name)
    shown = inputs(start.network, 19, 8)
    exported = evaluator.predict(shown["planes"], np.zeros(shown["planes"].shape[:3], np.int32))["ownership"]
    assert np.abs(model.predict_on_batch(shown)["ownership"] - exported).mean() < 0.01


@pytest.mark.long
@pytest.mark.parametrize("blocks", [2, 3, 5])
def test_more_blocks_say_the_same_at_first(trained: Path, blocks: int) -> None:
    keras.utils.set_random_seed(blocks)
    deeper = replace(TRAINED, blocks=blocks)
    model = build_network(deeper)
    take_weights(model, deeper, find_model(trained))
    before, after = (
        network.predict_on_batch(inputs(deeper, 9, 4))
        for network in (keras.saving.load_model(trained / "best.keras"), model)
    )
    for head in TRAINED.heads:
        np.testing.assert_allclose(after[head], before[head], atol=1e-5)


def test_other_heads_begin_fresh(trained: Path, tmp_path: Path) -> None:
    """A network of the ownership alone takes that of all heads, and gives it to all heads again."""
    alone, shown = replace(TRAINED, heads=("ownership",)), inputs(TRAINED, 9, 4)
    wanted = keras.saving.load_model(trained / "best.keras").predict_on_batch(shown)["ownership"]
    fewer, start = build_network(alone), shutil.copytree(trained, tmp_path / "alone")
    take_weights(fewer, alone, find_model(trained))
    np.testing.assert_allclose(fewer.predict_on_batch(shown)["ownership"], wanted, atol=1e-6)
    fewer.save(start / "best.keras")
    described = json.loads((start / "model.json").read_text())
    described["network"]["heads"] = ["ownership"]
    del described[DIGEST]
    (start / "model.json").write_text(json.dumps(described))
    every = build_network(TRAINED)
    take_weights(every, TRAINED, find_model(start))
    answers = every.predict_on_batch(shown)
    assert tuple(answers) == TRAINED.heads
    np.testing.assert_allclose(answers["ownership"], wanted, atol=1e-6)


def test_pooling_over_chains_takes_all_weights(trained: Path) -> None:
    pooled = replace(TRAINED, chain_pooling="max")
    model, first = build_network(pooled), load_trained(trained / "best.keras", TRAINED)
    take_weights(model, pooled, find_model(trained))
    for ours, theirs in zip(model.get_weights(), first.get_weights(), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.long
def test_it_goes_on_from_where_the_first_one_was(dataset: Path, trained: Path, tmp_path: Path) -> None:
    short = replace(OPTIONS, samples=8, validations=1, learning_rate=1e-6)
    train(dataset, TRAINED, short, tmp_path, initial_weights=find_model(trained))
    first, second = (
        json.loads((folder / "model.json").read_text())["metrics"]["validation_brier"] for folder in (trained, tmp_path)
    )
    assert second == pytest.approx(first, abs=1e-4)
    assert f"--initial-weights {trained} " in (tmp_path / "README.md").read_text()


@pytest.mark.long
@pytest.mark.usefixtures("without_export")
def test_the_network_is_that_of_the_beginning(dataset: Path, trained: Path, tmp_path: Path) -> None:
    command = ["train", str(dataset), "--initial-weights", str(trained), "--samples", "8", "--batch-size", "8"]
    assert main([*command, "--blocks", "3", "--output", str(tmp_path)]) == 0
    deeper = load_trained(tmp_path / "best.keras", replace(TRAINED, blocks=3))
    assert deeper.count_params() > load_trained(trained / "best.keras", TRAINED).count_params()


@pytest.mark.long
def test_a_stack_goes_on_with_a_head_more_and_other_steps_and_dropout(dataset: Path, tmp_path: Path) -> None:
    stack = Stack(layers=((4, 3),), dense=(4,), steps=1, dropout=0.5, side=7)
    moves = NetworkConfig("stack", "signed1", heads=("policy",), stack=stack)
    train(dataset, moves, OPTIONS, tmp_path)
    wanted = replace(moves, heads=("policy", "resign"), stack=replace(stack, steps=2, dropout=0.0))
    model, first = build_network(wanted), keras.saving.load_model(tmp_path / "best.keras", compile=False)
    take_weights(model, wanted, find_model(tmp_path))
    for name in ("layer1", "layer1_steps", "dense1"):
        for ours, theirs in zip(model.get_layer(name).get_weights(), first.get_layer(name).get_weights(), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    wider = replace(moves, stack=replace(stack, dense=(8,)))
    with pytest.raises(ModelError, match=r"expected a network with dense \[8\]. Received: \[4\]$"):
        take_weights(build_network(wider), wider, find_model(tmp_path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--filters", "8"], "--initial-weights seed-0: expected a network with filters 8. Received: 4"),
        (
            ["--features", "standard"],
            "--initial-weights seed-0: expected a network with feature_set standard. Received: classic8",
        ),
        (["--blocks", "1"], "--initial-weights seed-0: expected at most 1 block. Received: 2"),
    ],
)
def test_a_network_that_is_no_beginning_is_refused(
    dataset: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    command = [
        "train",
        str(dataset),
        "--initial-weights",
        str(trained),
        "--samples",
        "8",
        "--output",
        str(tmp_path / "out"),
    ]
    own = ["--features", "classic8", "--filters", "4", "--blocks", "2"]
    assert main([*command, *own, *options]) == 2
    assert capsys.readouterr().err == f"ownership: error: {message}\n"


def test_another_beginning_is_another_training(dataset: Path, trained: Path) -> None:
    with pytest.raises(CheckpointError, match="the weights to begin with are others than before"):
        train(dataset, TRAINED, OPTIONS, trained, initial_weights=find_model(trained))


def test_weights_that_are_not_there_are_named(
    dataset: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in ("model.json", "model.tflite"):
        (bare / name).write_bytes((trained / name).read_bytes())
    command = ["train", str(dataset), "--features", "classic8", "--filters", "4", "--blocks", "2", "--samples", "8"]
    assert main([*command, "--initial-weights", str(bare), "--output", str(tmp_path / "out")]) == 2
    message = f"{bare / 'best.keras'}: expected the float32 weights of a training. Received: no such file"
    assert capsys.readouterr().err == f"ownership: error: {message}\n"


def rewrite(path: Path, filters: int, more: int) -> None:
    """Write a .keras file again, with another number of filters in each layer and more bytes beside the weights."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["config.json"] = members["config.json"].replace(b'"filters": 4', b'"filters": %d' % filters)
    members["more"] = bytes(more)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("damage", ["empty", "cut", "other", "nested", "greedy", "large"])
def test_damaged_weights_are_one_error(
    damage: str, dataset: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(trained, broken)
    path = broken / "best.keras"
    content = path.read_bytes()
    if damage in ("other", "nested"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("config.json", "{}" if damage == "other" else "[" * 100_000)
    elif damage in ("greedy", "large"):
        rewrite(path, filters=10**9 if damage == "greedy" else 4, more=1 << 25 if damage == "large" else 0)
    else:
        path.write_bytes(content[: len(content) // 2] if damage == "cut" else b"")
    command = ["train", str(dataset), "--features", "classic8", "--filters", "4", "--blocks", "2", "--samples", "8"]
    assert main([*command, "--initial-weights", str(broken), "--output", str(tmp_path / "out")]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"ownership: error: {path}: expected a network that `ownership train` saved. Received: ")
    assert message.count("\n") == 1
    assert not (tmp_path / "out").exists()
