"""`ownership train --grid`: a training for every setting, and what each option changes."""

import argparse
import json
from pathlib import Path

import pytest

pytest.importorskip("keras", reason="training needs the train extra")

from goban.errors import InputError
from ownership.cli import main
from ownership.commands.shared.training_study import parse_grid, settings
from ownership.commands.train import add_arguments
from ownership.training import train_run
from tests.support.positions import write_dataset

TINY = ["--samples", "16", "--batch-size", "8", "--architecture", "classic5", "--features", "classic8"]


def given(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(["data", "--output", "out", *words])


def test_every_combination_has_its_folder_and_its_arguments() -> None:
    arguments = given("--samples", "10", "--filters", "64")
    factors = parse_grid(["filters=16,32", "chain-pooling=off,max", "symmetries=yes,no"], arguments)
    found = list(settings(factors, arguments, add_arguments))
    assert len(found) == 8
    setting, each = found[2]
    assert setting == ("16", "max", "yes") and each.output == Path("out/filters=16,chain_pooling=max,symmetries=yes")
    assert (each.filters, each.chain_pooling, each.symmetries, each.samples) == (16, "max", True, 10)
    assert [each.symmetries for _, each in found[:2]] == [True, False] and arguments.filters == 64


def test_values_with_commas_are_parted_by_semicolons() -> None:
    arguments = given()
    factors = parse_grid(["heads=ownership;ownership,policy"], arguments)
    assert [each.heads for _, each in settings(factors, arguments, add_arguments)] == [
        ("ownership",),
        ("ownership", "policy"),
    ]


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("width=16,32", "--grid: expected an option of one value, such as filters=16,32. Received: width=16,32"),
        ("filter=16,32", "Received: filter=16,32; did you mean filters?"),
        ("seeds=1,2", "expected an option of one value"),
        ("filters=16,16", "--grid: expected filters once, with different values. Received: filters=16,16"),
        ("filters=16,", "--grid: expected filters once, with different values. Received: filters=16,"),
        ("filters=16,many", "--grid: argument --filters: invalid int value: 'many'"),
        ("filters=16,2", "--grid: --filters: "),
        ("chain_pooling=off,min", "--grid: argument --chain-pooling: invalid choice: 'min'"),
        ("symmetries=on,off", "symmetries must be yes or no. Received: on"),
    ],
)
def test_a_wrong_grid_is_one_line(grid: str, message: str) -> None:
    arguments = given()
    with pytest.raises(InputError) as raised:
        list(settings(parse_grid([grid], arguments), arguments, add_arguments))
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_without_test_games_nothing_is_trained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = write_dataset(tmp_path / "games")
    command = ["train", str(dataset), *TINY, "--grid", "filters=4,8", "--output", str(tmp_path / "study")]
    assert main(command) == 2
    assert "expected accepted games of split test" in capsys.readouterr().err and not (tmp_path / "study").exists()
    assert main([*command, "--picture", "a.txt"]) == 2
    assert "a.txt: expected a picture file ending in" in capsys.readouterr().err


@pytest.mark.long
def test_a_study_that_is_interrupted_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset, study = write_dataset(tmp_path / "games", tests=4), tmp_path / "study"
    grid = ["--grid", "filters=4,8", "--output", str(study), "--picture", str(tmp_path / "study.png")]
    command = ["train", str(dataset), *TINY, *grid]
    whole = train_run.train

    def interrupted(*arguments: object, **others: object) -> object:
        if (study / "filters=4" / "model.json").exists():
            raise KeyboardInterrupt
        return whole(*arguments, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(train_run, "train", interrupted)
    assert main(command) == 130
    assert "Interrupted before the first checkpoint" in capsys.readouterr().err
    first = (study / "filters=4" / "model.json").read_bytes()
    monkeypatch.setattr(train_run, "train", whole)
    assert main(command) == 0
    captured = capsys.readouterr()
    assert f"{study / 'filters=4'}: trained before\n" in captured.err
    assert (study / "filters=4" / "model.json").read_bytes() == first
    lines = captured.out.splitlines()
    assert lines[0].startswith("2 trainings of 2 settings on 4 test games; ") and "one training of each" in lines[0]
    assert [line.split("  ")[0] for line in lines[3:5]] == ["filters=4", "filters: 8 - 4"]
    assert lines[2].split("  ")[-1] and (tmp_path / "study.png").read_bytes()[1:4] == b"PNG"
    rows = (study / "contrasts.csv").read_text().splitlines()
    assert any(row.startswith("filters: 8 - 4,brier,") for row in rows)
    settled = json.loads((study / "filters=8" / "model.json").read_text())
    assert settled["network"]["filters"] == 8
    assert main([*command, "--samples", "24"]) == 2
    assert "found this difference: --samples 16 instead of 24" in capsys.readouterr().err
