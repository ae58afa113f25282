"""A network file of KataGo as a teacher answers as the imported model of the same network."""

import os
from pathlib import Path

import numpy as np
import pytest

from game_datasets.load_table import load_soft
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.katago_networks import katago_teacher
from ownership.katago_networks.katago_teacher import NetworkTeacher
from ownership.teaching.teach_run import TaughtGames
from ownership.teaching.teacher_interface import ModelTeacher
from ownership.teaching.teacher_positions import PositionChoice, Question, questions
from tests.support.positions import write_dataset


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("network-teacher") / "games")


@pytest.fixture
def network(imported: Path) -> Path:
    return imported / "net.bin.gz"


def asked(dataset: Path) -> list[Question]:
    games = TaughtGames(dataset)
    found = [
        question
        for number in range(len(games))
        for question in questions(games[number], PositionChoice(7, 0.0, None, 0))
    ]
    side = found[0].record.side
    return [question for question in found if question.record.side == side]


@pytest.mark.parametrize("symmetries", [1, 8])
@pytest.mark.parametrize("version", ["imported", "imported_before"])
def test_it_agrees_with_the_imported_model(
    version: str, symmetries: int, dataset: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = request.getfixturevalue(version)
    monkeypatch.setattr(katago_teacher, "IMAGES", 5)  # several batches, the last one filled up
    positions = asked(dataset)
    labels = NetworkTeacher(folder / "net.bin.gz", symmetries).ask(positions)
    expected = ModelTeacher(Evaluator.load(folder / "model"), "small", symmetries).ask(positions)
    assert len(labels) == len(positions) > 5
    for label, answer in zip(labels, expected, strict=True):
        assert label is not None and label.policy is not None and answer.policy is not None
        np.testing.assert_allclose(label.ownership, answer.ownership, atol=0.02)
        np.testing.assert_allclose(label.policy, answer.policy, atol=0.01)
        assert label.lead == pytest.approx(answer.lead, abs=0.2)
        assert label.deviation == pytest.approx(answer.deviation, abs=0.2)
        assert label.win_rate == pytest.approx(answer.win_rate, abs=0.01)


def test_the_command_takes_a_network_file_and_quiets_tensorflow(
    dataset: Path, network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL", raising=False)
    soft = str(tmp_path / "soft")
    assert main(["teach", str(dataset), "--teacher", str(network), "--symmetries", "1", "-o", soft]) == 0
    assert len(load_soft(soft)) > 0
    assert "TF_CPP_MIN_LOG_LEVEL" in os.environ


def test_a_file_that_is_no_network_is_refused(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.bin.gz").write_bytes(b"no network")
    for name in ("bad.bin.gz", "missing.bin.gz"):
        place = tmp_path / name
        assert main(["teach", str(dataset), "--teacher", str(place), "-o", str(tmp_path / "soft")]) == 2
        assert str(place) in capsys.readouterr().err
    assert not (tmp_path / "soft").exists()
