"""The mean of the weights of models."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import keras
import numpy as np
import pytest

from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import find_model
from ownership.inference.network_config import NetworkConfig
from ownership.networks.build_network import build_network
from tests.support.models import write_model
from tests.support.positions import write_dataset


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("averaging") / "games")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two models of the same network that differ in their seed, and one described as wider, a training."""
    folder = tmp_path_factory.mktemp("averaged")
    config = NetworkConfig("residual", "classic8", filters=8, blocks=1)
    made = []
    for seed, name in enumerate(("one", "two")):
        made.append(write_model(folder / name, config, seed))
        keras.utils.set_random_seed(seed)
        build_network(config).save(made[-1] / "best.keras")
    wide = shutil.copytree(made[0], folder / "wide")
    described = {"name": "wide", "network": replace(config, filters=12).to_dict()}
    (wide / "model.json").write_text(json.dumps(described))
    (wide / "last.npz").touch()
    return [*made, wide]


@pytest.mark.long
def test_the_weights_are_the_means(
    models: list[Path], games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, _ = models
    mean = tmp_path / "mean"
    assert main(["average", str(one), str(two), "--datasets", str(games), "-o", str(mean)]) == 0
    weights = [keras.saving.load_model(each / "best.keras", compile=False).get_weights() for each in (one, two, mean)]
    for first, second, averaged in zip(*weights, strict=True):
        np.testing.assert_allclose(averaged, (first + second) / 2, atol=1e-6)
    description = json.loads((mean / "model.json").read_text())
    assert description["averaged"]["models"] == [str(one), str(two)]
    assert set(description["calibration"]) == {"7"}
    assert Evaluator.load(mean).name == "mean"
    shown = capsys.readouterr()
    figures = [re.fullmatch(r".*: accuracy ([\d.]+)%, Brier ([\d.]+), .*", line) for line in shown.out.splitlines()[:3]]
    first, second, third = (float(found[2]) for found in figures if found)
    for name, brier in (("one", first), ("two", second)):
        warned = re.search(rf"mean: warning: {name} is better than the mean in .*Brier.*\n", shown.err)
        assert brier == third or bool(warned) == (brier < third)  # figures are rounded


@pytest.mark.long
def test_the_default_model_is_averaged_with_one_that_was_tuned_from_it(games: Path, tmp_path: Path) -> None:
    shutil.copytree(find_model("default").weights.parent, tmp_path / "tuned")
    names = ["default", str(tmp_path / "tuned")]
    assert main(["average", *names, "--datasets", str(games), "-o", str(tmp_path / "mean")]) == 0
    assert Evaluator.load(tmp_path / "mean").name == "mean"


@pytest.mark.long
def test_networks_of_one_board_side_are_measured_on_it(games: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text('base = "omegago"\n[network.stack]\ndense = [4]\nside = 7\n[training]\nbatch_size = 16\n')
    other = write_dataset(tmp_path / "other", 13)
    models = [str(tmp_path / name) for name in ("one", "same")]
    assert main(["train", str(games), "--recipe", str(recipe), "--samples", "64", "--output", models[0]]) == 0
    shutil.copytree(models[0], models[1])
    assert main(["average", *models, "--datasets", str(other), str(games), "-o", str(tmp_path / "mean")]) == 0
    assert Evaluator.load(tmp_path / "mean").heads == ("policy", "resign")


def test_what_cannot_be_averaged_costs_one_line(
    models: list[Path], games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _, wide = models
    for asked, message in (
        ([one, wide], "wide: expected the network of one, filters 8. Received: filters 12"),
        ([one], "expected two models or more. Received: 1"),
    ):
        places = [str(place) for place in asked]
        assert main(["average", *places, "--datasets", str(games), "-o", str(tmp_path / "mean")]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "mean").exists()


def test_the_mean_replaces_neither_a_model_nor_a_training(
    models: list[Path], games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, wide = models
    before = {path: path.read_bytes() for each in models for path in each.glob("*.*")}
    for output, received in ((two, "one of them"), (wide, "that of a training")):
        assert main(["average", str(one), str(two), "--datasets", str(games), "-o", str(output)]) == 2
        assert capsys.readouterr().err.endswith(f"Received: {received}\n")
    assert {path: path.read_bytes() for each in models for path in each.glob("*.*")} == before
