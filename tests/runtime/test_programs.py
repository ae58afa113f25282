"""Other programs end with what started them, however that ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.child_programs import end_program, find_program, run_child_program, start_program
from tests.support.paths import ROOT
from tests.support.processes import GREEDY, assert_gone
from tests.support.waiting import wait_until

# A program with a child; it writes both process ids to a file.
FAMILY = 'sleep 1000 & echo $$ $! > "$0.new"; mv "$0.new" "$0"; wait'
PARENT = """
import sys, time
from runtime.child_programs import start_program
start_program(["sh", "-c", *sys.argv[1:3]])
print("started", flush=True)
{end}
"""


def family(path: Path) -> list[int]:
    """Return the process ids that FAMILY wrote."""
    wait_until(path.exists)
    return [int(word) for word in path.read_text().split()]


@pytest.mark.parametrize("groups", [True, False], ids=["POSIX", "as on Windows"])
def test_a_program_ends_with_its_children(groups: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = start_program(["sh", "-c", FAMILY, str(tmp_path / "pids")])
    pids = family(tmp_path / "pids")
    if not groups:
        monkeypatch.delattr(os, "killpg")
    end_program(process)
    end_program(process)
    assert_gone(pids)


@pytest.mark.parametrize(
    ("end", "number"),
    [
        ("time.sleep(1000)", signal.SIGKILL),
        ("time.sleep(1000)", signal.SIGTERM),
        ("time.sleep(1000)", signal.SIGHUP),
        ("time.sleep(1000)", signal.SIGINT),
        ("import os; input(); os._exit(1)", 0),
        ("input()", 0),
    ],
)
def test_a_program_ends_with_what_started_it(end: str, number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT.format(end=end), FAMILY, str(tmp_path / "pids")]
    pipe = subprocess.PIPE
    parent = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    assert parent.stdout and parent.stdout.readline()
    pids = family(tmp_path / "pids")
    if number:
        parent.send_signal(number)
    parent.communicate(b"\n")
    assert_gone(pids)


def test_a_program_that_has_ended_is_forgotten(tmp_path: Path) -> None:
    script = """
import os, sys, time
from runtime.child_programs import end_program, start_program
one, two = (start_program(["sleep", "1000"]) for _ in range(2))
end_program(one)
print(two.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert_gone([int(answer.stdout)])


def test_output_and_time_have_limits() -> None:
    assert run_child_program(["cat"], b"stones", seconds=60, most=100) == (0, b"stones")
    assert run_child_program(["cat"], b"x" * 1_000_000, seconds=60, most=100)[1] == b"x" * 100
    assert run_child_program(["false"], b"x" * 1_000_000, seconds=60, most=100) == (1, b"")
    with pytest.raises(subprocess.TimeoutExpired):
        run_child_program(["sleep", "1000"], seconds=0.1, most=100)
    with pytest.raises(OSError, match="nowhere"):
        run_child_program(["/nowhere/program"], seconds=1, most=100)


def test_memory_and_processor_time_have_limits() -> None:
    loop = [sys.executable, "-c", "while True: pass"]
    assert run_child_program(loop, seconds=60, most=100, time_limit=1)[0] == -signal.SIGXCPU
    assert run_child_program([sys.executable, "-c", GREEDY], seconds=60, most=100, memory_limit=1024)[0] == 1


def test_programs_are_found_where_debian_keeps_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a-game").write_text("#!/bin/sh\n")
    (tmp_path / "a-game").chmod(0o755)
    monkeypatch.setattr("runtime.child_programs._DEBIAN_GAMES", str(tmp_path))
    assert find_program("a-game") == str(tmp_path / "a-game")
    assert find_program("no-game") is None
