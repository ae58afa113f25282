"""Signals are handled immediately, or after the kernel that is being compiled."""

import importlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest
from numba.core import event

from ownership.cli import main
from runtime.signals import Signalled, signals_raise, wait_for_compilation
from tests.support.paths import ROOT

INTERRUPTED = """
import importlib, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
importlib.import_module("{package}.__main__").run_program()
"""


class Interrupt(event.Listener):  # type: ignore[misc]
    """Interrupts every compilation in its midst."""

    survived = False

    def on_start(self, _: object) -> None:
        signal.raise_signal(signal.SIGINT)
        self.survived = True

    def on_end(self, _: object) -> None:
        pass


def test_a_signal_raises_at_once() -> None:
    with pytest.raises(Signalled) as raised, signals_raise():
        signal.raise_signal(signal.SIGTERM)
    assert raised.value.status == 143


def test_a_signal_waits_until_a_kernel_is_compiled() -> None:
    wait_for_compilation()
    interrupt = Interrupt()
    with pytest.raises(Signalled) as raised, signals_raise(), event.install_listener("numba:compile", interrupt):
        numba.njit(lambda number: number + 1)(1)
    assert raised.value.status == 130
    assert interrupt.survived
    assert numba.njit(lambda number: number + 2)(1) == 3


def test_a_signal_waits_until_an_import_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "interrupted.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Signalled) as raised, signals_raise():
        assert importlib.import_module("interrupted")
        time.sleep(60)
    assert raised.value.status == 130


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with signals_raise():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("package", ["ownership", "gogui_plugin", "ownership.katago_protocol"])
@pytest.mark.parametrize("module", ["goban.errors", "numba"])
def test_an_interrupt_in_the_middle_of_an_import_ends_a_program_silently(package: str, module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED.format(package=package, module=module), "warm-up"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.mark.parametrize("checkpoint", [True, False])
def test_an_interrupted_training_tells_what_it_keeps(
    checkpoint: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ownership.commands.train.check_games_for", interrupted)
    if checkpoint:
        (tmp_path / "last.npz").write_bytes(b"")
    assert main(["train", "games", "--samples", "64", "--output", str(tmp_path)]) == 130
    kept = f"Interrupted: {tmp_path} keeps the last checkpoint; the same command resumes\n"
    none = "Interrupted before the first checkpoint: the same command begins again\n"
    assert capsys.readouterr().err == (kept if checkpoint else none)
