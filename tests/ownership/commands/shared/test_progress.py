"""Progress without a terminal: a line now and then."""

import pytest

from ownership.commands.shared import progress
from ownership.commands.shared.progress import progress_bar


def test_lines_without_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_LINE_SECONDS", 0.001)
    lines = ""
    with progress_bar(unit="game", total=9, initial=2) as bar:
        bar.update(3)
        bar.set_postfix_str("4 accepted")
        while not lines.endswith(", 4 accepted\n"):
            lines += capsys.readouterr().err
    assert lines.splitlines()[-1] == "5 of 9 games in 0 s, 4 accepted"


def test_items_pass_through(capsys: pytest.CaptureFixture[str]) -> None:
    bar = progress_bar(iter("abc"), unit="game", total=None)
    assert list(bar) == ["a", "b", "c"]
    assert bar.n == 3
    assert capsys.readouterr().err == ""
