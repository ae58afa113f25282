"""Asking a teacher: which positions, what is written, and going on after an interruption with the same bytes."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.columns import SOFT
from game_datasets.file_schema import FileSchema
from game_datasets.load_table import load_soft
from game_datasets.rows import DatasetError, record_of
from game_datasets.shards import read_shard, write_shard
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.position import Position
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.teaching import teach_run
from ownership.teaching.teach_run import TaughtGames, Teaching
from ownership.teaching.teacher_interface import ModelTeacher, balanced
from ownership.teaching.teacher_positions import PositionChoice, Question, finished_boards, play_further, questions
from runtime.folders import Folder
from tests.support.positions import write_dataset

CHOICE = PositionChoice(every=20, further=0.5, temperature=None, seed=3)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("teaching") / "games")


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator.load("fast", cached=0)


def teaching(dataset: Path, output: Path, evaluator: Evaluator, choice: PositionChoice = CHOICE) -> Teaching:
    teacher = ModelTeacher(evaluator, "fast 0123", 1)
    return Teaching(Folder(output), TaughtGames(dataset), teacher, choice, evaluator, shard_size=3)


def written(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in output.iterdir()}


def rows_of(output: Path) -> list[dict[str, Any]]:
    names = sorted(path.name for path in output.glob("soft-*.parquet"))
    return [row for name in names for row in read_shard(Folder(output), name, schema=SOFT).to_pylist()]


@pytest.mark.parametrize("temperature", [None, 1.0])
def test_rows_hold_the_labels_of_their_positions(
    temperature: float | None, dataset: Path, evaluator: Evaluator, tmp_path: Path
) -> None:
    choice = PositionChoice(every=20, further=0.5, temperature=temperature, seed=3)
    teaching(dataset, tmp_path / "soft", evaluator, choice).run()
    rows = rows_of(tmp_path / "soft")
    assert len(load_soft(tmp_path / "soft")) == len(rows)
    for row in rows[::5]:
        game = {
            "rules": "area",
            "handicap": 0,
            "result": "",
            **{name: row[name] for name in ("source", "side", "komi")},
        }
        position = record_of(game | {"setup": row["setup"], "moves": row["moves"]}).position()
        assert position.to_move == row["to_move"]
        [answer] = evaluator.evaluate([position])
        assert answer.policy is not None and answer.lead is not None
        ownership = np.frombuffer(row["ownership"], np.int8).reshape(7, 7) / 127
        np.testing.assert_allclose(ownership, balanced(answer.owners, answer.lead + 6.5), atol=0.005)
        np.testing.assert_allclose(row["policy"], answer.policy[row["policy_moves"]], atol=1e-5)
        assert row["lead"] == pytest.approx(answer.lead, abs=1e-3)
        assert row["win_rate"] == pytest.approx(answer.win_rate, abs=1e-4)
        assert row["deviation"] == pytest.approx(answer.deviation, rel=1e-4)
        assert row["teacher"] == "fast 0123"


def test_a_teacher_without_leads_has_the_sum_over_the_points(dataset: Path, small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    asked = questions(TaughtGames(dataset)[0], PositionChoice(every=30, further=0.0, temperature=None, seed=0))
    for question, label in zip(asked, ModelTeacher(evaluator, "small", 1).ask(asked), strict=True):
        [answer] = evaluator.evaluate([question.position])
        assert answer.lead is None
        assert label.lead == pytest.approx(float(answer.owners.sum()) - question.record.komi, abs=1e-3)
        np.testing.assert_array_equal(label.ownership, answer.owners)


def test_every_kth_ply_and_the_end_are_labelled(dataset: Path) -> None:
    games = TaughtGames(dataset)
    assert len(games) == 8
    for number in range(len(games)):
        asked = questions(games[number], PositionChoice(every=30, further=1.0, temperature=None, seed=0))
        last = len(games[number].move_points)
        assert [question.ply for question in asked] == sorted({*range(0, last, 30), last})
        assert [question.left > 0 for question in asked] == [True] * (len(asked) - 1) + [False]
        assert not any(question.left for question in questions(games[number], PositionChoice(30, 0.0, None, 0)))


def test_finished_boards_are_asked_about_with_either_side_to_move(dataset: Path, evaluator: Evaluator) -> None:
    game = TaughtGames(dataset)[2]
    asked = finished_boards(game, PositionChoice(1, 0.0, None, 0, finished=6))
    last = int(np.flatnonzero(game.move_points != 49)[-1]) + 1
    assert {question.ply for question in asked} >= {last}
    assert all(question.ply >= last // 2 for question in asked)
    views = set()
    for question, other in zip(asked[::2], asked[1::2], strict=True):
        assert (question.position.to_move, other.position.to_move) == (BLACK, WHITE)
        for each in (question, other):
            row = {**each.columns(), "rules": "area", "komi": 7.0, "handicap": 0, "result": ""}
            position = record_of(row).position()
            np.testing.assert_array_equal(position.stones, each.position.stones)
            np.testing.assert_array_equal(position.stones, game.position(each.ply).stones)
            assert each.position.recent == ()
            views.add(position.recent[:2])
    assert views == {(), (49, 49)}  # set up, or after two passes
    assert not finished_boards(game, CHOICE)


def test_soft_rows_of_finished_boards_are_read(dataset: Path, evaluator: Evaluator, tmp_path: Path) -> None:
    teaching(dataset, tmp_path / "soft", evaluator, PositionChoice(100, 0.0, None, 0, finished=2)).run()
    rows = rows_of(tmp_path / "soft")
    assert {row["to_move"] for row in rows} == {BLACK, WHITE}
    table = load_soft([tmp_path / "soft", tmp_path / "soft"])
    assert len(table) == len({(tuple(row["setup"]), tuple(row["moves"]), row["to_move"]) for row in rows})


def test_a_label_moves_towards_the_lead_where_the_board_is_open() -> None:
    empty, finished = np.zeros((9, 9)), np.sign(np.arange(81) - 30.5).reshape(9, 9)
    assert balanced(empty, 7.0).sum() == pytest.approx(7.0)
    assert balanced(empty, 30.0).sum() == pytest.approx(8.1)  # a tenth of the doubt at most
    np.testing.assert_array_equal(balanced(finished, 7.0), finished)


def test_further_moves_are_legal_and_follow_the_seed(dataset: Path, evaluator: Evaluator) -> None:
    game = TaughtGames(dataset)[0]
    for temperature in (None, 0.5):
        ends = []
        for seed in (1, 1, 2):
            asked = questions(game, PositionChoice(5, 1.0, temperature, seed))
            wanted = [question.left for question in asked]
            play_further(asked, evaluator, temperature)
            rows = [question.columns() for question in asked]
            further = [len(row["moves"]) - question.ply for row, question in zip(rows, asked, strict=True)]
            assert further == wanted
            assert set(wanted[:-1]) <= set(range(1, 9))
            ends.append([row["moves"].tolist() for row in rows])
        assert ends[0] == ends[1] != ends[2]


def test_a_cold_policy_plays_its_likeliest_move(dataset: Path, evaluator: Evaluator) -> None:
    asked = questions(TaughtGames(dataset)[1], PositionChoice(10, 1.0, 0.01, 5))
    before = {question.ply: question.position for question in asked if question.left == 1}
    assert before
    play_further(asked, evaluator, 0.01)
    for question in asked:
        if question.ply in before:
            [answer] = evaluator.evaluate([before[question.ply]])
            assert answer.policy is not None
            assert question.columns()["moves"][-1] >> 1 == answer.policy.argmax()


def test_an_interrupted_run_ends_with_the_same_bytes(
    dataset: Path, evaluator: Evaluator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teaching(dataset, tmp_path / "whole", evaluator).run()
    with monkeypatch.context() as patched:

        def interrupted(folder: Folder, number: int, rows: list[Any], schema: FileSchema) -> None:
            if number == 1:
                raise KeyboardInterrupt
            write_shard(folder, number, rows, schema)

        patched.setattr(teach_run, "write_shard", interrupted)
        with pytest.raises(KeyboardInterrupt):
            teaching(dataset, tmp_path / "broken", evaluator).run()
    assert set(written(tmp_path / "broken")) == {"dataset.json", SOFT.file_name(0)}
    done: list[tuple[int, int]] = []
    teaching(dataset, tmp_path / "broken", evaluator).run(lambda games, positions: done.append((games, positions)))
    assert written(tmp_path / "broken") == written(tmp_path / "whole")
    assert [games for games, _ in done] == [3, 3, 2]
    assert done[0][1] == 0 < done[1][1]


def test_another_run_does_not_go_on(dataset: Path, evaluator: Evaluator, tmp_path: Path) -> None:
    teaching(dataset, tmp_path / "soft", evaluator).run()
    with pytest.raises(DatasetError, match=r"soft: made with other options: every 20 there, 10 here; choose"):
        teaching(dataset, tmp_path / "soft", evaluator, PositionChoice(10, 0.5, None, 3)).run()


def test_the_command_teaches_and_goes_on(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["teach", str(dataset), "--teacher", "fast", "--every", "40", "--symmetries", "1", "-o"]
    assert main([*command, str(tmp_path / "soft")]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'soft'}: 8 games, ")
    first = written(tmp_path / "soft")
    assert main([*command, str(tmp_path / "soft")]) == 0
    assert ", 0 new positions, labelled by fast " in capsys.readouterr().out
    assert written(tmp_path / "soft") == first


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--every", "0"], "--every: expected a whole number from 1 up. Received: 0"),
        (["--further", "1.5"], "--further: expected a number 0..1. Received: 1.5"),
        (["--temperature", "0"], "--temperature: expected a number 0.01..100. Received: 0"),
        (["--seed", "-1"], "--seed: expected a whole number from 0 up. Received: -1"),
        (["--teacher", "missing"], "--teacher: expected a directory with model.tflite or the name of a model"),
        (["--teacher", "missing analysis"], "expected a program that can be run. Received: missing"),
        (["--teacher", "missing 'analysis"], "--teacher: expected a program that can be run. Received: "),
        (["--visits", "0"], "--visits: expected a whole number from 1 up. Received: 0"),
    ],
)
def test_wrong_arguments_are_one_line(
    words: list[str], message: str, dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["teach", str(dataset), "-o", str(tmp_path / "soft"), *words]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert not (tmp_path / "soft").exists()


def test_games_held_out_from_training_are_not_labelled(dataset: Path, tmp_path: Path) -> None:
    copy = tmp_path / "games"
    shutil.copytree(dataset, copy)
    assert len(TaughtGames([dataset, copy])) == 8
    with pytest.raises(InputError, match="found none"):
        TaughtGames(tmp_path / "games" / "missing")


def test_further_moves_are_drawn_by_their_chances() -> None:
    """One move has half of the chance, the others share the rest."""
    record, drawn = parse_game(b"(;SZ[5])"), 0
    policy = np.full(26, 0.5 / 25, np.float32)
    policy[12] = 0.5
    for seed in range(1000):
        question = Question(record, 0, Position.empty(5), 1, seed)
        question.play_on(policy, 1.0)
        drawn += question.position.stones[2, 2] != 0
    assert 440 < drawn < 560


def test_games_of_validation_and_test_alone_teach_nothing(tmp_path: Path) -> None:
    held_out = write_dataset(tmp_path / "held-out", games=4)
    with pytest.raises(DatasetError, match="held-out: expected games of split train, found none"):
        TaughtGames(held_out)
