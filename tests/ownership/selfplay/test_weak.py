"""Games of weak and odd players: who plays them, how they begin and end, and that a teacher can judge them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_datasets.load_table import load_games
from game_datasets.rows import DatasetError, Row, record_of
from game_records.game_record import GameRecord
from goban.coords import BLACK, WHITE, pass_point
from goban.move_effects import sensible_moves
from goban.position import Position
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.branched_game_plans import Records
from ownership.selfplay.planned_game import LONGEST
from ownership.selfplay.policy_games import play_games
from ownership.selfplay.weak_game_plans import SparseGames, WeakGames, WeakPlan, WeakPlayer
from ownership.teaching.teach_run import TaughtGames
from ownership.teaching.teacher_positions import PositionChoice
from tests.support.datasets import rows_of, shards
from tests.support.positions import write_dataset

CALM = WeakPlayer(temperature=0.3, random=0.0, plays_on=False)
STUBBORN = replace(CALM, plays_on=True)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of 16 games on 5x5 and 7x7."""
    out = tmp_path_factory.mktemp("weak") / "out"
    assert main(["selfplay", "--style", "weak", "--sides", "5,7", "--games", "16", "-o", str(out)]) == 0
    return out


def game(bundled: Evaluator, black: WeakPlayer, white: WeakPlayer, number: int = 0, random: int = 0) -> GameRecord:
    """Return a game on 5x5."""
    plan = WeakGames([5]).plan(1, number)
    [played] = play_games([replace(plan, black=black, white=white, random=random)], bundled, lambda _: None)
    return played


def described(plan: WeakPlan) -> tuple[str, int, WeakPlayer, WeakPlayer]:
    return plan.source, plan.record.side, plan.black, plan.white


def test_a_plan_depends_on_the_seed_and_the_number_alone() -> None:
    games = WeakGames([9, 13])
    plans = [described(games.plan(2, number)) for number in range(20)]
    assert [described(games.plan(2, number)) for number in reversed(range(20))] == plans[::-1]
    assert len(set(plans)) == 20
    assert [described(games.plan(3, number)) for number in range(20)] != plans


def test_the_mixture() -> None:
    plans = [WeakGames([9, 13, 19, 19]).plan(0, number) for number in range(1000)]
    sides = Counter(plan.record.side for plan in plans)
    assert [sides[side] / 1000 for side in (9, 13, 19)] == pytest.approx([0.25, 0.25, 0.5], abs=0.05)
    players = [player for plan in plans for player in (plan.black, plan.white)]
    assert all(0.3 <= player.temperature <= 2.2 and 0 <= player.random <= 0.12 for player in players)
    assert np.median([player.temperature for player in players]) == pytest.approx((0.3 * 2.2) ** 0.5, abs=0.1)
    assert np.mean([player.plays_on for player in players]) == pytest.approx(1 / 3, abs=0.05)
    handicaps = Counter(plan.record.handicap for plan in plans)
    assert handicaps[0] / 1000 == pytest.approx(0.85, abs=0.05)
    assert set(handicaps) == {0, *range(2, 10)}
    assert all((plan.record.to_move == WHITE) == (plan.record.handicap > 0) for plan in plans)
    assert {plan.random for plan in plans if plan.record.side == 9} == set(range(7))
    assert max(plan.random for plan in plans) == 30
    assert {plan.branch for plan in plans} == {0}


def test_a_third_of_the_games_begin_with_records(tmp_path: Path) -> None:
    records = Records(write_dataset(tmp_path / "games"))
    plans = [WeakGames([9], records).plan(0, number) for number in range(600)]
    begun = [plan for plan in plans if len(plan.record.move_points)]
    assert len(begun) / 600 == pytest.approx(1 / 3, abs=0.06)
    assert all(plan.branch == plan.ply <= len(plan.record.move_points) for plan in begun)
    assert {plan.ply == len(plan.record.move_points) for plan in begun} == {False, True}


def test_who_plays_on_passes_when_nothing_sensible_is_left(bundled: Evaluator) -> None:
    for number in range(8):
        record = game(bundled, STUBBORN, CALM, number)
        before = list(record.positions())
        for move, position in zip(record.move_points.tolist(), before[:-1], strict=True):
            sensible = [
                each
                for each in sensible_moves(position)
                if position.play(each).hash not in {earlier.hash for earlier in before if earlier is not position}
            ]
            if move == pass_point(5) and position.to_move == BLACK:
                assert not sensible


