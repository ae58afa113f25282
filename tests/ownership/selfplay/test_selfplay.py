"""Games that leave their records: where they leave, that they are Go, and that their files are always the same."""

import signal
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from game_datasets.load_table import load_games
from game_datasets.rows import (
    DatasetError,
    Label,
    Row,
    accepted_row,
    decode_points,
    rejected_row,
)
from game_datasets.sampler import Sampler
from game_datasets.shards import write_shard
from game_records.game_record import GameRecord
from game_records.result_property import Result
from goban.coords import BLACK, WHITE, pass_point
from goban.move_effects import sensible_moves
from goban.move_kernels import check_game
from goban.position import Position
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.scoring.labelling_model import LabellingModel
from ownership.selfplay.branched_game_plans import KINDS, BranchKind, Plan, Records, make_plan
from ownership.selfplay.planned_game import LONGEST
from ownership.selfplay.policy_games import play_games
from planes.feature_sets import FEATURE_SETS
from runtime.folders import Folder
from tests.support.datasets import rows_of, shards, wait_for_shards
from tests.support.paths import ROOT
from tests.support.random_games import RandomGame, random_game
from tests.support.selfplay import GAMES, SHARD, play

UNKNOWN = Result(0, None, "unknown", "")
SCRIPT = """
import sys
from pathlib import Path
from tests.support.selfplay import play
play(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def as_record(name: str, game: RandomGame) -> GameRecord:
    setup = np.zeros(game.side**2, np.int8)
    for point, colour in game.setup:
        setup[point] = colour
    moves, colours = zip(*game.moves, strict=True) if game.moves else ((), ())
    arrays = np.array(moves, np.int16), np.array(colours, np.int8)
    return GameRecord(name, game.side, setup, BLACK, *arrays, komi=0.5, handicap=0, rules="korean", result=UNKNOWN)


def row(name: str, game: RandomGame) -> Row:
    record = as_record(name, game)
    owner = np.full((record.side, record.side), BLACK, np.int8)
    return accepted_row(record, Label(owner, 4.5, "somebody")) | {"split": "train"}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short games on 5x5 and 7x7 with set-up stones, suicides and moves out of turn, and some that are not for use."""
    folder = tmp_path_factory.mktemp("records")
    games = [random_game(5 + 2 * (seed % 4 == 3), seed, 12) for seed in range(16)]
    rows = [row(f"record {number}", game) for number, game in enumerate(games)]
    unused = [row("held out", games[0]) | {"split": "test"}, row("turned", games[1]) | {"branch": 3}]
    rejected = rejected_row(as_record("rejected", games[2]), "not counted", "") | {"split": "train"}
    write_shard(Folder(folder), 0, [*rows[:9], *unused])
    write_shard(Folder(folder), 1, [rejected, *rows[9:]])
    return folder


