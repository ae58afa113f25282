"""Several devices train as one does, each with a part of every batch: two that JAX makes of one processor."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.paths import ROOT
from tests.support.positions import write_dataset

pytestmark = pytest.mark.skipif(find_spec("jax") is None, reason="only JAX trains on several devices")

NETWORK = ["--features", "classic8", "--heads", "ownership,policy", "--filters", "4", "--blocks", "1"]
TRAINING = ["--samples", "480", "--precision", "float32"]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("devices") / "games")


def train(
    dataset: Path, output: Path, devices: int, batch_size: int, network: Sequence[str] = NETWORK
) -> "subprocess.CompletedProcess[str]":
    flags = f"--xla_force_host_platform_device_count={devices}"
    environment = {**os.environ, "KERAS_BACKEND": "jax", "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
    command = [sys.executable, "-m", "ownership", "train", str(dataset), "--output", str(output)]
    words = [*command, *network, *TRAINING, "--batch-size", str(batch_size)]
    return subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True)


def history(output: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((output / "history.json").read_text())
    return found


def test_two_devices_have_the_losses_of_one(dataset: Path, tmp_path: Path) -> None:
    for devices in (1, 2):
        done = train(dataset, tmp_path / str(devices), devices, 16)
        assert done.returncode == 0, done.stderr
    one, two = history(tmp_path / "1"), history(tmp_path / "2")
    assert len(one) == len(two)
    for first, second in zip(one, two, strict=True):
        names = [name for name in first if "loss" in name or "brier" in name]
        assert names
        np.testing.assert_allclose([second[name] for name in names], [first[name] for name in names], rtol=1e-3)


def test_recurrent_convolutions_train(tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text('base = "dann"\n[network.stack]\nlayers = [[4, 3]]\npooled = []\ndense = []\nside = 9\n')
    games = write_dataset(tmp_path / "games", 9)
    done = train(games, tmp_path / "model", 1, 16, ["--recipe", str(recipe)])
    assert done.returncode == 0, done.stderr


def test_a_batch_that_cannot_be_shared_is_explained(dataset: Path, tmp_path: Path) -> None:
    done = train(dataset, tmp_path / "model", 2, 15)
    assert done.returncode == 2
    assert "--batch-size must be a multiple of the 2 devices. Received: 15" in done.stderr
