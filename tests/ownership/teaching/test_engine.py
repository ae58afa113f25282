"""A program as a teacher: queries, answers, and every way in which it can fail."""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.columns import SOFT
from game_datasets.load_table import load_soft
from game_datasets.shards import read_shard
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE
from ownership.cli import main
from ownership.teaching.program_teacher import AnalysisEngine, EngineFailure
from ownership.teaching.teach_run import TaughtGames
from ownership.teaching.teacher_interface import Refusal, SoftLabel
from ownership.teaching.teacher_positions import PositionChoice, Question, questions
from runtime.folders import Folder
from tests.support.analysis_engine import ENGINE
from tests.support.positions import write_dataset

GAME = parse_game(b"(;SZ[5]KM[6.3]AB[aa]AW[ee];W[cc];B[];W[dd])", "game.sgf")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    return path


def command(script: Path, mode: str, *words: str) -> list[str]:
    return [sys.executable, str(script), mode, str(script.with_suffix(".log")), *words]


def asked() -> list[Question]:
    return questions(GAME, PositionChoice(every=1, further=0, temperature=None, seed=0))


def queries(script: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, script.with_suffix(".log").read_text().splitlines())


def test_answers_in_any_order_become_labels(script: Path) -> None:
    with AnalysisEngine(command(script, "well"), visits=3) as engine:
        for _ in range(2):
            labels = engine.ask(asked())
            assert [label.lead for label in labels if isinstance(label, SoftLabel)] == [0, 1, 2, 3]
        first = labels[0]
    assert isinstance(first, SoftLabel)
    assert first.komi == 6.5
    assert (first.win_rate, first.deviation) == (0.75, 3)
    assert first.ownership[0].tolist() == [1, -0.5, -0.5, -0.5, -0.5]
    assert first.policy is not None
    assert first.policy[0] == 0
    assert first.policy.sum() == pytest.approx(1)
    sent = list(queries(script))
    assert len(sent) == 8
    assert sent[2]["initialStones"] == [["B", "A5"], ["W", "E1"]]
    assert sent[2]["moves"] == [["W", "C3"], ["B", "pass"]]
    assert sent[0]["initialPlayer"] == "W"
    assert [sent[0][name] for name in ("rules", "komi", "boardXSize", "maxVisits")] == ["chinese", 6.5, 5, 3]
    assert sent[0]["overrideSettings"] == {"reportAnalysisWinratesAs": "BLACK"}


def test_whose_turn_it_is_follows_the_last_move() -> None:
    assert [question.position.to_move for question in asked()] == [WHITE, BLACK, WHITE, BLACK]


def test_a_refused_position_is_left_out(script: Path) -> None:
    with AnalysisEngine(command(script, "refuse")) as engine:
        first, *others = engine.ask(asked())
    assert first == Refusal("too odd")
    assert [type(label) for label in others] == [SoftLabel] * 3


def test_the_command_names_each_position_that_is_left_out(
    script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset, line = write_dataset(tmp_path / "games"), shlex.join(command(script, "refuse"))
    words = ["--every", "40", "--further", "0", "-o", str(tmp_path / "soft"), "--teacher", line]
    assert main(["teach", str(dataset), *words]) == 0
    printed = capsys.readouterr()
    refused = [f"{game.source} after 0 moves: left out, the teacher refused it: too odd" for game in games(dataset)]
    assert printed.err.splitlines() == refused
    total = sum(len(questions(game, PositionChoice(40, 0, None, 0))) for game in games(dataset))
    assert f"{total - len(refused)} new positions, {len(refused)} left out, labelled by" in printed.out
    assert len(load_soft(tmp_path / "soft")) == total - len(refused)


FAULTS = [
    (["crash", "2"], "it ended with status 1; last line on stderr: out of memory"),
    (["silent"], "no answer within 1 seconds"),
    (["garbage"], "expected an answer of the analysis protocol. Received: loading..."),
    (["short"], 'expected an answer of the analysis protocol. Received: {"id": '),
    (["nan"], 'expected an answer of the analysis protocol. Received: {"id": '),
    (["refuse all"], "refused every position: too odd"),
]


@pytest.mark.parametrize(("words", "message"), FAULTS)
def test_a_fault_is_named_and_ends_the_program(words: list[str], message: str, script: Path) -> None:
    line = command(script, words[0], *words[1:])
    engine = AnalysisEngine(line, patience=1 if words == ["silent"] else 60)
    with engine, pytest.raises(EngineFailure) as raised:
        engine.ask(asked())
    assert str(raised.value).startswith(f"{' '.join(line)}: {message}")
    assert engine._program._process.returncode is not None


def test_a_program_that_cannot_be_started_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure, match="cannot be started"):
        AnalysisEngine([str(tmp_path / "missing"), "analysis"])


def test_the_command_goes_on_after_a_crash(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset, log = write_dataset(tmp_path / "games", games=80), script.with_suffix(".log")
    total = sum(len(questions(game, PositionChoice(40, 0, None, 0))) for game in games(dataset))
    flag = tmp_path / "crashed"
    script.write_text(ENGINE.replace("sys.argv[1]", f"'well' if os.path.exists({str(flag)!r}) else 'crash'"))
    last = str(total - 5)  # in the second shard
    words = ["teach", str(dataset), "--every", "40", "--further", "0", "-o", str(tmp_path / "soft"), "--teacher"]
    line = shlex.join(command(script, "ignored", last))
    assert main([*words, line]) == 2
    assert "out of memory" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "soft").iterdir()} == {"dataset.json", SOFT.file_name(0)}
    before = len(log.read_text().splitlines())
    flag.touch()
    assert main([*words, line]) == 0
    soft = Folder(tmp_path / "soft")
    assert sum(len(read_shard(soft, name, schema=SOFT)) for name in soft.names() if name.startswith("soft-")) == total
    assert len(log.read_text().splitlines()) - before < total / 2
    row = read_shard(Folder(tmp_path / "soft"), SOFT.file_name(1), schema=SOFT).to_pylist()[0]
    assert (row["rules"], row["win_rate"], row["teacher"]) == ("area", 0.75, line)
    assert np.frombuffer(row["ownership"], np.int8)[:2].tolist() == [127, -64]


def games(dataset: Path) -> Iterator[Any]:
    taught = TaughtGames(dataset)
    return (taught[number] for number in range(len(taught)))
