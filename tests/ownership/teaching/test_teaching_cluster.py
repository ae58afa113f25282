"""A teacher on a Dask cluster, a scheduler and two workers on this machine, gives the same labels as alone."""

import os
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from goban.errors import InputError
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.teaching.teach_run import TaughtGames, Teaching
from ownership.teaching.teacher_interface import Refusal, SoftLabel
from ownership.teaching.teacher_positions import PositionChoice, Question
from runtime.folders import Folder
from runtime.workers import cluster_workers
from tests.support.analysis_engine import ENGINE
from tests.support.positions import write_dataset

distributed = pytest.importorskip("distributed", reason="a cluster needs the extra of that name")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("teaching") / "games")


def written(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in output.iterdir()}


@pytest.mark.long
@pytest.mark.parametrize("teacher", ["model", "program"])
def test_the_same_labels_as_on_one_machine(teacher: str, cluster: Any, dataset: Path, tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(ENGINE)
    words = {"model": "fast", "program": f"{sys.executable} {script} well {tmp_path / 'engine.log'}"}[teacher]
    command = ["teach", str(dataset), "--teacher", words, "--every", "30", "--temperature", "1", "--symmetries", "1"]
    assert main([*command, "-o", str(tmp_path / "home")]) == 0
    assert main([*command, "-o", str(tmp_path / "away"), "--cluster", cluster.scheduler_address]) == 0
    assert written(tmp_path / "away") == written(tmp_path / "home")


class Poison:
    """A teacher that ends its process."""

    name = "poison"

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def ask(self, asked: Sequence[Question]) -> list[SoftLabel | Refusal]:
        os._exit(1)


@pytest.mark.long
def test_a_question_that_kills_its_workers_is_reported(cluster: Any, dataset: Path, tmp_path: Path) -> None:
    teaching = Teaching(Folder(tmp_path), TaughtGames(dataset), Poison(), PositionChoice(50, 0.0, None, 0))
    with cluster_workers(cluster.scheduler_address) as workers, pytest.raises(InputError, match="a worker died"):
        teaching.run(workers=workers)


def test_an_evaluator_is_pickled_by_its_place() -> None:
    copy = pickle.loads(pickle.dumps(Evaluator.load("fast")))
    assert copy.name == "fast"
    assert copy is pickle.loads(pickle.dumps(copy))
