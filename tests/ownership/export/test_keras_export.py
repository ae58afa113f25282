"""Networks of Keras that were built elsewhere, as models of all commands."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("keras", reason="networks need the train extra")
pytest.importorskip("tensorflow", reason="making a model needs the train extra")

import keras
from keras import layers

from goban.position import Position
from ownership.cli import main
from ownership.export.keras_export import export_keras
from ownership.inference.evaluator import Evaluator
from ownership.inference.keras_config import KerasConfig
from ownership.inference.model_files import ModelError, read_model_files
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes_and_chains
from tests.support.positions import random_positions, write_dataset

SIDE = 7


def network(channels: int = 8, side: int | None = SIDE) -> Any:
    """A network with a list of outputs: owners of points with an axis of 1, and a policy without the pass."""
    keras.utils.set_random_seed(3)
    board = keras.Input((side, side, channels), name="board")
    features = layers.BatchNormalization()(layers.Conv2D(4, 3, padding="same", activation="relu")(board))
    owners = layers.Conv2D(1, 3, padding="same", activation="sigmoid", name="who")(features)
    moves = layers.Softmax(name="where")(layers.Reshape((-1,))(layers.Conv2D(1, 1)(features)))
    return keras.Model(board, [owners, moves])


def sequential(last: str = "sigmoid") -> Any:
    """A network whose only output has the shape of an ownership."""
    shape = [keras.Input((SIDE, SIDE, 8)), layers.Flatten(), layers.Dense(SIDE**2, last), layers.Reshape((SIDE, SIDE))]
    return keras.Sequential(shape)


def with_chains() -> Any:
    """A network that reads chain ids too, and answers by names with all that boards have."""
    planes, chains = (
        keras.Input((SIDE, SIDE, 8), name="planes"),
        keras.Input((SIDE, SIDE), name="chains", dtype="int32"),
    )
    own = layers.Conv2D(1, 1, activation="sigmoid")(planes)
    near = layers.Rescaling(1 / SIDE**2)(layers.Reshape((SIDE**2,))(chains))
    score = layers.Dense(2, "softplus")(near)
    policy = layers.Dense(SIDE**2 + 1, "softmax")(near)
    answers = {"score": score, "policy": policy, "ownership": own, "resign": layers.Dense(1, "sigmoid")(near)}
    return keras.Model({"chains": chains, "planes": planes}, answers)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    network().save(folder / "net.keras")
    command = ["export", str(folder / "net.keras"), "--features", "classic8", "-o", str(folder / "mine")]
    assert main(command) == 0
    return folder / "mine"


def test_evaluate_score_and_gtp_take_the_model(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = write_dataset(tmp_path / "games", SIDE)
    json_file = tmp_path / "figures.json"
    assert main(["evaluate", str(exported), str(dataset), "--split", "all", "--json", str(json_file)]) == 0
    figures = json.loads(json_file.read_text())
    assert figures["model"] == "mine" and {"brier", "top_1"} <= figures.keys()
    (tmp_path / "game.sgf").write_text("(;SZ[7]KM[0];B[dd];W[cc];B[dc])")
    capsys.readouterr()
    assert main(["score", "--json", "--model", str(exported), str(tmp_path / "game.sgf")]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "mine"
    given = "boardsize 7\nplay b D4\ngenmove w\nfinal_score\nquit\n"
    command = [sys.executable, "-m", "gogui_plugin", "--model", str(exported), "--player", "policy"]
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    replies = done.stdout.split("\n\n")
    assert all(reply.startswith("=") for reply in replies[:5]), done.stdout + done.stderr


def test_the_model_answers_as_the_network(exported: Path) -> None:
    positions = random_positions(SIDE, 6)
    planes, chains = planes_and_chains(positions, parse_feature_set("classic8"))
    owners, moves = (np.asarray(each) for each in network()(planes))
    found = Evaluator.load(exported).predict(planes, chains)
    np.testing.assert_allclose(found["ownership"], owners[..., 0], atol=2e-3)
    np.testing.assert_allclose(found["policy"][:, :-1], moves, atol=2e-3)
    assert (found["policy"][:, -1] == 0).all() and not read_model_files(exported).network.passes


def test_a_second_input_of_chains_and_named_outputs(tmp_path: Path) -> None:
    export_keras(with_chains(), tmp_path / "mine", "classic8")
    files = read_model_files(tmp_path / "mine")
    assert files.heads == ("ownership", "policy", "score", "resign")
    assert files.network == KerasConfig("classic8", files.heads, SIDE, passes=True, reads_chains=True)
    [prediction] = Evaluator.load(tmp_path / "mine").evaluate([Position.empty(SIDE)])
    assert prediction.deviation is not None and prediction.deviation > 0


def test_how_names_the_file(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--how", str(exported)]) == 0
    assert "\n  imported from: file net.keras, sha256 " in capsys.readouterr().out


def of_outputs(outputs: Callable[[Any], Any]) -> Any:
    board = keras.Input((SIDE, SIDE, 8))
    return keras.Model(board, outputs(board))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: network(9),
            "net: expected an input of shape (B, N, N, 8), the planes classic8. Received: (B, 7, 7, 9)",
        ),
        (
            lambda: sequential("tanh"),
            "net: expected of ownership probabilities from 0 to 1, as a sigmoid gives. Received: -",
        ),
        (lambda: of_outputs(lambda x: {"value": x}), "Received: value of shape (B, 7, 7, 8)"),
        (
            lambda: of_outputs(lambda x: {"policy": layers.Flatten()(x[..., 7:])}),
            "expected of policy probabilities with the sum 1, as a softmax gives. Received: 1 to 1 with the sum 49",
        ),
        (lambda: of_outputs(lambda x: {"score": x[:, 0, 0, :2]}), "net: expected an output ownership beside score."),
        (
            lambda: of_outputs(lambda x: x[:, 0, 0, :2]),
            "expected outputs of these names and shapes: ownership (B, N, N)",
        ),
        (lambda: keras.Sequential([layers.Dense(1)]), "Received: no input of a known shape"),
    ],
)
def test_another_network_is_one_line(make: Callable[[], Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as raised:
        export_keras(make(), tmp_path / "mine", "classic8", "net")
    assert message in str(raised.value) and "\n" not in str(raised.value)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("content", [None, b"PK", b""])
def test_another_file_is_one_line_and_leaves_nothing(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "net.keras").write_bytes(content)
    assert main(["export", str(tmp_path / "net.keras"), "-o", str(tmp_path / "mine")]) == 2
    received = "no such file" if content is None else "another file"
    expected = f"{tmp_path}/net.keras: expected a network that Keras saved, a .keras file. Received: {received}\n"
    assert capsys.readouterr().err == f"ownership: error: {expected}"
    assert not (tmp_path / "mine").exists()


def test_a_layer_that_is_not_registered_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Unknown(layers.Layer):  # type: ignore[misc]
        def call(self, x: Any) -> Any:
            return x

    keras.Sequential([keras.Input((SIDE, SIDE, 8)), Unknown()]).save(tmp_path / "net.keras")
    assert main(["export", str(tmp_path / "net.keras"), "-o", str(tmp_path / "mine")]) == 2
    error = capsys.readouterr().err
    assert "net.keras: expected a network that Keras can load. Received: " in error and "Unknown" in error
    assert error.count("\n") == 1


def test_it_cannot_begin_a_training(exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = write_dataset(tmp_path / "games", SIDE)
    begin = ["--initial-weights", str(exported), "--samples", "8", "--output", str(tmp_path / "out")]
    assert main(["train", str(dataset), *begin]) == 2
    assert "expected a model of `ownership train`. Received: a network of `ownership export`" in capsys.readouterr().err
