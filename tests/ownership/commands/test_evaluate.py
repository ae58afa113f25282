"""The command that measures models on a dataset."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest

from ownership.inference.config import NetworkConfig
from ownership.inference.stack import Stack
from preprocessing.dataset.rows import rejected_row
from preprocessing.dataset.shards import write_shard
from preprocessing.records.sgf import parse_game
from preprocessing.storage import Folder
from tests.support.datasets import write_dataset
from tests.support.models import write_model
from tests.support.positions import write_dataset as write_random


def test_evaluate_command(small_chain_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset = write_dataset(tmp_path / "data")
    arguments = ["evaluate", str(small_chain_model), str(dataset), "--split", "train", "--every", "7"]
    assert main([*arguments, "--json", str(tmp_path / "a.json"), "--picture", str(tmp_path / "a.png")]) == 0
    figures = json.loads((tmp_path / "a.json").read_text())
    assert (figures["model"], figures["split"], figures["games"], figures["every"]) == ("small-chains", "train", 1, 7)
    assert [row["move"] for row in figures["by_move"]] == [0, 7, 14]
    assert sum(row["points"] for row in figures["calibration"]) == 3 * 20
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "accuracy" in capsys.readouterr().out


def test_positions_with_the_move_that_was_played_and_the_policy(small_model: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset, picture = write_dataset(tmp_path / "data"), tmp_path / "moves.svg"
    game = parse_game(b"(;SZ[5]GM[1];B[ab];W[cd];B[bb];W[dd];B[ac])", "games.zip/rejected.sgf#2")
    write_shard(Folder(dataset), 1, [rejected_row(game, "not counted", "") | {"split": "train"}])
    arguments = ["evaluate", str(small_model), str(dataset), "--split", "all", "--moves"]
    assert main([*arguments, "--moves-picture", str(picture)]) == 0
    text = picture.read_text()
    assert text.count("<!-- played: ") == text.count("<!-- predicted: ") == text.count(" moves -->") > 0
    assert text.count("<!-- record -->") == text.count("<!-- rejected.sgf#2 -->") == 1


def test_moves_leave_out_the_figures_of_the_ownership(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset, output = write_dataset(tmp_path / "data"), tmp_path / "a.json"
    arguments = ["evaluate", str(small_model), str(dataset), "--split", "train", "--json", str(output)]
    assert main([*arguments, "--moves"]) == 0
    rows = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()[3:]]
    assert rows == ["positions", "top-1", "top-5", "top-10", "entropy, bits", "illegal"]
    assert "brier" not in json.loads(output.read_text())


def test_models_beside_each_other(
    small_chain_model: Path, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset, output = write_dataset(tmp_path / "data"), tmp_path / "a.json"
    arguments = ["evaluate", str(small_model), str(small_chain_model), str(dataset), "--split", "train"]
    assert main([*arguments, "--json", str(output), "--picture", str(tmp_path / "a.svg")]) == 0
    heads, positions, *_ = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert heads.split() == ["small", "small-chains", "small-chains", "-", "small"]
    assert positions.split() == ["positions", "2", "2"]
    first, second = json.loads(output.read_text())
    assert (first["model"], second["model"]) == ("small", "small-chains")
    assert second["difference"]["brier"] == pytest.approx(second["brier"] - first["brier"])
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


def test_a_policy_beside_a_model_with_an_ownership_is_measured_on_the_same_games(
    small_model: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset, output = write_dataset(tmp_path / "data"), tmp_path / "a.json"
    moves_only = rejected_row(parse_game(b"(;SZ[5]GM[1];B[ab];W[cd];B[bb])"), "not counted", "")
    write_shard(Folder(dataset), 1, [moves_only | {"split": "train"}])
    policy = write_model(
        tmp_path / "policy", NetworkConfig("residual", "standard", filters=8, blocks=1, heads=("policy",))
    )
    command = ["--split", "train", "--json", str(output)]
    assert main(["evaluate", str(policy), str(dataset), *command]) == 0
    assert json.loads(output.read_text())["games"] == 2
    assert main(["evaluate", str(policy), str(small_model), str(dataset), *command]) == 0
    first, second = json.loads(output.read_text())
    assert (first["games"], second["games"]) == (1, 1)
    assert "accuracy" not in first and second["difference"].keys() >= {"top_1", "entropy"}


def test_models_are_compared_on_games_of_the_only_side_of_one(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    datasets = [str(write_dataset(tmp_path / "5x5")), str(write_random(tmp_path / "7x7", side=7, games=6))]
    networks = {side: Stack(layers=((4, 3),), dense=(8,), side=side) for side in (5, 7)}
    five, seven = (
        str(write_model(tmp_path / f"on{side}", NetworkConfig("stack", "signed1", heads=("policy",), stack=stack)))
        for side, stack in networks.items()
    )
    command = ["evaluate", str(small_model), five, *datasets, "--split", "train"]
    assert main([*command, "--json", str(tmp_path / "a.json")]) == 0
    assert capsys.readouterr().out.startswith(f"small on 1 train game on 5x5 of {', '.join(datasets)}\n")
    first, second = json.loads((tmp_path / "a.json").read_text())
    assert first["positions"] == second["positions"] and "top_1" in second["difference"]
    assert main(["evaluate", five, seven, *datasets, "--split", "train"]) == 0
    printed = capsys.readouterr().out
    assert "on5 on 1 train game on 5x5 of" in printed and "on7 on 2 train games on 7x7 of" in printed


def test_models_of_one_name_are_told_apart_by_their_paths(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    models = [str(shutil.copytree(small_model, tmp_path / folder / "run")) for folder in "ab"]
    arguments = ["evaluate", *models, "default", str(write_dataset(tmp_path / "data")), "--split", "train"]
    assert main([*arguments, "--picture", str(tmp_path / "a.svg"), "--json", str(tmp_path / "a.json")]) == 0
    heads = capsys.readouterr().out.split("\n\n")[1].splitlines()[0]
    assert heads.split()[:3] == ["a/run", "b/run", "default"]
    assert [each["path"] for each in json.loads((tmp_path / "a.json").read_text())] == [*models, "default"]
    drawn = (tmp_path / "a.svg").read_text()
    for name in ("a/run", "b/run", "default"):  # in the legends of accuracy and of calibration
        assert drawn.count(f"<!-- {name}") == 2


def test_one_game_has_a_warning_and_no_standard_errors(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    assert main(["evaluate", str(small_model), str(write_dataset(tmp_path / "data")), "--split", "train"]) == 0
    printed = capsys.readouterr()
    assert "ownership: warning: only 1 game of the train split: no standard errors\n" in printed.err
    assert "accuracy " in printed.out and "±" not in printed.out


def test_details_are_printed_on_demand(small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    arguments = [
        "evaluate",
        str(small_model),
        str(write_dataset(tmp_path / "data")),
        "--split",
        "train",
        "--every",
        "7",
    ]
    assert main(arguments) == 0
    short = capsys.readouterr().out
    assert main([*arguments, "--details"]) == 0
    long = capsys.readouterr().out
    assert long.startswith(short) and "tenth" not in short
    assert "\nmove 0 " in long and "\ntenth 10 " in long and "predicted observed points" in " ".join(long.split())


@pytest.mark.parametrize(("split", "warned"), [("all", True), ("train", False)])
@pytest.mark.parametrize("through", ["trained", "initial_weights", "averaged"])
def test_a_model_on_games_that_it_was_trained_on_has_a_warning(
    through: str,
    split: str,
    warned: bool,
    small_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    monkeypatch.chdir(tmp_path)
    write_dataset(Path("data"))
    described = {
        "parent": {"trained": {"datasets": ["data"], "initial_weights": None}},
        "initial_weights": {"trained": {"datasets": ["other"], "initial_weights": "parent"}},
        "averaged": {"averaged": {"models": ["gone", "parent"], "datasets": ["other"]}},
    }
    for name, origin in described.items():
        description = json.loads(Path(shutil.copytree(small_model, name), "model.json").read_text())
        Path(name, "model.json").write_text(json.dumps(description | {"name": name} | origin))
    model = "parent" if through == "trained" else through
    assert main(["evaluate", model, f"{tmp_path}/data/", "--split", split]) == 0
    warning = (
        f"ownership: warning: {model} was trained on the train split of {tmp_path}/data/, which --split all includes"
    )
    assert (warning in capsys.readouterr().err.splitlines()) == warned


def test_a_model_without_a_score_head_has_no_interval_to_measure(
    owner_model: Path, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset = str(write_dataset(tmp_path / "data"))
    for model, shown in ((owner_model, False), (small_model, True)):
        assert main(["evaluate", str(model), dataset, "--split", "train"]) == 0
        assert ("in 90% interval" in capsys.readouterr().out) == shown


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--every", "0"], "--every: expected a whole number from 1 up. Received: 0"),
        (["--table", "a.txt"], "a.txt: expected a table file ending in .csv or .tex"),
        (["--picture", "a.gif"], "a.gif: expected a picture file ending in .png, .svg, .pdf"),
        (["--moves-picture", "a.gif"], "a.gif: expected a picture file ending in .png, .svg, .pdf"),
        (["--report", "a.txt"], "a.txt: expected a page ending in .html"),
        (["--split", "exam"], "--split must be one of train, validation, test, all. Received: exam"),
        (["--json", "no/such/a.json"], "no/such/a.json: No such file or directory"),
        (["--picture", "no/such/a.png"], "no/such/a.png: No such file or directory"),
        (["--report", "no/such/a.html"], "no/such/a.html: No such file or directory"),
    ],
)
def test_evaluate_refuses(
    extra: list[str], message: str, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset = write_dataset(tmp_path / "data")
    assert main(["evaluate", str(small_model), str(dataset), "--split", "train", *extra]) == 2
    assert capsys.readouterr().err == f"ownership: error: {message}\n"


@pytest.mark.parametrize("option", ["--json", "--picture", "--report"])
def test_an_unusable_output_is_found_before_anything_is_read(
    option: str, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ownership.cli import main

    suffix = {"--json": "json", "--picture": "png", "--report": "html"}[option]
    output = tmp_path / "no" / f"out.{suffix}"
    (tmp_path / "empty").mkdir()
    assert main(["evaluate", str(small_model), str(tmp_path / "empty"), option, str(output)]) == 2
    assert capsys.readouterr().err == f"ownership: error: {output}: No such file or directory\n"


@pytest.mark.parametrize("suffix", ["json", "png", "html"])
def test_a_failing_output_leaves_the_old_one(
    suffix: str, small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    option = {"json": "--json", "png": "--picture", "html": "--report"}[suffix]
    output = tmp_path / f"out.{suffix}"
    output.write_text("old")
    arguments = ["evaluate", str(small_model), str(write_dataset(tmp_path / "data")), "--split", "train"]

    replace = os.replace

    def full(source: str | Path, target: str | Path) -> None:
        """Fail for the output alone: numba puts its cache in place by the same call."""
        if Path(target) == output:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr("preprocessing.storage.os.replace", full)
    assert main([*arguments, option, str(output)]) == 2
    assert capsys.readouterr().err.endswith(f"ownership: error: {output}: No space left on device\n")
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", output.name]


@pytest.mark.parametrize("model", ["default", "directory"])
def test_a_model_is_no_dataset(
    model: str, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ownership.cli import main

    given = str(small_model) if model == "directory" else model
    assert main(["evaluate", "fast", str(tmp_path), given]) == 2
    message = f"{given}: expected a dataset. Received: a model; give all models first, then datasets"
    assert capsys.readouterr().err == f"ownership: error: {message}\n"


def test_a_missing_folder_may_be_a_model_or_a_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from ownership.cli import main

    assert main(["evaluate", "fast", f"{tmp_path}/none"]) == 2
    message = f"{tmp_path}/none: expected a model or a dataset. Received: no such folder"
    assert capsys.readouterr().err == f"ownership: error: {message}\n"
    assert main(["evaluate", "fast", "defalt", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("Received: no such folder; did you mean default?\n")


@pytest.mark.parametrize("content", ["", "null", "[1]", '[{"samples": "many"}]', '[{"step": 1}]', "[" * 10**5])
def test_a_broken_history_is_one_error(
    content: str, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    model = tmp_path / "model"
    shutil.copytree(small_model, model)
    (model / "history.json").write_text(content)
    dataset, page = write_dataset(tmp_path / "data"), tmp_path / "page.html"
    assert main(["evaluate", str(model), str(dataset), "--split", "train", "--report", str(page)]) == 2
    message = f"ownership: error: {model / 'history.json'}: expected the history that `ownership train` writes."
    assert capsys.readouterr().err.startswith(message)
    assert not page.exists()