@pytest.fixture(scope="module")
def played(records: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of GAMES games."""
    output = tmp_path_factory.mktemp("played") / "out"
    play(records, output)
    return output


def plans(records: Path, count: int, seed: int = 3) -> list[Plan]:
    games = Records(records)
    return [make_plan(seed, number, games) for number in range(count)]


def outline(plan: Plan) -> tuple[str, str, int, range]:
    return plan.record.source, plan.kind, plan.ply, plan.substituted


# Plans


def test_a_plan_depends_on_the_seed_and_the_number_alone(records: Path) -> None:
    games = Records(records)
    in_order = [outline(plan) for plan in plans(records, 20)]
    assert [outline(make_plan(3, number, games)) for number in reversed(range(20))] == in_order[::-1]
    assert [outline(plan) for plan in plans(records, 20, seed=4)] != in_order
    assert len(set(in_order)) > 15


def test_all_records_of_the_training_split_are_used_and_no_others(records: Path) -> None:
    used = Counter(plan.record.source for plan in plans(records, 600))
    assert set(used) == {f"record {number}" for number in range(16)}
    assert min(used.values()) > 15


def test_the_mixture(records: Path) -> None:
    found = plans(records, 1000)
    kinds = Counter(plan.kind for plan in found)
    assert [kinds[kind] / 1000 for kind in KINDS] == pytest.approx([0.4, 0.25, 0.25, 0.1], abs=0.05)
    counts = Counter(len(plan.substituted) for plan in found)
    assert [counts[count] / 900 for count in (1, 2, 3, 4)] == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=0.05)
    assert {plan.ply for plan in found} == set(range(12))
    for plan in found:
        assert plan.branch == (max(plan.substituted) + 1 if plan.substituted else 0)
        assert plan.kind == "free" or plan.substituted[0] == plan.ply


def test_passes_at_the_end_of_a_record_are_not_left_but_played(tmp_path: Path) -> None:
    moves = [(0, BLACK), (25, WHITE), (7, BLACK), (25, WHITE), (25, BLACK)]
    write_shard(Folder(tmp_path), 0, [row("passes", RandomGame(5, [], moves)), row("empty", RandomGame(5, [], []))])
    last = {(plan.record.source, plan.ply) for plan in plans(tmp_path, 100)}
    assert last == {("passes", 0), ("passes", 1), ("passes", 2), ("empty", 0)}


# Play


def positions(row: Row) -> list[Position]:
    """Return all positions of a row's game."""
    side = row["side"]
    stones = np.zeros(side * side, np.int8)
    points, colours = decode_points(np.array(row["setup"], np.int16))
    stones[points] = colours
    moves, colours = decode_points(np.array(row["moves"], np.int16))
    found = [Position.from_stones(stones.reshape(side, side), int(colours[0]) if len(colours) else BLACK)]
    for move, colour in zip(moves.tolist(), colours.tolist(), strict=True):
        found.append(found[-1].play(move, colour, suicide=True))
    return found


def test_games_begin_with_their_record_and_go_on_legally(records: Path, played: Path) -> None:
    for plan, row in zip(plans(records, GAMES), rows_of(played), strict=True):
        moves, colours = decode_points(np.array(row["moves"], np.int16))
        assert check_game(row["side"], plan.record.setup, moves, colours, True) == -1
        assert np.array_equal(moves[: plan.ply], plan.record.move_points[: plan.ply])
        seen, passing = positions(row), pass_point(row["side"])
        for ply in range(plan.ply, len(moves)):
            assert colours[ply] == seen[ply].to_move
            if moves[ply] != passing:
                assert moves[ply] in sensible_moves(seen[ply])
                assert seen[ply + 1].hash not in {position.hash for position in seen[: ply + 1]}


def test_games_end_with_two_passes_or_are_too_long(played: Path) -> None:
    for row in rows_of(played):
        moves, _ = decode_points(np.array(row["moves"], np.int16))
        points = row["side"] ** 2
        closed = moves[-2:].tolist() == [points, points]
        assert closed or (row["reason"] == "too long" and len(moves) == LONGEST * points)
    assert "" in {row["reason"] for row in rows_of(played)}


def only(kind: BranchKind, bundled: Evaluator, count: int = 40) -> list[GameRecord]:
    """Return games on 5x5 that leave a record of two stones by one move of a kind."""
    record = as_record("two stones", RandomGame(5, [], [(6, BLACK), (18, WHITE)]))
    substituted = range(0) if kind == "free" else range(2, 3)
    made = [Plan(1, number, record, kind, 2, substituted) for number in range(count)]
    return play_games(made, bundled, lambda _: None)


def test_a_tenuki_is_played_elsewhere(bundled: Evaluator) -> None:
    for game in only("tenuki", bundled):
        row, column = divmod(int(game.move_points[2]), 5)
        assert max(abs(row - 3), abs(column - 3)) >= 2


def test_some_moves_are_less_likely_than_others(bundled: Evaluator) -> None:
    policy = bundled.evaluate([Position.empty(5).play(6).play(18)])[0].policy
    assert policy is not None
    kinds: tuple[BranchKind, ...] = ("random", "unlikely", "free")
    chances = [np.mean([policy[game.move_points[2]] for game in only(kind, bundled)]) for kind in kinds]
    assert chances == sorted(chances)
    assert len({int(game.move_points[2]) for game in only("random", bundled)}) > 12


def test_games_that_ended_are_reported_immediately(records: Path, bundled: Evaluator) -> None:
    told: list[int] = []
    found = play_games(plans(records, 10), bundled, told.append)
    assert sum(told) == 10
    assert len([count for count in told if count]) > 1
    assert [game.side for game in found] == [plan.record.side for plan in plans(records, 10)]


# What is written


def test_rows_say_where_the_game_left_its_record(records: Path, played: Path) -> None:
    for plan, row in zip(plans(records, GAMES), rows_of(played), strict=True):
        assert row["source"] == f"game {plan.number}: {plan.kind} after {plan.ply} moves of {plan.record.source}"
        assert row["branch"] == min(plan.branch, len(row["moves"]))
        assert row["opening"] == plan.record.opening
        assert (row["split"], row["rules"], row["komi"]) == ("train", "area", 0.5)


def test_only_games_that_ended_safely_have_a_target(played: Path) -> None:
    for row in rows_of(played):
        assert (row["target"] is None) == (row["reason"] != "")
        assert row["reason"] in ("", "too long", "not finished", "in doubt")
        if row["reason"]:
            assert row["detail"] and row["ending"] == "unknown"
            continue
        owner = np.frombuffer(row["target"], np.int8)
        assert row["counted_score"] == row["recorded_score"] == owner.sum() - 0.5
        assert row["ending"] == "counted"
        assert row["scorer"] == LabellingModel.find().name
        final = positions(row)[-1].stones.ravel()
        assert (owner[final != 0] != 0).all()


def test_what_is_read_of_them(played: Path) -> None:
    accepted = [row for row in rows_of(played) if not row["reason"]]
    table = load_games(played, unlabelled=True)
    assert [*table.ids] == [row["id"] for row in accepted]
    assert table.branch.tolist() == [row["branch"] for row in accepted]
    sampler = Sampler(table, FEATURE_SETS["standard"], 32, seed=1)
    for batch in islice(sampler.iterate(), 10):
        assert (batch.ply >= table.branch[batch.game]).all()
        assert set(batch.move.tolist()) == {-1}


def test_a_second_run_plays_nothing_again(records: Path, played: Path) -> None:
    times = {path: path.stat().st_mtime_ns for path in played.glob("shard-*")}
    play(records, played)
    assert {path: path.stat().st_mtime_ns for path in played.glob("shard-*")} == times


def test_more_games_begin_with_the_same_ones(records: Path, played: Path, tmp_path: Path) -> None:
    play(records, tmp_path / "out", 6)
    assert [row["source"] for row in rows_of(tmp_path / "out")] == [row["source"] for row in rows_of(played)][:6]
    play(records, tmp_path / "out")
    assert shards(tmp_path / "out") == shards(played)


@pytest.mark.long
def test_survives_being_killed_at_any_moment(records: Path, played: Path, tmp_path: Path) -> None:
    out, left = tmp_path / "out", list[int]()
    for written in (1, 2):
        process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(records), str(out)], cwd=ROOT)
        wait_for_shards(process, out, written)
        process.send_signal(signal.SIGKILL)
        process.wait()
        left.append(len(shards(out)))
    assert left[0] < GAMES // SHARD
    play(records, out)
    assert shards(out) == shards(played)
    assert not list(out.glob("*.partial"))


