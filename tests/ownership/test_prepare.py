"""`ownership prepare` and `ownership inspect`, from the command line."""

import sys
from pathlib import Path

import pytest

from ownership.cli import main
from preprocessing.dataset import load_games
from tests.preprocessing.test_pipeline import collection

ILLEGAL = "(;GM[1]SZ[9]RE[B+5.5];B[aa];W[aa])"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "good.sgf").write_text(collection(6))
    return folder


def test_prepares_and_inspects(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = tmp_path / "dataset"
    assert main(["prepare", str(games), "-o", str(dataset), "--workers", "2"]) == 0
    assert "6 records, 4 accepted" in capsys.readouterr().out
    assert len(load_games(dataset)) == 4

    assert main(["inspect", str(dataset), "--examples", "1"]) == 0
    shown = capsys.readouterr().out
    assert "6 records, 4 accepted (66.7%)" in shown
    assert "not counted" in shown
    assert "X X O O O" in shown


def test_bad_records_are_reported_and_passed_over(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (games / "bad.sgf").write_text(ILLEGAL)
    (games / "junk.sgf").write_bytes(bytes(range(256)))
    dataset = tmp_path / "dataset"
    assert main(["prepare", str(games), "-o", str(dataset)]) == 2
    captured = capsys.readouterr()
    assert "bad.sgf: illegal move" in captured.err
    assert "junk.sgf" in captured.err
    assert "8 records, 4 accepted" in captured.out
    assert len(load_games(dataset)) == 4


def test_without_the_train_extra_nothing_is_scored(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["prepare", str(games), "-o", str(tmp_path / "dataset")]) == 2
    assert "pip install 'go-ownership[train]'" in capsys.readouterr().err
    assert not (tmp_path / "dataset").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prepare", "GAMES", "-o", "DATASET", "--workers", "0"], "--workers must be at least 1. Received: 0"),
        (["prepare", "GAMES", "-o", "DATASET", "--limit", "-1"], "--limit must be at least 1. Received: -1"),
        (["prepare", "GAMES", "-o", "DATASET", "--tolerance", "nan"], "--tolerance must be 0 points or more"),
        (["prepare", "GAMES", "-o", "DATASET", "--time-limit", "0"], "--time-limit must be above 0"),
        (["prepare", "GAMES", "-o", "DATASET", "--gnugo", "/bin/false"], "expected GNU Go, but it does not run"),
        (["prepare", "GAMES", "-o", "GAMES"], "expected a new folder or a dataset, found other files"),
        (["inspect", "GAMES", "--examples", "-1"], "--examples must be 0 or more. Received: -1"),
        (["inspect", "GAMES"], "expected a dataset folder"),
        (["inspect", "/nowhere"], "expected a dataset folder"),
    ],
)
def test_mistakes_cost_one_line(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    places = {"GAMES": str(games), "DATASET": str(tmp_path / "dataset")}
    assert main([places.get(argument, argument) for argument in arguments]) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert message in error
    assert error.startswith("ownership: error: ")
