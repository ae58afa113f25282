"""A bad record among good ones is named, and the good ones are answered as without it, wherever they are read."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from game_records.game_record import GameRecord
from game_records.record_errors import UNUSABLE, BadRecord
from game_records.record_sources import read_games
from game_records.sgf import parse_game
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import NetworkConfig
from ownership.inference.stack_config import Stack
from ownership.scoring.score_games import score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.scored_game import ScoredGame
from ownership.server.app import SGF, create_app
from tests.support.bad_records import COLLECTED, FILES, GOOD, among, write_bad_records
from tests.support.datasets import rows_of
from tests.support.models import write_model
from tests.support.records import FINISHED, OPEN

# Records that are read, each with a warning.
ODD = {
    "illegal.sgf": b"(;GM[1]SZ[9]RE[B+5.5];B[aa];W[aa])",
    "komi.sgf": b"(;GM[1]SZ[9]KM[99999999999]RU[Chinese];B[ee];W[cc])",
    "cut.sgf": b"(;GM[1]SZ[9]KM[5.5];B[ee];W[cc]",
}


@pytest.fixture
def good(tmp_path: Path) -> list[Path]:
    """Good records: of several games, sides and formats."""
    files = {
        "a.sgf": GOOD,
        "b.sgf": FINISHED + OPEN,
        "c.sgf": b"(;GM[1]SZ[5]KM[0.5];B[bb];W[cc])",
        "d.txt": b"X O .\n. . X\nO . .\n",
    }
    folder = tmp_path / "good"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


@pytest.fixture
def bad(tmp_path: Path) -> list[Path]:
    return write_bad_records(tmp_path / "bad")


@pytest.fixture
def score(small_model: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, list[str]]]:
    """Run `ownership score` with the small model; return the status, what it printed, and the lines of errors."""

    def run(*arguments: Path | str) -> tuple[int, str, list[str]]:
        status = main(["score", "--model", str(small_model), *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.out, [line for line in printed.err.splitlines() if ": error: " in line]

    return run


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("options", [[], ["--csv"], ["--json"]])
def test_the_command(
    options: list[str],
    processes: int,
    good: list[Path],
    bad: list[Path],
    score: Callable[..., tuple[int, str, list[str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status, expected, errors = score(*good, *options)
    assert (status, errors) == (0, [])
    monkeypatch.setattr("ownership.scoring.score_processes.MANY", 2 if processes > 1 else 10_000)
    monkeypatch.setattr("ownership.scoring.score_processes.processors", lambda: processes)
    status, printed, errors = score(*among(good, bad), *options)
    assert (status, printed) == (2, expected)
    assert len(errors) == len(bad)
    for path, line in zip(sorted(map(str, bad)), sorted(errors), strict=True):
        assert line.startswith(f"ownership: error: {path}")


def test_records_that_are_read_with_a_warning(
    good: list[Path], tmp_path: Path, score: Callable[..., tuple[int, str, list[str]]]
) -> None:
    for name, data in ODD.items():
        (tmp_path / name).write_bytes(data)
    _, expected, _ = score(*good, "--json")
    status, printed, errors = score(*among(good, [tmp_path / name for name in ODD]), "--json")
    answers = {answer["source"]: answer for answer in json.loads(printed)}
    odd = [answers.pop(str(tmp_path / name)) for name in ODD]
    assert (status, errors, list(answers.values())) == (0, [], json.loads(expected))
    assert [answer["broken_off"] or bool(answer["notes"]) for answer in odd] == [True] * len(ODD)


def made() -> list[GameRecord]:
    """Return records that no parser makes."""
    game = parse_game(GOOD, "made")
    occupied = np.concatenate([game.move_points, game.move_points[:1]])
    full = np.ones(81, np.int8)
    unplayed = replace(game, move_points=game.move_points[:0], move_colours=game.move_colours[:0])
    return [
        replace(game, move_points=occupied, move_colours=np.append(game.move_colours, np.int8(1)), source="occupied"),
        replace(unplayed, setup=full, source="no liberties"),
        replace(game, komi=math.inf, source="infinite"),
        replace(game, komi=math.nan, source="no number"),
        replace(game, handicap=-1, source="handicap"),
    ]


def test_score_games(good: list[Path], bad: list[Path], small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    expected = [
        as_json(answer) for answer in score_games(read_games(good), evaluator) if isinstance(answer, ScoredGame)
    ]
    first, *records = read_games(among(good, bad))
    answers = list(score_games([first, *made(), *records, *made()], evaluator))
    assert [as_json(answer) for answer in answers if isinstance(answer, ScoredGame)] == expected
    refused = [answer for answer in answers if isinstance(answer, BadRecord)]
    named = [each.source for each in refused if each.reason != UNUSABLE]
    assert all(any(source.startswith(str(path)) for source in named) for path in bad)
    assert [(each.source, each.reason) for each in refused if each.reason == UNUSABLE] == [
        (each.source, UNUSABLE) for each in [*made(), *made()]
    ]
    assert len(refused) == len(bad) + 2 * len(made())


@pytest.fixture(scope="session")
def nine_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained network for boards of side 9 alone."""
    stack = Stack(layers=((4, 3),), position_bias=True, side=9)
    config = NetworkConfig("stack", "signed1", heads=("ownership",), stack=stack)
    return write_model(tmp_path_factory.mktemp("models") / "nine", config)


