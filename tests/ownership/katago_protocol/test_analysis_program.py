"""`ownership-analysis` as a program: how it starts and ends."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ownership.katago_protocol.analysis_engine import main
from ownership.katago_protocol.release import three_numbers
from tests.support.analysis_queries import QUERY
from tests.support.processes import stopped_again_and_again
from tests.support.waiting import PATIENCE


def run(arguments: Sequence[str], text: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ownership.katago_protocol", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE)


def test_it_starts_as_clients_start_katago(small_model: Path, tmp_path: Path) -> None:
    config = tmp_path / "analysis.cfg"
    config.write_text(
        "# KataGo\nreportAnalysisWinratesAs = SIDETOMOVE\nmaxVisits = 3 # few\nmaxTime = 99.5\nnumAnalysisThreads=2\n"
    )
    start = [
        "analysis",
        "-model",
        str(small_model),
        "-config",
        str(config),
        "-override-config",
        "maxVisits=4,homeDataDir=x",
    ]
    short = {key: QUERY[key] for key in QUERY if key != "maxVisits"}
    done = run([*start, "-nonsense"], json.dumps(short) + "\n")
    assert done.returncode == 0
    assert "Started, ready to begin handling requests" in done.stderr and "-nonsense" in done.stderr
    assert "\nModel: small\n" in done.stderr
    assert json.loads(done.stdout)["rootInfo"]["visits"] == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-model", "missing"], "-model: "),
        (["-override-config", "maxTime=soon"], "maxTime: expected a number 0..1e+20. Received: 'soon'"),
        (["-override-config", "maxVisits=0"], "maxVisits: expected a whole number 1..1125899906842624. Received: '0'"),
        (["-analysis-threads", "x"], "numAnalysisThreads: expected a whole number 1..16384. Received: 'x'"),
    ],
)
def test_wrong_arguments_give_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analysis", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and message in error


def test_it_ends_when_its_client_is_killed(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.katago_protocol", "analysis", "-model", str(small_model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin and engine.stdout
        query = QUERY | {"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01}
        engine.stdin.write(json.dumps(query).encode() + b"\n")
        engine.stdin.flush()
        assert json.loads(engine.stdout.readline())["isDuringSearch"]
        engine.stdin.close()
        engine.stdout.close()
        assert engine.wait(PATIENCE) == 0


def test_answers_are_whole_though_the_program_is_stopped(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.katago_protocol", "-model", str(small_model)]
    names = [f"{number:0{(5, 100_000, 300_000)[number % 3]}}" for number in range(150)]
    queries = "".join(json.dumps({**QUERY, "id": name, "maxVisits": 1}) + "\n" for name in names)
    pipe, unbuffered = subprocess.PIPE, {**os.environ, "PYTHONUNBUFFERED": "1"}
    engine = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=unbuffered)
    with engine, stopped_again_and_again(engine):
        output, _ = engine.communicate(queries, PATIENCE)
    assert sorted(json.loads(line)["id"] for line in output.splitlines()) == sorted(names)


def test_answers_that_cannot_be_written_give_one_line(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.katago_protocol", "-model", str(small_model)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, input=json.dumps(QUERY), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("\nownership-analysis: error: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
def test_a_closed_stream_gives_one_line(stream: str, small_model: Path) -> None:
    closed = {"stdin": "<&-", "stdout": ">&-"}[stream]
    command = f"'{sys.executable}' -m ownership.katago_protocol -model '{small_model}' {closed}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ownership-analysis: error: expected {stream} to be open. Received: a closed one\n"


def test_it_prints_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    assert re.fullmatch(r"ownership-analysis [0-9]+\.[0-9]+\.[0-9]+\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.2.0.dev0", "0.2.0"),
        ("1.2.3", "1.2.3"),
        ("1.2", "1.2.0"),
        ("3rc1", "3.0.0"),
        ("1.2.3.4", "1.2.3"),
        ("1.0.post1+local.7", "1.0.0"),
    ],
)
def test_a_version_is_three_numbers(text: str, numbers: str) -> None:
    assert three_numbers(text) == numbers
