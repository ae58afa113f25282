"""Several devices train as one does, each with a part of every batch: two that JAX makes of one processor, or of two
hosts, which are two processes here."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

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


class Done(NamedTuple):
    returncode: int
    stderr: str


def on_jax(devices: int) -> dict[str, str]:
    """The environment of a program in which JAX has a number of devices."""
    flags = f"--xla_force_host_platform_device_count={devices}"
    return {**os.environ, "KERAS_BACKEND": "jax", "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}


def start(
    dataset: Path, output: Path, devices: int, batch_size: int, network: Sequence[str] = NETWORK, **variables: str
) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "ownership", "train", str(dataset), "--output", str(output)]
    words = [*command, *network, *TRAINING, "--batch-size", str(batch_size)]
    return subprocess.Popen(words, env=on_jax(devices) | variables, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def end(process: "subprocess.Popen[str]") -> Done:
    _, stderr = process.communicate()
    return Done(process.returncode, stderr)


def train(dataset: Path, output: Path, devices: int, batch_size: int, network: Sequence[str] = NETWORK) -> Done:
    return end(start(dataset, output, devices, batch_size, network))


def history(output: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((output / "history.json").read_text())
    return found


@pytest.fixture(scope="module")
def alone(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The history of a training on one device."""
    output = tmp_path_factory.mktemp("alone") / "model"
    done = train(dataset, output, 1, 16)
    assert done.returncode == 0, done.stderr
    return history(output)


def assert_same(found: list[dict[str, Any]], expected: list[dict[str, Any]]) -> None:
    """Fail unless two histories have the same losses within the error of float32."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        names = [name for name in other if "loss" in name or "brier" in name]
        assert names
        np.testing.assert_allclose([one[name] for name in names], [other[name] for name in names], rtol=1e-4)


@pytest.mark.long
def test_two_devices_have_the_losses_of_one(dataset: Path, alone: list[dict[str, Any]], tmp_path: Path) -> None:
    done = train(dataset, tmp_path / "two", 2, 16)
    assert done.returncode == 0, done.stderr
    assert_same(history(tmp_path / "two"), alone)


@pytest.mark.long
def test_two_hosts_have_the_losses_of_one(dataset: Path, alone: list[dict[str, Any]], tmp_path: Path) -> None:
    hosts = {"KERAS_DISTRIBUTION_JOB_ADDRESSES": f"localhost:{free_port()}", "KERAS_DISTRIBUTION_NUM_PROCESSES": "2"}
    started = [
        start(dataset, tmp_path / str(number), 1, 16, **hosts, KERAS_DISTRIBUTION_PROCESS_ID=str(number))
        for number in range(2)
    ]
    for number, process in enumerate(started):
        done = end(process)
        assert done.returncode == 0, done.stderr
        assert_same(history(tmp_path / str(number)), alone)


def test_what_cannot_be_divided_is_explained(dataset: Path, tmp_path: Path) -> None:
    """A host without a number, and a batch that two devices cannot share; in one program, which takes long to start."""
    command = ["train", str(dataset), "--output", str(tmp_path / "model"), *NETWORK, *TRAINING]
    script = (
        "import os\nfrom ownership.cli import main\n"
        "hosts = {'KERAS_DISTRIBUTION_JOB_ADDRESSES': 'localhost:9', 'KERAS_DISTRIBUTION_NUM_PROCESSES': '2'}\n"
        f"os.environ.update(hosts)\nprint(main([*{command!r}, '--batch-size', '16']))\n"
        f"for name in hosts: del os.environ[name]\nprint(main([*{command!r}, '--batch-size', '15']))"
    )
    done = subprocess.run([sys.executable, "-c", script], env=on_jax(2), cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == ["2", "2"], done.stderr
    host, batch = [line for line in done.stderr.splitlines() if line.startswith("ownership: error: ")]
    expected = "KERAS_DISTRIBUTION_PROCESS_ID: expected a whole number beside KERAS_DISTRIBUTION_JOB_ADDRESSES"
    assert host == f"ownership: error: {expected}. Received: nothing"
    assert "--batch-size must be a multiple of the 2 devices. Received: 15" in batch


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as listening:
        listening.bind(("localhost", 0))
        port: int = listening.getsockname()[1]
        return port


@pytest.mark.long
def test_recurrent_convolutions_train(tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text('base = "dann"\n[network.stack]\nlayers = [[4, 3]]\npooled = []\ndense = []\nside = 9\n')
    games = write_dataset(tmp_path / "games", 9)
    done = train(games, tmp_path / "model", 1, 16, ["--recipe", str(recipe)])
    assert done.returncode == 0, done.stderr
