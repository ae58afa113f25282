"""`ownership score` of long lists, in several processes."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from goban.errors import InputError
from preprocessing.gnugo import find_gnugo
from tests.support.paths import ROOT
from tests.support.processes import assert_gone
from tests.support.records import FINISHED, OPEN
from tests.support.waiting import wait_until

Score = Callable[..., int]

SIDES = [9, 5, 9, 7, 5] * 8
# `ownership score` as if a list were long from two records on, and there were two processors.
PROGRAM = """
import sys
from ownership import cli
from ownership.scoring import score_processes
score_processes.MANY, score_processes.processors = 2, lambda: 2
cli.run_program()
"""


@pytest.fixture
def games(several: Path) -> list[Path]:
    """An archive with a bad record, a collection of boards of several sides, and a file."""
    collection = "".join(f"(;GM[1]SZ[{side}]KM[{number}.5];B[bb];W[cc])" for number, side in enumerate(SIDES))
    (several.parent / "many.sgf").write_text(collection)
    (several.parent / "last.sgf").write_bytes(FINISHED)
    return [several, several.parent / "many.sgf", several.parent / "last.sgf"]


@pytest.mark.parametrize("options", [[], ["--csv"], ["--json"], ["--json", "--gnugo", "--rules", "area"]])
def test_processes_answer_as_one_process_does(
    options: list[str],
    games: list[Path],
    score: Score,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "--gnugo" in options:
        try:
            find_gnugo()
        except InputError:
            pytest.skip("needs GNU Go")
    answers = []
    for processors in (1, 2):
        monkeypatch.setattr("ownership.scoring.score_processes.MANY", 2)
        monkeypatch.setattr("ownership.scoring.score_processes.processors", lambda count=processors: count)
        assert score(*games, *options) == 2
        answers.append(capsys.readouterr())
    assert answers[0] == answers[1]
    assert answers[1].out.count("many.sgf#") == len(SIDES)
    assert f"ownership: error: {games[0]}/b.sgf: " in answers[1].err


class Program:
    """`ownership score` of a list that takes it many seconds, in two processes."""

    def __init__(self, games: Path, model: Path) -> None:
        games.write_bytes(10_000 * OPEN)
        command = [sys.executable, "-c", PROGRAM, "score", "--model", str(model), str(games)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: self.process.poll() is not None or len(self._others()) == 2)
        assert self.process.returncode is None, self.process.communicate()[1]
        self.others = self._others()

    def _others(self) -> list[int]:
        children = psutil.Process(self.process.pid).children()
        return [each.pid for each in children if "answer_calls" in " ".join(each.cmdline())]


@pytest.fixture
def program(tmp_path: Path, small_model: Path) -> Iterator[Program]:
    found = Program(tmp_path / "many.sgf", small_model)
    with found.process:
        yield found
        found.process.kill()


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_signal_ends_all_processes(number: int, status: int, program: Program) -> None:
    program.process.send_signal(number)
    assert program.process.communicate()[1] == ""
    assert program.process.returncode == status
    assert_gone(program.others)


def test_a_killed_process_is_an_error(program: Program) -> None:
    psutil.Process(program.others[0]).kill()
    [error] = program.process.communicate()[1].splitlines()
    assert error.startswith(f"ownership: error: process {program.others[0]} ended before its task")
    assert program.process.returncode == 2
    assert_gone(program.others)


def test_a_closed_output_ends_all_processes(games: list[Path], small_model: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "score", "--model", str(small_model), *map(str, 40 * games)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"Score")
        process.stdout.close()
        assert process.wait() == 141
