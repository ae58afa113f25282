"""Errors of command lines name the nearest word, and shells complete them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gogui_plugin.gtp_program import parse_arguments
from ownership.cli import COMMANDS, main
from ownership.inference.model_catalogue import imported_folder
from ownership.players.registry import PLAYERS
from tests.support.waiting import PATIENCE


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["--verbose"], ": COMMAND; --help lists the commands"),
        (["scor", "game.sgf"], "; did you mean score?"),
        (
            ["score", "game.sgf", "--symetries", "8"],
            "arguments: --symetries 8; did you mean --symmetries?",
        ),
        (["score", "game.sgf", "--qqq"], "unrecognized arguments: --qqq; see ownership --help"),
        (["show", "game.sgf", "-o", "a.png", "--view", "squres"], "; did you mean squares?"),
    ],
)
def test_errors_suggest_the_nearest_word(words: list[str], end: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith(end)


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for words in ([], ["--help"]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 0
        printed.append(capsys.readouterr())
    assert printed[0] == printed[1]
    assert all(name in printed[0].out for name in COMMANDS)


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("ownership sc", ["score"]),
        ("ownership show game.sgf --view he", ["heat"]),
        ("ownership score --rules jap", ["japanese"]),
        ("ownership score game.sgf --model b1", ["b18"]),
    ],
)
def test_a_shell_completes(line: str, completions: list[str], tmp_path: Path, user_data: Path) -> None:
    (imported_folder() / "b18").mkdir(parents=True)
    for name in ("model.tflite", "model.json"):
        (imported_folder() / "b18" / name).touch()
    output = tmp_path / "completions"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    environment = {**os.environ, **asked, "_ARGCOMPLETE_STDOUT_FILENAME": str(output)}
    subprocess.run([sys.executable, "-m", "ownership"], env=environment, check=True, timeout=PATIENCE)
    assert output.read_text().split() == completions


@pytest.mark.parametrize(
    ("program", "words"), [(main, ["match", "--help"]), (parse_arguments, ["--help"])], ids=["match", "gtp"]
)
def test_the_help_names_a_new_player(
    program: Callable[[list[str]], object],
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(PLAYERS, "club", PLAYERS["random"])
    monkeypatch.setattr("gogui_plugin.gtp_program.PLAYER_NAMES", (*PLAYERS, "replay"))
    with pytest.raises(SystemExit):
        program(words)
    assert "random, club" in " ".join(capsys.readouterr().out.split())