def test_the_others_pass_when_the_policy_does(bundled: Evaluator) -> None:
    passed = 0
    for number in range(8):
        record = game(bundled, CALM, CALM, number)
        for move, position in zip(record.move_points.tolist(), record.positions(), strict=False):
            policy = bundled.evaluate([position])[0].policy
            assert policy is not None
            assert (move == pass_point(5)) == (policy.argmax() == pass_point(5))
            passed += move == pass_point(5)
    assert passed >= 16


def test_random_moves_come_first(bundled: Evaluator) -> None:
    policy = bundled.evaluate([Position.empty(5)])[0].policy
    assert policy is not None
    usual = [policy[game(bundled, CALM, CALM, number).move_points[0]] for number in range(1, 30)]
    random = [policy[game(bundled, CALM, CALM, number, random=1).move_points[0]] for number in range(1, 30)]
    assert np.mean(usual) > 2 * np.mean(random)


def test_rows_have_no_target_and_teach_no_moves(played: Path) -> None:
    rows = rows_of(played)
    assert len(rows) == 16
    assert {row["side"] for row in rows} == {5, 7}
    assert len({row["id"] for row in rows}) == 16
    for row in rows:
        assert (row["target"], row["reason"], row["branch"], row["split"]) == (None, "unlabelled", 0, "train")
        assert ended(row) or len(row["moves"]) == LONGEST * row["side"] ** 2
    with pytest.raises(DatasetError, match="expected accepted games"):
        load_games(played, unlabelled=True)


def ended(row: Row) -> bool:
    passing = pass_point(row["side"])
    return bool((record_of(row).move_points[-2:] == passing).all())


def test_a_second_run_adds_games(played: Path, tmp_path: Path) -> None:
    command = ["selfplay", "--style", "weak", "--sides", "5,7", "-o", str(tmp_path / "out"), "--games"]
    assert main([*command, "6"]) == 0
    assert [row["source"] for row in rows_of(tmp_path / "out")] == [row["source"] for row in rows_of(played)][:6]
    assert main([*command, "16"]) == 0
    assert shards(tmp_path / "out") == shards(played)


def test_a_teacher_labels_all_positions_but_those_of_the_record(played: Path, tmp_path: Path) -> None:
    taught, choice = TaughtGames(played), PositionChoice(every=10, further=0.0, temperature=None, seed=0)
    assert len(taught) == 16
    for number in range(16):
        last = len(taught[number].move_points)
        assert [question.ply for question in taught.questions(number, choice)] == sorted({*range(0, last, 10), last})
    records = str(write_dataset(tmp_path / "games"))
    out = tmp_path / "out"
    assert main(["selfplay", records, "--style", "weak", "--sides", "5", "--games", "24", "-o", str(out)]) == 0
    begun, firsts = TaughtGames(out), {row["id"]: row["branch"] for row in rows_of(out)}
    assert max(firsts.values()) > 0
    for number in range(len(begun)):
        first = firsts[begun[number].id]
        assert begun.questions(number, choice)[0].ply == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected at least one DATASET, or --style weak. Received: none"),
        (["--sides", "9"], "--sides needs --style weak"),
        (["--style", "weak", "--sides", "9,x"], "--sides must be board sides 2..25 such as 9,13. Received: x"),
        (["--style", "weak", "--sides", ""], "--sides must be board sides"),
    ],
)
def test_mistakes_cost_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["selfplay", "-o", str(tmp_path / "out"), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("ownership: error: ") and error.count("\n") == 1
    assert message in error


def test_sparse_games_begin_with_few_stones_or_with_those_of_one_colour(bundled: Evaluator, tmp_path: Path) -> None:
    records = Records(write_dataset(tmp_path / "games"))
    plans = [SparseGames([5, 9], records).plan(3, number) for number in range(200)]
    boards = [plan.record.position(0).stones for plan in plans]
    counts = Counter((int((board == BLACK).sum() > 0), int((board == WHITE).sum() > 0)) for board in boards)
    assert counts[1, 1] == 0
    assert min(counts[0, 0], counts[1, 0], counts[0, 1]) > 10
    for plan, board in zip(plans, boards, strict=True):
        if (board == WHITE).any():
            assert plan.record.position(0).to_move == BLACK
        assert plan.branch == 0
    played = play_games(plans[:30], bundled, lambda _: None)
    assert all(1 <= len(game.move_points) <= 8 for game in played)
