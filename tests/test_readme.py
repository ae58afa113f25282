"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from ownership.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(example, {})
    assert re.fullmatch(r"[BW]\+\d+\.\d\n", capsys.readouterr().out)


def test_the_scored_example_is_the_one_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["score", "examples/finished-19x19.sgf"]) == 0
    shown = capsys.readouterr().out.strip()
    board, _, rest = shown.partition("90% interval")
    assert board in README
    assert rest.splitlines()[-1] in README
