"""How assumptions about a record are shown."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from game_records.result_property import parse_result
from game_records.sgf import parse_game
from goban.counting.counted_score import format_result
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_csv import as_row
from ownership.scoring.score_games import score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.score_line import as_line
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import timeline
from tests.support.paths import ROOT

# Black surrounds 10 points with 15 stones, White 5 with 10 less a prisoner: area 5 points apart, territory 5.
MOVES = ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[]"
DIVIDED = f"(;GM[1]SZ[5]%s{MOVES})"


def scored(properties: str, evaluator: Evaluator, move: int | None = None) -> ScoredGame:
    game = parse_game((DIVIDED % properties).encode())
    [answer] = score_games([game], evaluator, ScoreOptions(move=move))
    assert isinstance(answer, ScoredGame)
    return answer


def test_assumptions_are_shown(bundled: Evaluator) -> None:
    answer = scored("RE[W+0.5]", bundled)
    assert (answer.estimate.komi, answer.estimate.rules, answer.estimate.result) == (5.5, "area", "W+0.5")
    assert "Assumed, as the record does not say: area rules, komi 5.5" in as_text(answer).splitlines()
    assert as_json(answer)["assumed"] == ["rules", "komi"]
    assert as_row(answer)["assumed"] == "rules komi"
    assert " area 5.5?  " in as_line(answer)


@pytest.mark.parametrize(
    ("written", "shown"),
    [("黑胜2又1/4子", "B+4.5"), ("W+8.0", "W+8"), ("Jigo", "0"), ("白番中押し勝ち", "W+R"), ("", "-")],
)
def test_a_line_shows_recorded_results_in_one_form(written: str, shown: str, bundled: Evaluator) -> None:
    answer = scored(f"RU[Chinese]KM[6.5]RE[{written}]", bundled)
    assert f"  {shown:<9} {answer.game.source}" in as_line(answer)
    assert as_row(answer)["recorded"] == written


@pytest.mark.parametrize("handicap", [-3, 400])
def test_an_impossible_handicap_counts_as_none(handicap: int, bundled: Evaluator) -> None:
    answer = scored(f"RU[Chinese]KM[0]RE[B+5]HA[{handicap}]", bundled)
    assert "Assumed: no handicap, as the record's HA is no possible number of stones" in as_text(answer).splitlines()
    assert (answer.estimate.result, answer.assumed) == ("B+5", ("handicap",))


def test_named_terms_are_not_mentioned(bundled: Evaluator) -> None:
    answer = scored("RU[Chinese]KM[0]RE[B+5]", bundled)
    assert "Assumed" not in as_text(answer)
    assert json.loads(json.dumps(as_json(answer)))["assumed"] == []
    assert as_row(answer)["assumed"] == ""
    assert " chinese 0  " in as_line(answer)


def test_rules_may_be_given_by_their_name(bundled: Evaluator) -> None:
    game = parse_game((DIVIDED % "KM[0]RE[B+5]").encode())
    [answer] = score_games([game], bundled, ScoreOptions(rules="jp"))
    assert isinstance(answer, ScoredGame) and answer.estimate.rules == "japanese"


def test_an_earlier_position_is_scored_as_the_whole_game(bundled: Evaluator) -> None:
    assert scored("RU[Chinese]RE[W+0.5]", bundled, move=6).estimate.komi == 5.5
    game = parse_game((DIVIDED % "RU[Chinese]RE[W+0.5]").encode())
    for answer in timeline(game, bundled, ScoreOptions(), [0, 6, 12]):
        assert (answer.estimate.komi, answer.assumed) == (5.5, ("komi",))


def test_cells_that_a_spreadsheet_would_run_are_inert(bundled: Evaluator) -> None:
    answer = scored("RE[W+0.5]", bundled)
    row = as_row(replace(answer, game=replace(answer.game, source="=cmd|' /C calc'!A0")))
    assert row["source"] == "'=cmd|' /C calc'!A0"
    assert float(row["score"]) == -0.5, "numbers stay numbers"
    table = io.StringIO()
    csv.DictWriter(table, list(row)).writerow(row)
    assert "'=cmd" in table.getvalue()


def test_a_komi_that_the_result_excludes_is_replaced_and_named(bundled: Evaluator) -> None:
    text = (ROOT / "examples" / "finished-19x19.sgf").read_text()
    [komi] = re.findall(r"KM\[([^]]*)\]", text)
    game = parse_game(text.replace(f"KM[{komi}]", "KM[0]").encode())
    [scored] = score_games([game], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    lines = as_text(scored).splitlines()
    assert f"Assumed: komi {komi}; the record's komi of 0 cannot give its result {game.result.text}" in lines
    assert f"Recorded result: {game.result.text}, the same" in lines


@pytest.mark.parametrize(
    ("result", "komi", "line"),
    [
        ("W+0.5", 5.5, "Assumed: komi 5.5; the record's komi of 55 does not give its result W+0.5"),
        ("W+50", 55, "Komi 55, as the record says, is unusual: --komi 7 changes it"),
        ("W+R", 55, "Komi 55, as the record says, is unusual: --komi 7 changes it"),
    ],
)
def test_a_komi_out_of_proportion_is_named_and_replaced_where_the_result_excludes_it(
    result: str, komi: float, line: str, bundled: Evaluator
) -> None:
    answer = scored(f"RU[Chinese]KM[55]RE[{result}]", bundled)
    assert line in as_text(answer).splitlines()
    assert (answer.estimate.komi, answer.assumed) == (komi, ("komi",))


def test_a_komi_out_of_proportion_that_the_caller_names_is_not_mentioned(bundled: Evaluator) -> None:
    game = parse_game((DIVIDED % "RU[Chinese]KM[55]RE[W+50]").encode())
    [answer] = score_games([game], bundled, ScoreOptions(komi=55))
    assert isinstance(answer, ScoredGame)
    assert "unusual" not in as_text(answer) and answer.assumed == ()


def test_a_difference_of_the_komi_is_named(bundled: Evaluator) -> None:
    text = (ROOT / "examples" / "finished-19x19.sgf").read_text()
    game = parse_game(text.encode())
    assert game.result.score is not None
    without = parse_result(format_result(game.result.score + game.komi))
    [scored] = score_games([replace(game, result=without)], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert (
        as_text(scored)
        .splitlines()[2]
        .endswith(f"; this count gives White {game.komi:g} points more, exactly the komi")
    )
    values = as_json(scored)
    assert (values["difference"], values["difference_is"]) == (-game.komi, "komi")


@pytest.mark.parametrize(
    ("properties", "shown"),
    [("KM[0]RE[B+R]", True), ("KM[0]", True), ("KM[0]RE[B+3]", False), ("KM[0]HA[2]AB[dd][pp]", False), ("", False)],
)
def test_a_komi_of_0_without_a_counted_result_is_shown(properties: str, shown: bool, bundled: Evaluator) -> None:
    [scored] = score_games([parse_game(f"(;GM[1]SZ[19]{properties};B[aa])".encode())], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert ("Komi 0, as the record says" in as_text(scored)) is shown


def test_a_komi_that_the_result_excludes_is_replaced_by_a_usual_one(bundled: Evaluator) -> None:
    game = parse_game(b"(;SZ[9]KM[0]RE[W+3.5];B[ee];W[cc])")
    [answer] = score_games([game], bundled, ScoreOptions())
    assert isinstance(answer, ScoredGame)
    lines = as_text(answer).splitlines()
    assert "Assumed: area rules, komi 7.5; the record's komi of 0 cannot give its result W+3.5" in lines
