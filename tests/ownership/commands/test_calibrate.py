"""`ownership calibrate`: a model's description before and after, and what is refused."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import DIGEST, description_digest
from tests.support.positions import write_dataset

pytest.importorskip("pyarrow", reason="datasets need the train extra")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return shutil.copytree(find_model("fast").weights.parent, tmp_path / "model")


def description(model: Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((model / "model.json").read_text())
    return values


def test_a_model_gets_factors_for_the_boards_of_the_games(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    datasets = [str(write_dataset(tmp_path / str(side), side)) for side in (7, 13)]
    before = description(model)
    assert main(["calibrate", str(model), *datasets]) == 0
    printed, after = capsys.readouterr(), description(model)
    assert [line.split()[:2] for line in printed.out.splitlines()[1:]] == [
        ["7x7", "deviation"],
        ["7x7", "spread"],
        ["13x13", "deviation"],
        ["13x13", "spread"],
    ]
    assert printed.err.endswith(f"Wrote {model / 'model.json'}\n")
    assert set(after["calibration"]) == {"7", "9", "13", "19"}
    assert {side for side in ("9", "19") if after["calibration"][side] == before["calibration"][side]} == {"9", "19"}
    assert after["calibration"]["13"] != before["calibration"]["13"]
    assert after[DIGEST] == description_digest(after) != before[DIGEST]
    for values in (before, after):
        del values["calibration"], values[DIGEST]
    assert before == after
    assert set(Evaluator.load(model).files.calibration) == {7, 9, 13, 19}
    again = (model / "model.json").read_bytes()
    assert main(["calibrate", str(model), *datasets]) == 0
    assert (model / "model.json").read_bytes() == again  # the factors in force do not matter


def test_the_interval_holds_the_scores_of_the_games_it_was_fitted_on(model: Path, tmp_path: Path) -> None:
    dataset, found = str(write_dataset(tmp_path / "games", games=60)), tmp_path / "found.json"
    measured = ["evaluate", str(model), dataset, "--split", "all", "--every", "3", "--json", str(found)]
    coverage = []
    for _ in range(2):
        assert main([*measured, "--symmetries", "1"]) == 0
        coverage.append(json.loads(found.read_text())["score_coverage"])
        assert main(["calibrate", str(model), dataset, "--split", "all", "--symmetries", "1"]) == 0
    before, after = coverage
    assert before < 0.8 and 0.86 < after < 0.94


def test_what_cannot_be_calibrated_costs_one_line(
    model: Path, owner_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = str(write_dataset(tmp_path / "games"))
    before = (model / "model.json").read_bytes()
    for arguments, message in (
        (["missing", dataset], "MODEL: "),
        ([str(owner_model), dataset], "ownership calibrate needs a model with the head score. Received: owner"),
        ([str(model), str(tmp_path / "none")], "none"),
        ([str(model), dataset, "--split", "tests"], "--split must be one of train, validation, test, all"),
        ([str(model), dataset, "--split", "test"], "expected accepted games of split test, found none"),
    ):
        assert main(["calibrate", *arguments]) == 2
        shown = capsys.readouterr().err
        assert message in shown and shown.count("\n") == 1
    assert (model / "model.json").read_bytes() == before
