"""`ownership import` into the user's folder, and `ownership models`."""

import gzip
import json
import sys
import types
from pathlib import Path

import pytest

from ownership.cli import main
from ownership.inference.model_catalogue import bundled_models, imported_folder, imported_models
from ownership.katago_networks.find_networks import digest_of
from ownership.katago_networks.katago_file import NetworkFile
from ownership.katago_networks.network_parts import KataGoModel
from tests.support.katago_files import network_bytes, write_network
from tests.support.processes import files_of_at_most


class Written:
    """The lines of an import about the model that it wrote."""

    weights, mean, rare = "float16", 0.001, 0.01


@pytest.fixture
def converted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conversion without Keras: model directories hold a description alone, and weights that are none."""

    def import_network(model: KataGoModel, file: NetworkFile, directory: Path) -> Written:
        (directory / "model.tflite").write_bytes(b"none")
        network = {"architecture": "katago", "feature_set": "katago7", "version": 8, "filters": 8, "blocks": 3}
        description = {"name": model.name, "source": {"sha256": digest_of(file)}, "network": network}
        (directory / "model.json").write_text(json.dumps(description))
        return Written()

    module = types.SimpleNamespace(import_network=import_network)
    monkeypatch.setitem(sys.modules, "ownership.katago_networks.import_network", module)


def test_networks_get_the_shortest_name_that_is_free(
    user_data: Path, converted: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = []
    for seed, name in enumerate(("b18", "b18c384nbt", "kata1-b18c384nbt-s1", "kata1-b18c384nbt-s1-")):
        content = network_bytes(name="kata1-b18c384nbt-s1", seed=seed)
        network = write_network(tmp_path / f"{seed}.bin.gz", content)
        expected.append(name if seed < 3 else name + digest_of(NetworkFile(network))[:8])
        for _ in range(2):  # the same again takes the place of the first
            assert main(["import", str(network)]) == 0
            assert imported_models() == sorted(expected)
    text = capsys.readouterr().out
    assert f"{imported_folder() / 'b18'}: float16 weights" in text
    assert "\nLicence: KataGo Network License, https://katagotraining.org/network_license/\n" in text
    assert "\nTo use it: --model b18, or for all commands: ownership models use b18\n" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"(;SZ[9])", "net.bin.gz: expected a network of KataGo, in the head"),
        (gzip.compress(network_bytes())[:-3000], "net.bin.gz: expected a whole gzip file."),
        (
            gzip.compress(network_bytes(99)),
            "net.bin.gz: expected a network of KataGo, in the head a network of ",
        ),
        (None, "net.bin.gz: No such file or directory"),
    ],
)
def test_a_file_that_is_no_network_is_one_line_and_leaves_nothing(
    content: bytes | None, message: str, user_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = tmp_path / "net.bin.gz"
    if content is not None:
        network.write_bytes(content)
    for output in ([], ["-o", str(tmp_path / "model")]):
        assert main(["import", str(network), *output]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"ownership: error: {tmp_path}/{message}") and error.count("\n") == 1
        assert not user_data.exists() and not (tmp_path / "model").exists()


def test_without_keras_one_line_names_how_to_install_it(
    user_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    network = write_network(tmp_path / "net.bin.gz", network_bytes())
    monkeypatch.delitem(sys.modules, "ownership.katago_networks.import_network", raising=False)
    monkeypatch.setitem(sys.modules, "keras", None)
    assert main(["import", str(network)]) == 2
    expected = "this command needs keras, which is not installed: in a clone, pip install -e '.[train]'"
    assert capsys.readouterr().err == f"ownership: error: {expected}\n"
    assert not list(imported_folder().iterdir())


def test_models_are_listed_and_chosen(
    user_data: Path,
    owner_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("ownership.inference.speed._SECONDS", 0.01)
    imported_folder().mkdir(parents=True)
    (imported_folder() / "b18").symlink_to(owner_model)
    assert main(["models", "use", "b18"]) == 0
    assert "All commands use b18 (owner); `ownership models use default` goes back" in capsys.readouterr().out
    assert main(["models"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["name", "MB", "positions/s", "accuracy", "Brier", "network"]
    rows = {line[1] if line[0] == "*" else line[0]: line for line in lines[1 : len(bundled_models()) + 2]}
    assert list(rows) == [*bundled_models(), "b18"]
    assert rows["b18"][0] == "*" and rows["b18"][4:6] == ["-", "-"] and rows["default"][3].endswith("%")
    (tmp_path / "game.sgf").write_text("(;SZ[9];B[ee];W[cc])")
    assert main(["score", str(tmp_path / "game.sgf")]) == 0
    assert capsys.readouterr().err == "ownership: model: b18, chosen by `ownership models use`\n"
    assert main(["score", str(tmp_path / "game.sgf"), "--model", "b18"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["models", "use", "default"]) == main(["models", "--json"]) == 0
    chosen, _, listed = capsys.readouterr().out.partition("\n")
    assert chosen == "All commands use default"
    found = json.loads(listed)
    assert [each["name"] for each in found if each["default"]] == ["default"]
    assert all(each["positions_per_second"] > 0 for each in found)


def test_a_damaged_model_is_named_beside_the_others(
    user_data: Path,
    converted: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("ownership.inference.speed._SECONDS", 0.01)
    assert main(["import", str(write_network(tmp_path / "net.bin.gz", network_bytes()))]) == 0
    assert main(["models", "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"ownership: error: {imported_folder() / 'b3' / 'model.tflite'}: expected a model")
    assert captured.err.count("\n") == 1 and '"fast"' in captured.out
    assert main(["models", "use", "fst"]) == 2
    assert capsys.readouterr().err.endswith("Received: fst; did you mean fast?\n")


def test_a_choice_that_cannot_be_written_keeps_the_earlier_one(
    user_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "use", "play"]) == 0
    [kept] = user_data.rglob("default-model")
    with files_of_at_most(0):
        assert main(["models", "use", "fast"]) == 2
    assert capsys.readouterr().err == f"ownership: error: {kept}: File too large\n"
    assert kept.read_text() == "play\n"
    assert [path.name for path in kept.parent.iterdir()] == ["default-model"]
