"""Mixtures: what their commands are, and a small one from nothing to its labels."""

from pathlib import Path

import pytest

from game_datasets.load_table import load_soft
from ownership.cli import main
from ownership.teaching.dataset_mixtures import MIXTURES, Part
from tests.support.positions import write_dataset


@pytest.mark.parametrize("name", MIXTURES)
def test_every_command_of_a_mixture_is_understood(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mixture", name, "records", "--dry-run", "-o", "out"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 2 * 5
    assert all(
        line.startswith(("ownership selfplay", "ownership match", "ownership prepare", "ownership teach"))
        for line in lines
    )


def test_a_mixture_is_made_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    weak = ("selfplay", "--style", "weak", "--model", "fast", "--sides", "5")
    parts = (
        Part("weak", weak, ("--every", "9", "--finished", "1"), 4),
        Part("match", ("match", "policy", "random", "--size", "5", "--referee", "fast", "--no-comments"), (), 4),
        Part("other", ("match", "no-such-program", "random", "--size", "5"), (), 4, "no-such-program"),
    )
    monkeypatch.setattr("ownership.commands.mixture.MIXTURES", {"everyday": parts})
    words = ["mixture", "everyday", str(write_dataset(tmp_path / "games")), "--teacher", "fast", "--scale", "0.5"]
    assert main([*words, "-o", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr()
    assert "no-such-program: not installed; left out: other" in shown.err
    assert f"--soft {tmp_path / 'out/labels/weak'} --soft {tmp_path / 'out/labels/match'}" in shown.out
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("soft-*.parquet")}
    assert len(before) == 2
    assert len(load_soft([path.parent for path in before])) > 4
    assert main([*words, "-o", str(tmp_path / "out")]) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("soft-*.parquet")} == before
