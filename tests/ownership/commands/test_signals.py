"""Signals: at once, or after the kernel that is being compiled."""

import signal

import numba
import pytest
from numba.core import event

from ownership.commands.signals import Signalled, signals_raise, wait_for_compilation


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


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with signals_raise():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
