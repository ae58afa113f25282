"""The client of GTP: answers, refusals, crashes and silence of real programs."""

import sys
import time
from pathlib import Path

import psutil
import pytest

from goban.errors import InputError
from ownership.players.gtp_client import GtpClient, GtpCrashed, GtpRefused, GtpTimeout, program
from tests.support.processes import assert_gone
from tests.support.waiting import PATIENCE

ENGINE = """
import os, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "die":
        print("out of stones", file=sys.stderr)
        sys.exit(3)
    if word == "sleep":
        time.sleep(600)
    if word == "hush":
        os.close(1)
        time.sleep(600)
    while word in ("newlines", "returns", "endless"):
        os.write(1, {"newlines": b"\\n", "returns": b"\\r\\n", "endless": b"= x"}[word] * 10_000)
    while word == "complain":
        os.write(2, b"help! " * 10_000)
    print({"many": "= one\\r\\n\\r\\n", "no": "? never\\n", "chat": "hello\\n"}.get(word, f"= {line}"), flush=True)
"""


@pytest.fixture
def client(tmp_path: Path) -> GtpClient:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    return GtpClient([sys.executable, str(path)], timeout=PATIENCE)


def test_answers_come_without_their_frame(client: GtpClient) -> None:
    with client:
        assert client.ask("name is given") == "name is given"
        assert client.ask("many") == "one"
        assert client.ask("name") == "name"


def test_a_refusal_ends_nothing(client: GtpClient) -> None:
    with client:
        with pytest.raises(GtpRefused, match="no: never"):
            client.ask("no")
        assert client.ask("name") == "name"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("die", "it ended with status 3; last line on stderr: out of stones"),
        ("hush", "it closed its output"),
        ("chat", "expected an answer of GTP. Received: b'hello'"),
        ("endless", "endless: expected an answer of at most 4194304 bytes"),
    ],
)
def test_crashes_and_nonsense_end_the_program(client: GtpClient, command: str, message: str) -> None:
    with client:
        with pytest.raises(GtpCrashed, match=message):
            client.ask(command)
        assert not client.alive
        with pytest.raises(GtpCrashed, match="it has ended"):
            client.ask("name")


def test_who_does_not_answer_in_time_is_ended(client: GtpClient) -> None:
    with client:
        client.ask("name")
        began = time.monotonic()
        with pytest.raises(GtpTimeout, match="sleep: no answer in time"):
            client.ask("sleep", 0.2)
        assert time.monotonic() - began < PATIENCE, "0.2 s where nothing else runs; the program sleeps for 600"
        assert not client.alive


@pytest.mark.parametrize("command", ["newlines", "returns", "complain"])
def test_a_program_that_writes_anything_but_an_answer_runs_out_of_time(client: GtpClient, command: str) -> None:
    memory = psutil.Process().memory_info().rss
    with client:
        with pytest.raises(GtpTimeout, match=f"{command}: no answer in time"):
            client.ask(command, 0.5)
        assert not client.alive
    assert psutil.Process().memory_info().rss < memory + (32 << 20)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(GtpCrashed, match="nothing: cannot be started: No such file"):
        GtpClient([str(tmp_path / "nothing")])


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "parent.sh"
    path.write_text("#!/bin/sh\nsleep 1000 &\necho $! > child\nwhile read line; do printf '= ok\\n\\n'; done\n")
    path.chmod(0o755)
    with GtpClient(["env", "-C", str(tmp_path), str(path)]) as client:
        client.ask("name")
    child = int((tmp_path / "child").read_text())
    assert_gone([child])


def test_command_lines_name_programs_that_are_there() -> None:
    assert program("sh -c 'a b'")[1:] == ["-c", "a b"]
    for text in ("", "no-such-program --gtp", "'"):
        with pytest.raises(InputError, match="expected a"):
            program(text)
