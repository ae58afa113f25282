"""A recorded score that the count has, by the record's terms, confirms it, whatever the board alone leaves open."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from game_records.sgf import parse_game
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_game
from ownership.scoring.score_json import as_json
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.vertex_claims import VertexClaims
from tests.support.paths import EXAMPLES

# White's three stones E5 to G5 have one liberty, D5, beside a dame; Black counts 5 points more.
ATARI = (
    "(;SZ[9]RU[chinese]KM[0]RE[%s]AB[ea][eb][ec][ed][fd][gd][he][ef][ff][gf][eg][eh][ei]"
    "AW[da][db][dc][cd][ce][ee][fe][ge][df][dg][dh][di];B[];W[])"
)
# White's D5 is a protective move: 4 points without it, 5 with it.
ONE_DAME = (
    "(;SZ[9]RU[japanese]KM[0]RE[%s]AB[ea][eb][ec][fd][gd][ge][ef][ff][eg][eh][ei]"
    "AW[da][db][dc][dd][ce][ee][fe][df][dg][dh][di];B[];W[])"
)


def scored(record: str, evaluator: Evaluator, options: ScoreOptions | None = None) -> ScoredGame:
    return score_game(parse_game(record.encode()), evaluator, options or ScoreOptions())


@pytest.mark.parametrize(
    ("record", "state"), [("B+5", "confirmed"), ("B+12", "unsafe"), ("B+R", "unsafe"), ("?", "unsafe")]
)
def test_the_record_confirms_what_the_board_alone_leaves_open(record: str, state: str, bundled: Evaluator) -> None:
    answer = scored(ATARI % record, bundled)
    assert (answer.estimate.result, answer.estimate.state) == ("B+5", state)
    assert answer.estimate.safe == (state == "confirmed")
    assert [reason.worth for reason in answer.estimate.reasons] == [8], "the doubt stays listed"
    text = as_text(answer)
    reason = "White's E5 (3 stones, 8 points) depends on the next move or a ko"
    assert f"{'The board alone leaves open' if state == 'confirmed' else 'In doubt'}: {reason}\n" in text
    assert "interval" not in text and "%" not in text


@pytest.mark.parametrize(("record", "said"), [("B+4", ""), ("B+5", ", with the protective moves that were left,")])
def test_protective_moves_are_named_in_what_is_confirmed(record: str, said: str, bundled: Evaluator) -> None:
    answer = scored(ONE_DAME % record, bundled).estimate
    assert (answer.result, answer.state) == (record, "confirmed")
    assert answer.trust == f"Confirmed: by the record's terms this count{said} and the recorded result agree."


def test_terms_of_the_reader_are_confirmed_by_those_of_the_record(bundled: Evaluator) -> None:
    answer = scored(ATARI % "B+5", bundled, ScoreOptions(komi=7.5))
    assert (answer.estimate.result, answer.estimate.state) == ("W+2.5", "confirmed")


def test_a_count_by_marks_is_the_players_own(bundled: Evaluator) -> None:
    answer = scored(ATARI % "B+12", bundled, ScoreOptions(claims=VertexClaims(dead=["E5"]))).estimate
    assert answer.state != "confirmed" and answer.claimed


def test_the_end_alone_is_confirmed(bundled: Evaluator) -> None:
    answer = scored(ATARI % "B+5", bundled, ScoreOptions(move=1))
    assert (answer.comparison, answer.estimate.state == "confirmed") == (None, False)


def test_without_passes_a_closed_board_is_confirmed_and_an_open_one_is_not(bundled: Evaluator) -> None:
    whole = parse_game((EXAMPLES / "finished-9x9.sgf").read_bytes())
    closed = replace(whole, move_points=whole.move_points[:-2], move_colours=whole.move_colours[:-2])
    answer = score_game(closed, bundled).estimate
    assert (answer.result, answer.state) == ("B+4", "confirmed")
    early = replace(whole, move_points=whole.move_points[:20], move_colours=whole.move_colours[:20])
    assert score_game(early, bundled).estimate.state == "open"


def test_every_output_has_the_state(tmp_path: Path, bundled: Evaluator, capsys: pytest.CaptureFixture[str]) -> None:
    for name, record in (("confirmed", "B+5"), ("unsafe", "B+12")):
        (tmp_path / f"{name}.sgf").write_text(ATARI % record)
    assert main(["score", str(tmp_path), "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["state"], row["low"], row["high"]) for row in rows] == [("confirmed", "", ""), ("unsafe", "", "")]
    assert main(["score", str(tmp_path)]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]] == ["confirmed", "unsafe"]
    assert main(["score", str(tmp_path), "--json"]) == 0
    for answer in json.loads(capsys.readouterr().out):
        assert (answer["interval"], answer["black_wins"]) == (None, None)
        [reason] = answer["reasons"]
        assert (reason["kind"], reason["points"], reason["worth"]) == ("next move", ["E5", "F5", "G5"], 8)
        assert answer["safe"] == (answer["state"] == "confirmed")


def test_a_game_that_goes_on_has_an_interval_and_a_chance(bundled: Evaluator) -> None:
    values = as_json(scored("(;SZ[9]KM[7]RU[chinese];B[ee];W[cc])", bundled))
    assert values["state"] == "open" and values["reasons"] == []
    assert values["interval"][0] < values["score"] < values["interval"][1]
    assert 0 < values["black_wins"] < 1
