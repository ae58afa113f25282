"""Silence on stderr."""

import os
import sys

import pytest

from ownership.inference.silence import silenced_stderr


def test_drops_what_is_printed_during_the_block_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with silenced_stderr():
        os.write(2, b"from C++")
    os.write(2, b"after")
    assert capfd.readouterr().err == "after"


def test_a_process_without_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with silenced_stderr():
        pass
