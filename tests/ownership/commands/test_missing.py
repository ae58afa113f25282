"""Missing and unfit inputs are found before TensorFlow, which takes seconds, is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from ownership.cli import main
from tests.support.datasets import write_dataset
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "nowhere"], "nowhere: expected a dataset folder with shard-*.parquet files, found none"),
        (["train", "games", "--soft", "games"], "games: expected a soft dataset, a folder with soft-*.parquet files"),
        (["train", "games", "--recipe", "dann"], "games: expected accepted games of split train on 19"),
        (["teach", "games", "--teacher", "none.bin.gz"], "none.bin.gz: No such file or directory"),
    ],
)
def test_what_is_missing_costs_no_wait(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("keras", "ownership.training.train_run", "ownership.katago_networks.katago_teacher"):
        monkeypatch.setitem(sys.modules, name, None)
    write_dataset(Path("games"))
    assert main([*arguments, "--output", "new", *(["--samples", "8"] if arguments[0] == "train" else [])]) == 2
    assert capsys.readouterr().err.startswith(f"ownership: error: {message}")


@pytest.mark.parametrize("command", ["doctor", "score"])
def test_a_python_without_the_packages_is_named_in_one_line(command: str) -> None:
    program = [sys.executable, "-S", "-m", "ownership", command]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("ownership: error: this command needs ")
    assert done.stderr.endswith(
        "not installed: in a clone, . .venv/bin/activate after make demo, or pip install -e .\n"
    )
