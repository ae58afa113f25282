"""Silence on stderr, and errors that wait for its end."""

import os
import sys
import threading
from pathlib import Path

import pytest

from preprocessing import process
from preprocessing.process import print_error, quiet_tensorflow, silenced_stderr


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


@pytest.mark.parametrize(("found", "level"), [(True, "2"), (False, "3")])
def test_tensorflow_logs_errors_only_where_a_gpu_is(
    found: bool, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "")
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL")
    monkeypatch.setattr(process, "_GPU", tmp_path if found else tmp_path / "none")
    quiet_tensorflow()
    assert os.environ["TF_CPP_MIN_LOG_LEVEL"] == level
