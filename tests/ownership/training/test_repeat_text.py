"""What `ownership models --how` prints: all that repeats a training, and what is known of other models."""

import json
import platform
import shlex
from pathlib import Path

import pytest

from game_datasets.load_table import load_games
from ownership.cli import main
from ownership.inference.model_catalogue import bundled_models
from runtime.source_version import installed_version, source_commit
from tests.support.positions import write_dataset

OPTIONS = ["--samples", "64", "--batch-size", "8", "--filters", "4", "--blocks", "1", "--chain-pooling", "max"]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("data") / "games")


@pytest.fixture(scope="module")
def trained(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("keras", reason="training needs the train extra")
    output = tmp_path_factory.mktemp("models") / "mine"
    first = [*OPTIONS, "--no-symmetries", "--seed", "7", "--sides", "5,7", "--heads", "ownership,policy"]
    assert main(["train", str(dataset), *first, "--output", str(output)]) == 0
    return output


def shown(model: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert main(["models", "--how", model, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.long
def test_the_command_that_is_printed_trains_the_same_network(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = str(shown(str(trained), capsys)["command"])
    words = shlex.split(command.replace(str(trained), str(tmp_path / "again")))
    assert words[0] == "ownership" and main(words[1:]) == 0
    first, again = (json.loads((each / "model.json").read_text()) for each in (trained, tmp_path / "again"))
    assert first["network"] == again["network"]
    for name in ("options", "datasets", "games", "counts", "fingerprints", "samples", "versions"):
        assert first["trained"][name] == again["trained"][name]
    assert first["metrics"] == pytest.approx(again["metrics"], abs=1e-5)


def test_versions_and_fingerprints_are_those_of_the_training(
    trainings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trained, dataset = trainings / "model" / "seed-1", trainings / "games"
    found = shown(str(trained), capsys)
    versions = {name: installed_version(name) for name in ("tensorflow", "keras", "numpy", "jax")}
    installed = {name: version for name, version in versions.items() if version}
    assert found["versions"] == {"python": platform.python_version(), **installed}
    assert found["commit"] == source_commit()
    sides = {split: load_games(dataset, split) for split in ("train", "validation")}
    assert found["fingerprints"] == {split: table.fingerprint for split, table in sides.items()}
    assert main(["models", "--how", str(trained)]) == 0
    text = capsys.readouterr().out
    for line in (f"command: {found['command']}", f"commit {found['commit']}", f"Python {platform.python_version()}"):
        assert line in text
    assert f"fingerprints: train {sides['train'].fingerprint}, validation {sides['validation'].fingerprint}\n" in text


@pytest.mark.long
def test_the_weights_to_begin_with_have_a_fingerprint(
    trained: Path, dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = ["--initial-weights", str(trained), "--samples", "16", "--batch-size", "8", "--sides", "5,7"]
    assert main(["train", str(dataset), *begin, "--output", str(tmp_path / "tuned")]) == 0
    found = shown(str(tmp_path / "tuned"), capsys)
    assert f" --initial-weights {trained} " in str(found["command"])
    assert isinstance(found["fingerprints"], dict) and len(found["fingerprints"]["initial_weights"]) == 16


@pytest.mark.parametrize("model", bundled_models())
def test_of_bundled_models_what_is_known_is_printed(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--how", model]) == 0
    lines = dict(line.strip().split(": ", 1) for line in capsys.readouterr().out.splitlines()[1:])
    assert lines["command"] == "not known" and lines["trained"].startswith("2026-11-27, ")
    assert "batch_size " in lines["options"] and lines["datasets"] == "counted, small"
    assert Path(lines["card"]).read_text().startswith(f"# {model}\n")


def test_an_unknown_model_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--how", "defalt"]) == 2
    assert capsys.readouterr().err.endswith("Received: defalt; did you mean default?\n")


def test_a_clone_names_its_commit_and_changed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    def git(*words: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        done = subprocess.run(["git", *identity, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    monkeypatch.setattr("runtime.source_version._ROOT", tmp_path)
    (tmp_path / "a.py").write_text("a = 1\n")
    git("init")
    git("add", ".")
    git("commit", "-m", "First")
    git("tag", "v1")
    assert source_commit() == git("rev-parse", "HEAD")
    (tmp_path / "a.py").write_text("a = 2\n")
    assert source_commit() == git("rev-parse", "HEAD") + "-dirty"
