"""`ownership compare`: the targets of two datasets for the same games."""

from pathlib import Path

import numpy as np
import pytest

from game_datasets.rows import Label, accepted_row, rejected_row
from game_datasets.shards import write_shard
from game_datasets.target_comparison import compare_targets
from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban import text_diagram
from ownership.cli import main
from runtime.folders import Folder
from tests.support.labelled import collection

HALVES = "\n".join(["X X O O O"] * 5)
A_DAME = "\n".join(["X X . O O"] * 5)
OTHER_HALVES = "\n".join(["X X X O O"] * 5)


def games() -> list[GameRecord]:
    return [parse_game(text.encode(), f"game {number}") for number, text in enumerate(collection(4).split("\n"))]


def write_dataset(path: Path, targets: list[str | None]) -> Path:
    """Write a dataset of the same games with these targets, None for a rejection."""
    rows = [
        accepted_row(game, Label(text_diagram.parse_diagram(target), 1.5, path.name))
        if target
        else rejected_row(game, "score differs", "")
        for game, target in zip(games(), targets, strict=True)
    ]
    write_shard(Folder(path), 0, rows)
    return path


@pytest.fixture
def datasets(tmp_path: Path) -> tuple[Path, Path]:
    first = write_dataset(tmp_path / "first", [HALVES, HALVES, HALVES, None])
    return first, write_dataset(tmp_path / "second", [A_DAME, OTHER_HALVES, None, HALVES])


def test_points_and_games_are_counted(datasets: tuple[Path, Path]) -> None:
    found = compare_targets(*map(Folder, datasets))
    assert (found.games, found.accepted, found.only_first, found.only_second) == (4, 2, 1, 1)
    assert (found.agreed, found.opposed, found.decided_once) == (40, 5, (5, 0))
    [disagreement] = found.disagreements
    assert disagreement.game.source == "game 1"
    assert disagreement.scorers == ("first", "second")
    assert np.array_equal(disagreement.points, np.arange(25).reshape(5, 5) % 5 == 2)
    assert np.array_equal(disagreement.game.position().stones, games()[1].position().stones)


def test_a_dataset_agrees_with_itself(datasets: tuple[Path, Path]) -> None:
    found = compare_targets(Folder(datasets[0]), Folder(datasets[0]))
    assert (found.accepted, found.opposed, found.decided_once, found.disagreements) == (3, 0, (0, 0), [])


def test_the_command(datasets: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "boards.png"
    first, second = map(str, datasets)
    assert main(["compare", first, second, "--examples", "3", "--picture", str(picture)]) == 0
    shown = capsys.readouterr().out
    assert "45 points decided by both: 88.889% to the same player, 5 not" in shown
    assert "game 1 (W+5.5): 5 points, first / second" in shown
    assert " 5 . X - . . 5" in shown
    assert picture.stat().st_size > 10_000


def test_without_a_difference_no_picture_is_written(
    datasets: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "boards.png"
    first = str(datasets[0])
    assert main(["compare", first, first, "--examples", "3", "--picture", str(picture)]) == 0
    assert capsys.readouterr().err == f"No game differs: {picture} is not written\n"
    assert not picture.exists()


def test_datasets_without_common_games(
    datasets: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, empty = str(datasets[0]), str(tmp_path / "empty")
    write_shard(Folder(empty), 0, [])
    assert main(["compare", first, empty]) == 2
    assert capsys.readouterr().err == f"ownership: error: expected games in both {first} and {empty}. Received: none\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/nowhere", "/nowhere"], "expected a dataset folder"),
        (["/nowhere", "/nowhere", "--examples", "-1"], "--examples: expected a whole number from 0 up"),
        (["/nowhere", "/nowhere", "--picture", "x.gif"], "expected a picture file"),
        (["/nowhere", "/nowhere", "--picture", "x.png"], "--picture draws the games of --examples"),
    ],
)
def test_mistakes_cost_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *arguments]) == 2
    assert message in capsys.readouterr().err
