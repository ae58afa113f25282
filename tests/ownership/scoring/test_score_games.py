"""Scores of records: as of their last positions, and the additions of a record."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_records.record_sources import read_game
from game_records.result_property import parse_result
from game_records.sgf import parse_game
from goban.counting.count_estimate import Count
from goban.errors import InputError
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_figures import likely_moves
from ownership.scoring.score_games import score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.score_position import (
    score_position,
)
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from tests.support.paths import EXAMPLES


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("finished*.sgf")), ids=lambda path: path.stem)
def test_a_position_scores_as_its_game(path: Path, bundled: Evaluator) -> None:
    game = read_game(path)
    [scored] = score_games([game], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    estimate, terms = scored.estimate, scored.estimate.terms
    answer = score_position(game.position(), terms.ruleset, terms.komi, handicap=terms.handicap, evaluator=bundled)
    assert (answer.result, answer.safe, answer.interval) == (estimate.result, estimate.safe, estimate.interval)


def test_a_record_with_a_counted_result_and_no_passes_scores_as_its_position(bundled: Evaluator) -> None:
    game = read_game(EXAMPLES / "finished-19x19.sgf")
    cut = replace(game, move_points=game.move_points[:-2], move_colours=game.move_colours[:-2])
    [scored] = score_games([cut], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    answer = score_position(cut.position(), game.rules, game.komi, ended=None, evaluator=bundled)
    assert (answer.result, answer.interval) == (scored.estimate.result, scored.estimate.interval)


def test_likely_moves_come_in_order_with_their_probabilities_in_four_decimals(bundled: Evaluator) -> None:
    [scored] = score_games([parse_game(b"(;SZ[3])")], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    policy = np.array([0.05, 0.123456, 0.02, 0.1, 0.3, 0.1, 0.02, 0.2, 0.05, 0.036544], np.float32)
    listed = likely_moves(replace(scored, policy=policy), 4)
    assert listed == [("B2", 0.3), ("B1", 0.2), ("B3", 0.1235), ("A2", 0.1)]


@pytest.mark.parametrize("ended", [True, None, False])
def test_a_game_that_breaks_off_is_not_counted_however_it_ends(ended: bool | None, bundled: Evaluator) -> None:
    position = Position.empty(9).play(40)
    assert not score_position(position, "japanese", 6.5, ended=ended, evaluator=bundled).finished
    moves = "B[ee];W[];B[]" if ended else "B[ee]"
    result = "B+3.5" if ended is None else "?"
    game = parse_game(f"(;SZ[9]RU[Japanese]KM[6.5]RE[{result}];{moves})".encode())
    [scored] = score_games([game], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert not scored.estimate.finished
    reason = "the record seems to lack its last moves" if ended is None else "8"
    assert f"Not finished: {reason}" in as_text(scored) and "'s win rate " in as_text(scored)


@pytest.mark.parametrize(("result", "finished"), [("B+9", True), ("B+40", False)])
def test_a_count_far_off_a_record_without_passes_is_no_count(result: str, finished: bool, bundled: Evaluator) -> None:
    text = (EXAMPLES / "finished-9x9.sgf").read_bytes().replace(b";W[];B[])", b")")
    [scored] = score_games([parse_game(text.replace(b"B+4.0", result.encode()))], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert (scored.estimate.finished, scored.estimate.safe) == (finished, False)
    assert ("the record seems to lack its last moves" in as_text(scored)) is not finished


@pytest.mark.parametrize(("name", "left", "safe"), [("finished-9x9", 2, True), ("finished-19x19", 20, False)])
def test_a_game_that_breaks_off_is_safe_only_if_the_model_passes(
    name: str, left: int, safe: bool, bundled: Evaluator
) -> None:
    game = read_game(EXAMPLES / f"{name}.sgf")
    cut = replace(
        game, move_points=game.move_points[:-left], move_colours=game.move_colours[:-left], result=parse_result("")
    )
    [scored] = score_games([cut], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert scored.estimate.finished
    assert scored.estimate.safe is safe
    assert ("Not safe to count: moves may be left" in as_text(scored)) is not safe


@pytest.mark.parametrize("move", range(0, 160, 20))
def test_the_points_of_an_expected_score_differ_by_it(move: int, bundled: Evaluator) -> None:
    [scored] = score_games([read_game(EXAMPLES / "finished-19x19.sgf")], bundled, ScoreOptions(move, symmetries=1))
    assert isinstance(scored, ScoredGame)
    [line] = [line for line in as_text(scored).splitlines() if line.startswith("Expected")]
    black, white = map(float, re.findall(r"\d+\.\d\b", line))
    assert round(black - white, 1) == round(scored.estimate.score, 1), line
    assert line.endswith(" with komi, less the stones that each still plays")
    assert as_json(scored.estimate)["before_further_stones"]


def test_the_points_of_an_expected_score_by_area_are_the_points_of_the_end(bundled: Evaluator) -> None:
    chosen = ScoreOptions(60, "chinese", symmetries=1)
    [scored] = score_games([read_game(EXAMPLES / "finished-19x19.sgf")], bundled, chosen)
    assert isinstance(scored, ScoredGame)
    [line] = [line for line in as_text(scored).splitlines() if line.startswith("Expected")]
    black, white = map(float, re.findall(r"\d+\.\d\b", line))
    assert line.endswith(" with komi") and black + white - scored.estimate.komi == pytest.approx(361, abs=0.2)
    assert not as_json(scored.estimate)["before_further_stones"]


def test_protective_moves_are_named_and_deducted_where_the_record_has_them(bundled: Evaluator) -> None:
    text = """(;SZ[9]RU[Japanese]KM[0.5]RE[W+17.5]
        AB[ca][bb][cb][cc][dd][ce][bf][cf][cg][ch][ci][bc]
        AW[da][db][dc][ec][fb][fd][de][ee][df][ef][dg][gb][gc][ge][fg][gg][dh][di][eh][hd];B[];W[])"""
    for recorded, line in (
        ("W+17.5", "Protective moves, deducted as in the record: Black at C6. Without them W+16.5"),
        ("W+16.5", "Protective moves left once the dame are filled: Black at C6. With them W+17.5"),
    ):
        game = parse_game(text.replace("W+17.5", recorded).encode(), "game.sgf")
        [scored] = score_games([game], bundled, ScoreOptions())
        assert isinstance(scored, ScoredGame)
        assert scored.estimate.result == recorded
        assert isinstance(scored.estimate, Count) and scored.estimate.counted.result == recorded
        assert line in as_text(scored).splitlines()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"komi": float("nan")}, InputError, r"komi must be -400\.\.400 points\. Received: nan"),
        ({"komi": "7"}, TypeError, "expected komi as a number of points"),
        ({"symmetries": 4}, InputError, r"symmetries must be 1 or 8\. Received: 4"),
        ({"move": "3"}, TypeError, r"expected move as a whole number\. Received: str '3'"),
    ],
)
def test_options_of_scoring_are_checked(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ScoreOptions(**wrong)


def test_names_of_files_are_no_records() -> None:
    with pytest.raises(TypeError, match=r"expected records from read_games\. Received: str 'game\.sgf'"):
        list(score_games(["game.sgf"]))  # type: ignore[list-item]
