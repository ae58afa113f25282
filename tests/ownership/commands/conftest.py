"""Records as files, and the command that scores them."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ownership.cli import main
from tests.support.records import BAD, FINISHED, OPEN

Score = Callable[..., int]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_bytes(FINISHED)
    return path


@pytest.fixture
def several(tmp_path: Path) -> Path:
    """An archive of a finished game, a broken one and an open one."""
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (("a.sgf", FINISHED), ("b.sgf", BAD), ("c.sgf", OPEN)):
            archive.writestr(name, data)
    return path


@pytest.fixture
def score(small_model: Path) -> Score:
    """Run `ownership score` with the small model; return the exit status."""
    return lambda *arguments: main(["score", "--model", str(small_model), *map(str, arguments)])
