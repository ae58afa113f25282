"""The command `ownership match`: matches that are resumed, the games that it keeps, wrong arguments."""

import json
import re
import sys
import time
from pathlib import Path

import pytest
from sgfmill import sgf

from game_records.sgf import parse_game
from goban.position import Position
from ownership.cli import main
from ownership.match.pairings import Pairing, schedule
from ownership.players.random_player import RandomPlayer


def match(*arguments: str | Path) -> int:
    return main(["match", *map(str, arguments)])


def test_a_match_is_resumed_where_it_ended(
    tmp_path: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match"
    common = ("-o", out, "--size", "5", "--referee", small_model, "--model", small_model, "--jobs", "3")
    players = ("random", "random:seed=7", "policy:resign=0")
    assert match(*players, *common, "--games", "2") == 0
    first = (out / "results.jsonl").read_text().splitlines()
    assert len(first) == 6
    assert match(*players, *common, "--games", "4") == 0
    lines = (out / "results.jsonl").read_text().splitlines()
    assert lines[:6] == first and len(lines) == 12
    assert {Pairing(each["first"], each["second"], each["number"]) for each in map(json.loads, lines)} == set(
        schedule(players, 4)
    )
    shown = capsys.readouterr().out
    assert "A  random\nB  random:seed=7\nC  policy:resign=0" in shown
    assert "B - C      4  " in shown
    assert match(*players, "-o", out, "--size", "7") == 2


def test_games_are_kept_with_score_and_ownership(tmp_path: Path, small_model: Path) -> None:
    out = tmp_path / "match"
    common = ("--size", "5", "--games", "1", "--referee", small_model, "--model", small_model)
    program = f"{sys.executable} -m gogui_plugin --player random --model {small_model}"
    assert match("random", program, "-o", out, *common, "--time", "60", "--byo-yomi", "5") == 0
    [path] = (out / "games").iterdir()
    record = sgf.Sgf_game.from_bytes(path.read_bytes())
    nodes = record.get_main_sequence()
    assert record.get_root().get("PW") == program
    for node in nodes:
        head, *rows = node.get("C").splitlines()
        assert re.search(r"90% interval .* (Black|White)'s win rate |counted, ", head)
        assert len(rows) == 5 and all(len(line) == 5 and line.isdigit() for line in rows)
    played = parse_game(path.read_bytes())
    assert played.result.text == json.loads((out / "results.jsonl").read_text())["result"]
    assert not Position.empty(5).stones.any() and len(nodes) == len(played.move_points) + 1


def test_kernels_are_compiled_before_a_clock_runs(
    tmp_path: Path, small_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, began = list[float](), list[float]()

    def choose(*_: object) -> int:
        began.append(time.monotonic())
        return 25

    monkeypatch.setattr("ownership.commands.match._compile", lambda: compiled.append(time.monotonic()))
    monkeypatch.setattr(RandomPlayer, "choose", choose)
    common = ("--size", "5", "--games", "1", "--referee", small_model, "--model", small_model)
    assert match("random", "random:seed=2", "-o", tmp_path / "match", *common, "--time", "60") == 0
    assert len(compiled) == len(began) == 2 and max(compiled) < min(began)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random"], "expected 2..26 players. Received: 1"),
        (["random", "missing"], "expected a player (mcts, alphabeta"),
        (["random", "random", "--games", "0"], "--games: expected a whole number from 1 up"),
        (["random", "random", "--size", "1"], "board side must be 2..25"),
        (["random", "random", "--rules", "mine"], "--rules must be one of"),
        (["random", "random", "--komi", "nan"], "--komi: expected a number -400..400. Received: nan"),
        (["random", "random", "--komi", "1e308"], "--komi: expected a number -400..400. Received: 1e+308"),
        (["random", "random", "--time", "nan"], "--time: expected a number 0..1000000. Received: nan"),
        (["random", "random", "--byo-yomi", "inf"], "--byo-yomi: expected a number 0..1000000. Received: inf"),
        (
            ["random", "random", "--move-timeout", "nan"],
            "--move-timeout: expected a number 0.001..1000000.",
        ),
        (["random", "random", "--seed", "-1"], "--seed: expected a whole number from 0 up. Received: -1"),
    ],
)
def test_wrong_matches_give_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert match(*arguments, "-o", tmp_path / "m", "--no-comments", "--referee", "default") == 2
    errors = capsys.readouterr().err
    assert message in errors and errors.count("\n") == 1


@pytest.mark.parametrize("size", ["4", "21"])
def test_gnu_go_counts_no_boards_of_other_sides(size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert match("random", "random", "-o", tmp_path / "m", "--no-comments", "--size", size) == 2
    message = f"ownership: error: --size {size}: GNU Go, the referee, plays on sides 5 to 19; --referee default counts"
    assert capsys.readouterr().err.startswith(message)
    assert not (tmp_path / "m").exists()


MATCHES = """
# two matches
quick: random random:seed=2 --size 5
small: random $OTHER --size 3 --games 1
"""


def test_a_file_of_matches(
    tmp_path: Path, small_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Options of the command line hold where a line has no others; `$OTHER` is an environment variable."""
    monkeypatch.setenv("OTHER", "random:seed=9")
    (tmp_path / "matches.txt").write_text(MATCHES)
    out = tmp_path / "out"
    common = ("--games", "2", "--referee", small_model, "--model", small_model)
    for _ in range(2):
        assert match("--file", tmp_path / "matches.txt", "-o", out, *common) == 0
    folders = {name: (out / name / "results.jsonl").read_text().splitlines() for name in ("quick", "small")}
    assert [len(lines) for lines in folders.values()] == [2, 1]
    shown = capsys.readouterr().out
    assert re.search(r"quick\n\nA  random\nB  random:seed=2\n(.*\n)*small\n\nA  random\nB  random:seed=9\n", shown)


def test_a_program_of_a_file_that_cannot_start_leaves_the_other_matches(
    tmp_path: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "matches.txt").write_text("bad: random false\ngood: random random:seed=2\n")
    common = ("--games", "2", "--size", "5", "--referee", small_model, "--model", small_model)
    assert match("--file", tmp_path / "matches.txt", "-o", tmp_path / "out", *common) == 2
    assert "ownership: error: bad: false: boardsize 5: it ended with status 1" in capsys.readouterr().err
    assert len((tmp_path / "out" / "good" / "results.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected at least one line"),
        ("random random", "line 1: expected NAME: PLAYER PLAYER"),
        ("a: random $NO_SUCH_PROGRAM", "line 1: the environment variable NO_SUCH_PROGRAM is not set"),
        ("a: random 'random", "line 1: no closing quotation in"),
        ("a: random random --gmaes 2", "line 1: unrecognized arguments: --gmaes"),
        ("a: random random --games many", "line 1: argument --games: invalid int value: 'many'"),
        ("a: random random\na: random random", "line 2: expected NAME: PLAYER PLAYER [OPTION ...], each name once"),
        ("a: random random --file b", "line 1: expected neither --file nor --output"),
        ("a: random", "expected 2..26 players. Received: 1"),
    ],
)
def test_wrong_files_of_matches(line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "matches.txt").write_text(line)
    assert match("--file", tmp_path / "matches.txt", "-o", tmp_path / "out") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
