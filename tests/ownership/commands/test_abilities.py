"""Commands with a model that lacks a head, or plays on another board: one line each, and exit status 2."""

import shutil
from pathlib import Path

import pytest

from ownership.cli import main
from ownership.inference.network_config import NetworkConfig
from ownership.inference.stack_config import Stack
from ownership.katago_protocol.analysis_engine import main as analysis
from tests.support.datasets import write_dataset
from tests.support.models import write_model
from tests.support.paths import EXAMPLES

SMALL, LARGE = str(EXAMPLES / "finished-9x9.sgf"), str(EXAMPLES / "finished-19x19.sgf")
OWNERS = r"needs a model with the head ownership. Received: moves, with policy only"
MOVES = r"needs a model with the head policy. Received: owners, with ownership only"
SIDE = "moves plays on boards of side 9 only. Received: side 19"


@pytest.fixture(scope="module")
def models(owner_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of moves alone, for 9x9, one of owners alone, and a dataset."""
    folder = tmp_path_factory.mktemp("abilities")
    stack = Stack(layers=((4, 3),), position_bias=True, passes=False, side=9)
    write_model(folder / "moves", NetworkConfig("stack", "signed1", heads=("policy",), stack=stack))
    shutil.copytree(owner_model, folder / "owners")
    description = (folder / "owners" / "model.json").read_text()
    (folder / "owners" / "model.json").write_text(description.replace(f'"{owner_model.name}"', '"owners"'))
    write_dataset(folder / "data")
    return folder


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["score", SMALL, "--model", "moves"], OWNERS),
        (["score", LARGE, "--model", "moves"], SIDE),
        (["show", SMALL, "-o", "a.png", "--model", "moves"], OWNERS),
        (["report", SMALL, "-o", "a.html", "--model", "moves"], OWNERS),
        (["report", SMALL, "-o", "a.html", "--visits", "4", "--model", "owners"], MOVES),
        (["analyze", SMALL, "-o", "a.sgf", "--model", "moves"], OWNERS),
        (["analyze", SMALL, "-o", "a.sgf", "--model", "owners"], MOVES),
        (["search", SMALL, "--move", "9", "--model", "moves"], OWNERS),
        (["search", SMALL, "--move", "9", "--model", "owners"], MOVES),
        (["serve", "--no-browser", "--model", "moves"], OWNERS),
        (["prepare", SMALL, "-o", "new", "--model", "moves"], OWNERS),
        (["prepare", SMALL, "-o", "new", "--finish", "resigned", "--model", "owners"], MOVES),
        (["teach", "data", "--output", "new", "--teacher", "moves"], OWNERS),
        (["match", "mcts", "random", "-o", "new", "--model", "moves"], OWNERS),
        (["match", "policy", "random", "-o", "new", "--model", "owners"], MOVES),
        (["match", "policy:model=moves", "random", "-o", "new", "--size", "19"], SIDE),
        (["match", "random", "random", "-o", "new", "--referee", "moves", "--size", "9"], OWNERS),
        (["evaluate", "moves", "data", "--both-sides"], OWNERS),
        (["evaluate", "moves", "data", "--report", "a.html"], OWNERS),
        (["evaluate", "owners", "data", "--moves"], MOVES),
        (["evaluate", "owners", "data", "--moves-picture", "a.png"], MOVES),
    ],
    ids=lambda each: " ".join(word for word in each if "/" not in word) if isinstance(each, list) else "",
)
def test_a_command_names_what_its_model_lacks(
    command: list[str], message: str, models: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(models)
    assert main(command) == 2
    error = capsys.readouterr().err.splitlines()
    assert error[-1].startswith("ownership: error: ") and message in error[-1]
    assert not any("Traceback" in line for line in error)


@pytest.mark.parametrize(("model", "message"), [("moves", OWNERS), ("owners", MOVES)])
def test_the_analysis_engine_names_what_its_model_lacks(
    model: str, message: str, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analysis(["analysis", "-model", str(models / model)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and message in error