def test_a_model_of_one_board_side_refuses_the_games_of_others(good: list[Path], nine_model: Path) -> None:
    answers = list(score_games(read_games(good), Evaluator.load(nine_model)))
    assert [isinstance(answer, ScoredGame) for answer in answers] == [True, True, True, False, False]
    assert [str(answer) for answer in answers[3:]] == [
        f"{path}: unusable: nine plays on boards of side 9 only. Received: side {side}"
        for path, side in zip(good[2:], (5, 3), strict=True)
    ]


@pytest.fixture(scope="module")
def client(bundled: Evaluator) -> TestClient:
    return TestClient(create_app(bundled), base_url="http://localhost")


def test_a_collection_on_the_page(client: TestClient) -> None:
    games = [GOOD, FINISHED, OPEN]
    parts = [part for data in COLLECTED.values() for part in (data, games[len(data) % 3])]
    body, headers = b"\n".join(parts), {"content-type": SGF}

    def game(data: bytes, number: int) -> tuple[int, dict[str, object]]:
        answer = client.post(f"/game?number={number}&name=x", content=data, headers=headers)
        return answer.status_code, answer.json()

    listing = client.post("/games?name=x", content=body, headers=headers).json()
    assert listing["count"] == len(parts)
    for number, (part, entry) in enumerate(zip(parts, listing["games"], strict=True), 1):
        if part in games:
            assert game(body, number) == game(part, 1)
        else:
            status, refused = game(body, number)
            assert (status, refused) == (400, entry)
            assert entry["error"].startswith(f"x#{number}: ")


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith((".sgf", ".gib", ".ngf", ".txt", ".md"))])
def test_a_file_on_the_page(name: str, client: TestClient) -> None:
    headers = {"content-type": SGF}
    for path in ("/games", "/game"):
        answer = client.post(f"{path}?name={name}", content=FILES[name], headers=headers)
        refused = answer.json()["games"][0] if answer.status_code == 200 else answer.json()
        if answer.status_code != 413:
            assert refused["error"].startswith(f"{name}: ") and refused["reason"]


MODEL = ["--scorer", "model", "--workers", "2", "--model"]


def test_prepare(good: list[Path], bad: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "illegal.sgf").write_bytes(ODD["illegal.sgf"])
    bad = [*bad, tmp_path / "illegal.sgf"]
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(["prepare", *map(str, good), "-o", str(one), *MODEL, "fast"]) == 0
    capsys.readouterr()
    assert main(["prepare", *map(str, among(good, bad)), "-o", str(two), *MODEL, "fast"]) == 2
    errors, expected = capsys.readouterr().err, rows_of(one)
    assert [row["reason"] for row in expected].count("") == 2
    sources = [row["source"] for row in expected]
    assert [row for row in rows_of(two) if row["source"] in sources] == expected
    assert len(rows_of(two)) == len(expected) + len(bad)
    assert not [path for path in bad if str(path) not in errors]


def test_prepare_with_a_model_of_one_board_side(
    nine_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two.sgf").write_bytes(GOOD.replace(b"SZ[9]", b"SZ[10]") + GOOD)
    assert main(["prepare", str(tmp_path / "two.sgf"), "-o", str(tmp_path / "out"), *MODEL, str(nine_model)]) == 2
    assert [row["reason"] == UNUSABLE for row in rows_of(tmp_path / "out")] == [True, False]
    assert f"{tmp_path}/two.sgf#1: unusable: nine plays on boards of side 9 only" in capsys.readouterr().err
