"""Silence on stderr, errors that wait for its end, and output that is whole."""

import os
import subprocess
import sys
import threading

import pytest

from runtime.standard_streams import print_error, silenced_stderr
from tests.support.paths import ROOT
from tests.support.processes import stopped_again_and_again


def test_drops_what_is_printed_during_the_block_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with silenced_stderr():
        os.write(2, b"from C++")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"


def test_a_process_without_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with silenced_stderr():
        pass


def test_an_error_waits_for_the_end_of_silence(capfd: pytest.CaptureFixture[str]) -> None:
    begun, end = threading.Event(), threading.Event()

    def load() -> None:
        with silenced_stderr():
            begun.set()
            end.wait()

    loader = threading.Thread(target=load)
    loader.start()
    begun.wait()
    printer = threading.Thread(target=print_error, args=("wrong option",))
    printer.start()
    end.set()
    loader.join()
    printer.join()
    assert capfd.readouterr().err == "wrong option\n"


WRITERS = {
    "print": "standard_streams.buffer_stdout()\nfor line in lines: print(line)",
    "write_all": "for line in lines: standard_streams.write_all(1, line.encode() + b'\\n')",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_a_stopped_program_writes_without_a_buffer_is_whole(writer: str) -> None:
    head = "from runtime import standard_streams\nlines = [str(n) * 100_000 for n in range(100)]\n"
    command = [sys.executable, "-c", head + WRITERS[writer]]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=unbuffered, text=True) as program:
        assert program.stdout
        with stopped_again_and_again(program):
            found = program.stdout.read().splitlines()
    assert found == [str(number) * 100_000 for number in range(100)]
