"""The command that measures models on a dataset."""

import errno
import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from game_datasets.rows import Label, accepted_row, rejected_row
from game_datasets.shards import write_shard
from game_records.sgf import parse_game
from ownership.inference.model_catalogue import find_model
from ownership.inference.network_config import NetworkConfig
from ownership.inference.stack_config import Stack
from runtime.folders import Folder
from tests.support.datasets import write_dataset
from tests.support.models import write_model
from tests.support.positions import write_dataset as write_random
from tests.support.soft import soft_row, write_soft_dataset


def test_evaluate_command(small_chain_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    dataset = write_dataset(tmp_path / "data")
    arguments = ["evaluate", str(small_chain_model), str(dataset), "--split", "train", "--every", "7"]
    assert main([*arguments, "--json", str(tmp_path / "a.json"), "--picture", str(tmp_path / "a.png")]) == 0
    figures = json.loads((tmp_path / "a.json").read_text())
    assert (figures["model"], figures["split"], figures["games"], figures["every"]) == ("small-chains", "train", 1, 7)
    assert [row["move"] for row in figures["by_move"]] == [6, 13]
    assert sum(row["points"] for row in figures["calibration"]) == 2 * 20
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
    assert re.findall(r"<!-- after (\d+) moves -->", text) == ["4", "2"], "a third of 14 moves, two thirds of 5"
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
    moves_only = rejected_row(parse_game(b"(;SZ[5]GM[1];B[ab];W[cd];B[bb];W[dd])"), "not counted", "")
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
    for name, curves in {"a/run": 2, "b/run": 2, "default": 3}.items():  # accuracy, owners and, with a lead, wins
        assert drawn.count(f"<!-- {name}") == curves


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
        "1",
    ]
    assert main(arguments) == 0
    short = capsys.readouterr().out
    assert main([*arguments, "--details"]) == 0
    long = capsys.readouterr().out
    assert long.startswith(short) and "tenth" not in short
    assert "\nmove 0 " in long and "\ntenth 10 " in long and "predicted observed points" in " ".join(long.split())


def test_a_model_on_games_that_it_learned_from_has_a_warning(
    trainings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It knows them in a dataset that lies elsewhere."""
    here = shutil.copytree(trainings / "games", tmp_path / "here")
    check_warning(trainings / "model" / "seed-0", here, ("all", "validation"), capsys)


@pytest.mark.long
def test_an_average_has_the_warnings_of_its_models(
    trainings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ownership.training.average_models import average

    models = [find_model(trainings / "model" / f"seed-{seed}") for seed in (0, 1)]
    average(models, trainings / "games", tmp_path / "mean")
    check_warning(tmp_path / "mean", trainings / "games", ("all", "validation", "train"), capsys)


def check_warning(model: Path, games: Path, splits: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Check that the evaluation of a model warns about the split of all games alone."""
    from ownership.cli import main

    warning = f"warning: {model} learned from 8 of 12 games, or from games that begin as these do"
    for split in splits:
        assert main(["evaluate", str(model), str(games), "--split", split]) == 0
        assert (warning in capsys.readouterr().err) == (split == "all")


def test_trainings_that_differ_in_their_seed_are_one_model(
    trainings: Path, small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ownership.cli import main

    seeds = [str(trainings / "model" / f"seed-{seed}") for seed in range(2)]
    output, table = tmp_path / "a.json", tmp_path / "a.csv"
    command = [str(trainings / "games"), "--split", "validation", "--json", str(output), "--table", str(table)]
    assert main(["evaluate", *seeds, str(small_model), *command]) == 0
    printed = capsys.readouterr()
    *singles, other, mean = json.loads(output.read_text())
    assert "single trainings" not in printed.err
    assert (mean["model"], mean["models"]) == ("model, 2 seeds", [each["model"] for each in singles])
    briers = [each["brier"] for each in singles]
    assert len(set(briers)) == 2
    assert mean["brier"] == pytest.approx(np.mean(briers))
    assert mean["brier_training_error"] == pytest.approx(np.std(briers, ddof=1) / 2**0.5)
    assert mean["brier_error"] > 0
    assert other["difference"]["minus"] == "model, 2 seeds"
    assert other["difference"]["brier"] == pytest.approx(other["brier"] - mean["brier"])
    heads, _, accuracy, *_ = printed.out.split("\n\n")[1].splitlines()
    assert heads.endswith("model, 2 seeds  small - model, 2 seeds")
    assert accuracy.count("±") == 2 + 1 + 2 + 1
    assert main(["evaluate", seeds[0], str(small_model), *command[:3]]) == 0
    assert "warning: single trainings: seed-0; no error tells" in capsys.readouterr().err


def test_positions_that_occur_in_training_are_left_out(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The training game, and one that is its mirror image up to move 3:

        1 . . 2      2 . . 1
        . . . .      . . . .
        . . . .      . . . 5
        3 . . 4      4 . . 3
    """
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from ownership.cli import main

    records = {"train": ";B[aa];W[da];B[ad];W[dd]", "test": ";B[da];W[aa];B[dd];W[ad];B[dc]"}
    for split, moves in records.items():
        game = parse_game(f"(;SZ[4]RE[B+9.5]KM[6.5]{moves})".encode())
        row = accepted_row(game, Label(np.ones((4, 4), np.int8), 9.5, "hand")) | {"split": split}
        (tmp_path / split).mkdir()
        write_shard(Folder(tmp_path / split), 0, [row])
    command = ["evaluate", str(small_model), str(tmp_path / "test"), "--every", "1", "--json", str(tmp_path / "a.json")]
    assert main([*command, "--unseen", str(tmp_path / "train")]) == 0
    assert "5 of 8 positions left out: they occur in" in capsys.readouterr().out
    figures = json.loads((tmp_path / "a.json").read_text())
    assert [row["move"] for row in figures["by_move"]] == [5, 6, 7]
    assert (
        main([*command, "--unseen", str(write_soft_dataset(tmp_path / "soft", [soft_row(4, 1), soft_row(4, 2)]))]) == 0
    )
    assert "0 of 8 positions left out" in capsys.readouterr().out


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

    monkeypatch.setattr("runtime.safe_writing.os.replace", full)
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
