"""`ownership search`: a search printed depth by depth."""

from pathlib import Path

import pytest

from ownership.cli import main
from tests.support.paths import EXAMPLES

GAME = str(EXAMPLES / "finished-9x9.sgf")


def test_a_line_for_every_depth_and_the_expected_moves(small_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = "alphabeta:depth=2,width=3"
    assert main(["search", GAME, "--move", "10", "--player", player, "--time", "60", "--model", str(small_model)]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["depth", "score", "nodes", "evaluations", "seconds", "line"]
    with pytest.raises(SystemExit):
        main(["search", "--help"])
    described = capsys.readouterr().out.partition("columns:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in described.splitlines()] == head.split()
    assert [line.split()[0] for line in lines[:3]] == ["0", "1", "2"]
    assert "1" in "".join(lines[4:-2]) and lines[3] == lines[-2] == "   A B C D E F G H J"
    assert lines[-1] == "Black to move; the numbers are the expected moves"


def test_a_line_whenever_a_tree_has_doubled(small_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = "mcts:visits=32,batch=1,threads=1"
    assert main(["search", GAME, "--move", "10", "--player", player, "--time", "60", "--model", str(small_model)]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines[:6]] == ["1", "2", "4", "8", "16", "32"]
    assert lines[6] == "   A B C D E F G H J"


def test_open_rules_and_komi_are_assumed_as_by_score(
    small_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = []
    for name, terms in (("open", ""), ("named", "RU[area]KM[7.5]"), ("other", "RU[area]KM[0]")):
        path = tmp_path / f"{name}.sgf"
        path.write_text(f"(;SZ[19]{terms};B[pd])")
        search = ["search", str(path), "--player", "alphabeta:depth=1,width=2", "--model", str(small_model)]
        assert main(search) == 0
        scores.append([line.split()[1] for line in capsys.readouterr().out.splitlines()[1:3]])
    assert scores[0] == scores[1] != scores[2]


def test_a_line_for_each_ply_of_local_continuations(small_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = "longterm:steps=3,settled=0"
    assert main(["search", GAME, "--move", "10", "--player", player, "--time", "60", "--model", str(small_model)]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["0", "1", "2", "3", "4"]
    assert lines[5] == "   A B C D E F G H J"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--move", "99"], "finished-9x9.sgf: move: expected a move number 0..45. Received: 99"),
        (["--model", "missing"], "--model: expected a directory with model.tflite or the name of a model"),
        (["--player", "alphabeta:model=missing"], "player alphabeta, model: expected a directory with model.tflite"),
        (["--player", "random"], "--player must be mcts, alphabeta or longterm, with or without options"),
        (["--time", "0"], "--time: expected a number 0.001..1000000"),
        (["--time", "nan"], "--time: expected a number 0.001..1000000. Received: nan"),
        (["--time", "1e308"], "--time: expected a number 0.001..1000000. Received: 1e+308"),
        (["--player", "alphabeta:deep=1"], "player alphabeta: expected options"),
        (["--player", "alphabeta:widht=1"], "Received: widht; did you mean width?"),
    ],
)
def test_wrong_arguments_give_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", GAME, *arguments]) == 2
    errors = capsys.readouterr().err
    assert message in errors and errors.count("\n") == 1
