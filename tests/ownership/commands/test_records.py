"""The lines of commands about the records that they read, and about games that GNU Go does not decide."""

import json
from pathlib import Path

import pytest

from goban.errors import InputError
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from preprocessing.gnugo import find_gnugo
from tests.support.paths import EXAMPLES

MOVES = 24
CUT = b";".join((EXAMPLES / "finished-9x9.sgf").read_bytes().split(b";")[: MOVES + 2]) + b";B[d"


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "cut.sgf"],
        ["show", "cut.sgf", "-o", "cut.png"],
        ["report", "cut.sgf", "-o", "cut.html"],
        ["report", "cut.sgf", "-o", "pages"],
        ["analyze", "cut.sgf", "-o", "out.sgf", "--visits", "2", "--moves", "24-24"],
        ["search", "cut.sgf", "--time", "0.1"],
    ],
)
def test_a_record_that_breaks_off_costs_one_warning(
    arguments: list[str],
    small_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cut.sgf").write_bytes(CUT)
    assert main([*arguments, "--model", str(small_model)]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("ownership: ")]
    assert said == [f"ownership: warning: cut.sgf: the record breaks off after move {MOVES}"]


@pytest.mark.parametrize(
    ("record", "moves", "why"),
    [
        (b"(;SZ[9];B[ee];W[cc];B[ee];W[gg])", 2, "move 3, Black E5: the point is occupied"),
        (b"(;SZ[9]AB[ee];W[ee];B[cc])", 0, "move 1, White E5: the point is occupied"),
    ],
)
def test_a_record_is_read_up_to_an_illegal_move(
    record: bytes,
    moves: int,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.sgf").write_bytes(record)
    assert main(["score", "bad.sgf", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == f"ownership: warning: bad.sgf: the record is read up to an illegal move: {why}\n"
    assert [json.loads(printed.out)[name] for name in ("moves", "broken_off")] == [moves, True]


def test_a_record_that_breaks_off_is_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cut.sgf").write_bytes(CUT)
    assert main(["score", str(tmp_path / "cut.sgf"), "--csv"]) == 0
    assert ",open," in capsys.readouterr().out.splitlines()[1]


def test_gnugo_says_why_it_did_not_decide(
    tmp_path: Path, bundled: Evaluator, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        find_gnugo()
    except InputError:
        pytest.skip("needs GNU Go")
    game = tmp_path / "large.sgf"
    game.write_text("(;SZ[21]RE[B+3];B[kk];W[dd];B[];W[])")
    assert main(["score", "--gnugo", str(game)]) == 0
    warning = f"ownership: warning: {game}: GNU Go did not decide: it plays on boards of 5 to 19\n"
    assert warning in capsys.readouterr().err
