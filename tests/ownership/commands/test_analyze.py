"""`ownership analyze` as a user runs it."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sgfmill import sgf

from game_records.record_sources import read_game
from ownership.cli import main
from tests.support.records import NGF

MOVES = ";B[ee];W[ec];B[fc];W[eb];B[fb];W[dd];B[fd];W[ed]"
ONE = f"(;SZ[9]KM[6.5]RU[Chinese]PB[An]PW[Bo]{MOVES})"
TWO = f"(;SZ[9]KM[6.5]RU[Chinese]PB[Cy]{MOVES};B[fe])(;SZ[9]KM[0]RU[Chinese]PB[Di]{MOVES};B[gg])"


@pytest.fixture
def analyze(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run `ownership analyze` with few visits in a folder of its own; return the exit status."""
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    Path("one.sgf").write_text(ONE)
    Path("games/one.sgf").write_text(ONE)
    Path("games/two.sgf").write_text(TWO)
    Path("bad.sgf").write_text("(;SZ[9];B[jk])")
    return lambda *arguments: main(["analyze", *arguments, "--visits", "4", "--model", "fast"])


def test_one_game(analyze: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert analyze("one.sgf", "-o", "out.sgf", "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "one.sgf: An – Bo, 8 moves, 4 visits, model fast"
    assert lines[2].split()[:2] == ["moves", "accuracy"]
    assert "Analysis with 4 visits:" in read_game("out.sgf").comments[8]
    assert [position["move"] for position in json.loads(Path("out.json").read_text())["positions"]] == list(range(9))


def test_some_moves(analyze: Callable[..., int]) -> None:
    assert analyze("one.sgf", "-o", "out.sgf", "--moves", "3-4") == 0
    assert list(read_game("out.sgf").comments) == [2, 3, 4]


def test_moves_after_the_end_of_a_shorter_game_are_left_out(analyze: Callable[..., int]) -> None:
    assert analyze("games", "-o", "out", "--moves", "8-9") == 0
    assert list(read_game("out/one.sgf").comments) == [7, 8]
    assert list(read_game("out/two-1.sgf").comments) == [7, 8, 9]


def test_a_folder_with_a_table_goes_on_where_it_ended(
    analyze: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyze("games", "bad.sgf", "-o", "out", "--csv") == 2
    *_, bad, wrote = capsys.readouterr().err.splitlines()
    assert bad.startswith("ownership: error: bad.sgf: bad move")
    assert wrote == "Wrote out"
    names = ["one.sgf", "two-1.sgf", "two-2.sgf"]
    assert sorted(path.name for path in Path("out").iterdir()) == ["games.csv", *names]
    rows = list(csv.DictReader(Path("out/games.csv").read_text().splitlines()))
    assert [(row["output"], row["black"]) for row in rows] == list(zip(names, ("An", "Cy", "Di"), strict=True))
    assert all(0 <= float(row["white_accuracy_percent"]) <= 100 for row in rows)
    Path("out/two-1.sgf").unlink()
    kept = Path("out/two-2.sgf").stat().st_mtime_ns
    assert analyze("games", "-o", "out", "--csv") == 0
    found = capsys.readouterr()
    assert found.out.startswith("games/two.sgf#1: Cy – White, 9 moves")
    assert found.err == "Wrote out\nSkipped 2 games that out holds\n"
    assert Path("out/two-2.sgf").stat().st_mtime_ns == kept
    assert list(csv.DictReader(Path("out/games.csv").read_text().splitlines())) == rows


def test_games_of_one_name_have_outputs_of_their_own(analyze: Callable[..., int]) -> None:
    assert analyze("one.sgf", "games/one.sgf", "-o", "out") == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["one-2.sgf", "one.sgf"]


def test_another_record_of_the_name_of_an_output_is_kept(
    analyze: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyze("games/two.sgf#1", "-o", "games") == 0
    Path("games/two-1.sgf").rename("games/one-2.sgf")
    before = {path: path.read_text() for path in Path("games").iterdir()}
    assert analyze("games/one.sgf", "one.sgf", "-o", "games") == 2
    *_, first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("ownership: error: games/one.sgf: expected another file than the input. Received: ")
    assert second.startswith("ownership: error: games/one-2.sgf: expected the analysis of one.sgf. Received: ")
    assert {path: path.read_text() for path in Path("games").iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["games/two.sgf", "-o", "out.sgf"], "games/two.sgf: expected one game. Received: several"),
        (["one.sgf", "games/one.sgf", "-o", "out.sgf"], "out.sgf: expected one game. Received: 2"),
        (
            ["one.sgf", "-o", "./one.sgf"],
            "one.sgf: expected another file than the input. Received: the input itself",
        ),
        (["one.sgf", "-o", "out.html"], "out.html: expected a file ending in .sgf, or a folder. Received: a file"),
        (["bad.sgf", "-o", "out.sgf"], "bad.sgf: bad move"),
        (["no.sgf", "-o", "out.sgf"], "no.sgf: expected a file or folder of game records"),
        (["one.sgf", "-o", "no/out.sgf"], "no/out.sgf: No such file or directory"),
        (["one.sgf", "-o", "one.sgf/out"], "one.sgf/out: Not a directory"),
        (["one.sgf", "-o", "out.sgf", "--csv"], "out.sgf: --csv needs a folder of games"),
        (["one.sgf", "-o", "out.sgf", "--moves", "9-12"], "one.sgf: --moves: expected a first move 1..8. Received: 9"),
        (["one.sgf", "-o", "out.sgf", "--moves", "0-3"], "--moves: expected two move numbers such as 1-50"),
        (["one.sgf", "-o", "out.sgf", "--moves", "5-4"], "--moves: expected two move numbers such as 1-50"),
        (["one.sgf", "-o", "out.sgf", "--komi", "999"], "--komi: expected a number -400..400"),
        (["games", "-o", "games"], "games: expected a folder outside that of the games"),
        (["games", "-o", "games/out"], "games/out: expected a folder outside that of the games"),
    ],
)
def test_mistakes_cost_one_line_and_status_2(
    arguments: list[str], message: str, analyze: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert analyze(*arguments) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"ownership: error: {message}")
    assert not Path("out.sgf").exists()


def test_visits_and_a_model_with_a_policy(
    analyze: Callable[..., int], owner_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", "one.sgf", "-o", "out.sgf", "--visits", "1"]) == 2
    assert main(["analyze", "one.sgf", "-o", "out.sgf", "--model", str(owner_model)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == "ownership: error: --visits: expected a whole number 2..1000000. Received: 1"
    assert second.startswith("ownership: error: --model: analyze needs a model with the head policy")
    assert not Path("out.sgf").exists()


def test_a_table_of_something_else_is_kept(analyze: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    Path("out/games.csv").write_text("a,b\n1,2\n")
    assert analyze("games", "-o", "out", "--csv") == 2
    assert "expected a table of this command" in capsys.readouterr().err
    assert Path("out/games.csv").read_text() == "a,b\n1,2\n"


def test_a_record_of_a_server_gets_a_result_that_other_programs_read(analyze: Callable[..., int]) -> None:
    Path("words.ngf").write_text(NGF.replace("White wins by 2.5!", "White wins by resign!"))
    assert analyze("words.ngf", "-o", "out.sgf") == 0
    root = sgf.Sgf_game.from_bytes(Path("out.sgf").read_bytes()).get_root()
    assert (root.get("RE"), root.get("RU"), root.get("KM")) == ("W+R", "territory", 7.5)
