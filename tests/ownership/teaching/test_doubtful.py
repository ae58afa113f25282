"""Asking again about positions that a student sees otherwise than a first teacher."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.columns import SOFT
from game_datasets.shards import read_shard, write_shard
from ownership.cli import main
from runtime.folders import Folder
from tests.support.positions import write_dataset

OPINION = ("ownership", "lead", "deviation", "win_rate", "policy_moves", "policy", "teacher")


def rows_of(output: Path) -> list[dict[str, Any]]:
    names = sorted(path.name for path in output.glob("soft-*.parquet"))
    return [row for name in names for row in read_shard(Folder(output), name, schema=SOFT).to_pylist()]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labels of the model `fast` in which every third position has the ownership turned round."""
    folder = tmp_path_factory.mktemp("doubtful")
    games = write_dataset(folder / "games")
    arguments = ["--teacher", "fast", "--symmetries", "1", "--every", "15", "--further", "0.3"]
    assert main(["teach", str(games), *arguments, "-o", str(folder / "all")]) == 0
    rows = rows_of(folder / "all")
    for row in rows[::3]:
        row["ownership"] = (-np.frombuffer(row["ownership"], np.int8)).tobytes()
    (folder / "soft").mkdir()
    for number in range(2):
        write_shard(Folder(folder / "soft"), number, rows[number::2], SOFT)
    return folder / "soft"


def ask_again(first: Path, output: Path, difference: str) -> list[dict[str, Any]]:
    arguments = ["--student", "fast", "--difference", difference, "--teacher", "fast", "--symmetries", "1"]
    assert main(["teach", str(first), *arguments, "-o", str(output)]) == 0
    return rows_of(output)


def test_only_positions_in_doubt_are_labelled_again(first: Path, tmp_path: Path) -> None:
    again = {row["source"]: row for row in ask_again(first, tmp_path / "again", "0.15")}
    assert 0 < len(again) <= -(-len(rows_of(first)) // 3) + 1
    for row in rows_of(first):
        if answer := again.pop(row["source"], None):
            assert {name: answer[name] for name in answer if name not in OPINION} == {
                name: row[name] for name in row if name not in OPINION
            }
            said, turned = (np.frombuffer(each["ownership"], np.int8).astype(int) for each in (answer, row))
            assert np.abs(said + turned).max() <= 1
    assert not again


def test_all_positions_differ_by_nothing(first: Path, tmp_path: Path) -> None:
    again = ask_again(first, tmp_path / "again", "0")
    assert [row["source"] for row in again] == [row["source"] for row in rows_of(first)]


def test_a_dataset_of_games_is_no_soft_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = write_dataset(tmp_path / "games")
    assert main(["teach", str(games), "--student", "fast", "-o", str(tmp_path / "again")]) == 2
    assert f"{games}: expected a soft dataset" in capsys.readouterr().err
    assert not (tmp_path / "again").exists()
