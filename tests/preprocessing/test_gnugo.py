"""GNU Go within its limits: the real one, and stand-ins that misbehave."""

import sys
from pathlib import Path

import numpy as np
import pytest

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban import text_diagram
from goban.errors import InputError
from preprocessing.gnugo import GnuGo, GnuGoError, find_gnugo
from tests.support.processes import GREEDY, assert_gone

# White's two stones at C5 and D5 are dead; Black owns the left, White the right.
FINISHED = b"""(;GM[1]FF[4]SZ[7]KM[0.5]RE[B+13.5]
AB[da][db][dc][dd][de][df][dg][bb][bd]
AW[ea][eb][ec][ed][ee][ef][eg][fb][fd][cc];B[];W[])"""


def write_program(folder: Path, script: str) -> Path:
    program = folder / "stand-in"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def game() -> GameRecord:
    return parse_game(FINISHED, "test")


def test_captures_the_dead_stones() -> None:
    stones = GnuGo().finish(game())
    left, right = stones[:, :4], stones[:, 4:]
    assert set(np.unique(left)) <= {0, 1}, text_diagram.render_text(stones)
    assert set(np.unique(right)) <= {0, -1}, text_diagram.render_text(stones)


def test_version() -> None:
    assert GnuGo().version() == "GNU Go 3.8"
    assert GnuGo(level=1).version() == "GNU Go 3.8 level 1"


def test_the_level_is_passed_on(tmp_path: Path) -> None:
    program = write_program(tmp_path, f'echo "$@" > "{tmp_path}/arguments"')
    with pytest.raises(GnuGoError):
        GnuGo(program, level=3).finish(game())
    assert "--level 3" in (tmp_path / "arguments").read_text()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        pytest.param("sleep 60", "gnugo timeout", id="hangs"),
        pytest.param("sleep 60 & wait", "gnugo timeout", id="hangs in a child"),
        pytest.param("while :; do :; done", "gnugo timeout", id="loops forever"),
        pytest.param("kill -SEGV $$", "gnugo crash", id="crashes"),
        pytest.param("exit 3", "gnugo crash", id="fails"),
        pytest.param("exit 0", "gnugo output", id="writes nothing"),
        pytest.param("echo nonsense", "gnugo output", id="writes nonsense"),
        pytest.param('echo "(;SZ[9];B[aa])"', "gnugo output", id="writes another board"),
        pytest.param("exec yes", "gnugo crash", id="writes without end"),
        pytest.param(f"exec {sys.executable} -c '{GREEDY}'", "gnugo crash", id="wants too much memory"),
    ],
)
def test_a_bad_program_costs_one_game(tmp_path: Path, script: str, reason: str) -> None:
    waits = script.startswith("sleep")  # which takes no processor time
    seconds = 0.2 if waits else 1 if reason == "gnugo timeout" else 30
    program = GnuGo(write_program(tmp_path, script), time_limit=seconds)
    with pytest.raises(GnuGoError) as raised:
        program.finish(game())
    assert raised.value.reason == reason


def test_its_children_die_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    program = write_program(tmp_path, f'sleep 60 & echo $! > "{pid_file}"; wait')
    with pytest.raises(GnuGoError):
        GnuGo(program, time_limit=1).finish(game())
    pid = int(pid_file.read_text())
    assert_gone([pid])


def test_a_missing_program_gives_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("runtime.child_programs._DEBIAN_GAMES", str(tmp_path))
    with pytest.raises(InputError, match="apt-get install gnugo"):
        find_gnugo()
    with pytest.raises(InputError, match="does not run"):
        GnuGo(tmp_path / "nothing").version()