def test_another_seed_needs_another_folder(records: Path, played: Path) -> None:
    with pytest.raises(DatasetError, match="choose another folder"):
        play(records, played, seed=4)


# The command


def test_from_the_command_line(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["selfplay", str(records), "-o", str(out), "--games", "8", "--seed", "3"]) == 0
    accepted = sum(not row["reason"] for row in rows_of(out))
    assert f"{out}: 8 games, {accepted} accepted" in capsys.readouterr().out
    assert (out / "rejected.csv").read_text().count("\n") == 1 + 8 - accepted
    assert main(["inspect", str(out), "--examples", "0"]) == 0
    assert f"{accepted} have a target that holds from the move in `branch` on" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["RECORDS", "-o", "OUT", "--games", "0"], "--games: expected a whole number from 1 up. Received: 0"),
        (["RECORDS", "-o", "OUT", "--seed", "-1"], "--seed: expected a whole number from 0 up. Received: -1"),
        (["RECORDS", "-o", "OUT", "--model", "missing"], "missing"),
        (["RECORDS", "-o", "OUT", "--model", "OWNER"], "needs a model with the head policy"),
        (["RECORDS", "-o", "RECORDS"], "expected a new folder or a dataset, found other files"),
        (["PLAYED", "-o", "OUT"], "expected accepted games of split train, as they were played, found none"),
        (["/nowhere", "-o", "OUT"], "expected a dataset folder"),
    ],
)
def test_mistakes_cost_one_line(
    arguments: list[str],
    message: str,
    records: Path,
    played: Path,
    owner_model: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    places = {"RECORDS": records, "PLAYED": played, "OUT": tmp_path / "out", "OWNER": owner_model}
    assert main(["selfplay", *(str(places.get(argument, argument)) for argument in arguments)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("ownership: error: ") and error.count("\n") == 1
    assert message in error
    assert not (tmp_path / "out").exists()
