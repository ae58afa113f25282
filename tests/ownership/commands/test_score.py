"""`ownership score`: games in, scores, tables and pictures out."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_records.sgf import parse_game
from goban.counting.count_estimate import Count
from goban.errors import InputError
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from preprocessing.gnugo import find_gnugo
from tests.support.paths import EXAMPLES, ROOT
from tests.support.records import BAD, OPEN

EXAMPLE = EXAMPLES / "finished-19x19.sgf"
Score = Callable[..., int]
KEYS = [
    "source", "moves", "assumed", "verdict", "trust", "side", "rules", "komi", "to_move", "finished", "safe",
    "state", "reasons",
    "ownership", "owner", "dead", "seki", "in_doubt", "read", "also_changed", "ignored", "unsettled", "gaps",
    "teire", "uncertain_points", "black", "white", "before_further_stones", "score", "result", "interval",
    "black_wins", "model", "recorded", "difference", "difference_is", "record_terms", "broken_off", "notes",
    "territory_differs", "second_opinion", "next_moves",
]  # fmt: skip


def test_one_game_as_text(game: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    assert score(game) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    assert re.match(r"(Black|White) (wins|leads) by \d", lines[0])
    assert re.match(r"(Confirmed|Safe to count|Not safe to count|Not finished): ", lines[1])
    assert lines[2].startswith("Recorded result: B+6.5")
    assert lines[4] == f"{game}: An 3d (Black) - Bo (White)"
    assert lines[5] == "9x9 after 26 of 26 moves, Black to move, japanese rules, komi 6.5"
    assert lines[7] == lines[17] == "   A B C D E F G H J"
    assert [line[3:21:2].upper() for line in lines[8:17]][4][3:6] == "OXX"
    assert ("90% interval " in text) == lines[1].startswith("Not finished")


def test_one_game_as_json(game: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    assert score("--json", game, "--second-judge", "none") == 0
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == KEYS
    expected = {
        "source": str(game), "side": 9, "rules": "japanese", "komi": 6.5, "moves": 26, "to_move": "black",
        "model": "small", "recorded": "B+6.5",
    }  # fmt: skip
    assert {key: answer[key] for key in expected} == expected
    ownership = np.array(answer["ownership"])
    assert ownership.shape == (9, 9)
    assert np.abs(ownership).max() <= 1
    assert not answer["finished"] and answer["interval"][0] < answer["score"] < answer["interval"][1]


def test_likely_moves_are_shown_while_the_game_goes_on(
    game: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("--json", game, "--move", "3") == 0
    answer = json.loads(capsys.readouterr().out)
    chances = [chance for _, chance in answer["next_moves"]]
    assert len(chances) == 10
    assert chances == sorted(chances, reverse=True)
    assert 0 < sum(chances) <= 1
    assert not {"E5", "E7", "F7"} & {vertex for vertex, _ in answer["next_moves"]}
    assert score(game, "--move", "3") == 0
    vertex, chance = answer["next_moves"][0]
    assert f"Likely next moves: {vertex} {chance:.0%}, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--move", "3"], {"moves": 3, "to_move": "white"}),
        (["--move", "0"], {"moves": 0, "to_move": "black", "dead": []}),
        (["--rules", "Chinese"], {"rules": "chinese"}),
        (["--rules", "area", "--komi", "0.5"], {"rules": "area", "komi": 0.5}),
        (["--symmetries", "1"], {"moves": 26}),
    ],
)
def test_options(
    arguments: list[str], expected: dict[str, object], game: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score("--json", game, *arguments) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {key: answer[key] for key in expected} == expected


def test_komi_moves_the_score_by_as_much(game: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    scores = []
    for komi in ("0", "10.5"):
        score("--json", game, "--komi", komi)
        scores.append(json.loads(capsys.readouterr().out)["score"])
    assert scores[0] - scores[1] == pytest.approx(10.5)


def test_area_rules_where_the_record_names_none(
    tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "open.sgf").write_bytes(OPEN)
    assert score("--json", tmp_path / "open.sgf") == 0
    assert json.loads(capsys.readouterr().out)["rules"] == "area"


def test_many_games_get_a_line_each_and_bad_ones_a_message(
    several: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(several) == 2
    captured = capsys.readouterr()
    headings, *lines = captured.out.splitlines()
    assert headings.split("  ")[0] == "Score" and headings.endswith("Recorded  Game")
    assert [line.split()[-1].rpartition("/")[2] for line in lines] == ["a.sgf", "c.sgf"]
    terms = headings.index("Rules and komi"), headings.index("Recorded")
    assert [line[slice(*terms)].rstrip() for line in lines] == ["japanese 6.5", "area 5.5?"]
    assert captured.err.startswith(f"ownership: error: {several}/b.sgf: ")
    assert len(captured.err.splitlines()) == 1


def test_many_games_make_a_json_list(several: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    assert score("--json", several) == 2
    answers = json.loads(capsys.readouterr().out)
    assert [(answer["moves"], answer["rules"]) for answer in answers] == [(26, "japanese"), (5, "area")]


def test_json_stays_valid_when_every_game_is_bad(
    tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / name).write_bytes(BAD)
    assert score("--json", tmp_path) == 2
    assert json.loads(capsys.readouterr().out) == []


def test_answers_come_in_the_order_of_the_games(
    tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [9, 5, 9, 7, 5] * 14
    collection = "".join(f"(;GM[1]SZ[{side}]KM[{number}.5];B[bb];W[cc])" for number, side in enumerate(sides))
    (tmp_path / "many.sgf").write_text(collection)
    assert score("--json", "--symmetries", 1, tmp_path / "many.sgf") == 0
    answers = json.loads(capsys.readouterr().out)
    assert [(answer["side"], answer["komi"]) for answer in answers] == [(s, n + 0.5) for n, s in enumerate(sides)]


def test_standard_input(score: Score, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(OPEN)))
    assert score("--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["moves"] == 5


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_picture(form: list[str], game: Path, tmp_path: Path, score: Score) -> None:
    assert score(game, "--picture", tmp_path / "out.png", *form) == 0
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_the_bundled_model_counts_a_game(bundled: Evaluator, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--json", str(game)]) == 0
    answer = json.loads(capsys.readouterr().out)
    # Black has 35 points of territory, White 22 and 6.5 of komi.
    assert (answer["finished"], answer["dead"], answer["result"]) == (True, [], "B+6.5")
    assert answer["model"] == bundled.name


def test_claims_override_the_model(bundled: Evaluator, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for word in ([], ["--dead", "E5"]):
        assert main(["score", "--json", str(game), *word]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0]["dead"] == []
    assert "E5" in answers[1]["dead"]
    assert answers[1]["black"] < answers[0]["black"]
    assert main(["score", str(game), "--dead", "E5"]) == 0
    assert "Safe to count" not in capsys.readouterr().out


def test_how_it_is_counted(bundled: Evaluator, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(game), "--explain"]) == 0
    text = capsys.readouterr().out
    sheet = text.partition("  japanese rules")[2].splitlines()[:6]
    assert [line.split() for line in sheet] == [
        ["Black", "White"],
        ["territory", "35", "22"],
        ["dead", "stones", "0", "0"],
        ["prisoners", "0", "0"],
        ["komi", "0", "6.5"],
        ["total", "35", "28.5"],
    ]
    first, trust, *_ = text.splitlines()
    assert first == "Black wins by 6.5"
    assert trust.startswith("Confirmed: ")


def test_players_without_names_are_black_and_white(
    tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "open.sgf").write_bytes(OPEN)
    assert score(tmp_path / "open.sgf") == 0
    assert f"{tmp_path}/open.sgf: Black - White\n" in capsys.readouterr().out


def test_komi_may_have_a_decimal_comma(game: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    assert score(game, "--komi", "5,5") == 0
    assert "komi 5.5" in capsys.readouterr().out
    assert score(game, "--komi", "six") == 2
    assert "--komi: expected points such as 6.5. Received: six" in capsys.readouterr().err


def test_a_table_of_games(several: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    assert score("--csv", several) == 2
    captured = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(captured.out)))
    assert [row["source"].rpartition("/")[2] for row in rows] == ["a.sgf", "c.sgf"]
    assert [row["recorded"] for row in rows] == ["B+6.5", ""]
    assert [row["state"] for row in rows] == ["open", "open"], "the untrained model is sure of nothing"
    assert [row["difference"] for row in rows] == ["", ""]
    assert captured.err.startswith(f"ownership: error: {several}/b.sgf: ")


def test_a_counted_score_is_compared_with_the_record(bundled: Evaluator, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--csv", str(ROOT / "examples" / "finished-19x19.sgf")]) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["state"], row["score"], row["recorded"], row["difference"]) == ("confirmed", "20.5", "B+20.5", "0")


def test_an_expected_score_is_not_compared_with_a_counted_one(
    tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9]RE[B+3.5];B[ee];W[cc])")
    assert score("--csv", tmp_path) == 0
    [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["recorded"], row["state"], row["difference"]) == ("B+3.5", "open", "")


def test_skipped_parts_of_a_record_are_named(tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9]KM[seven];B[ee])")
    assert score("--csv", tmp_path / "game.sgf") == score("--json", tmp_path / "game.sgf") == 0
    table, _, listed = capsys.readouterr().out.partition("{")
    note = "expected a komi in points. Received: 'seven'"
    assert [row["notes"] for row in csv.DictReader(io.StringIO(table))] == [note]
    assert json.loads(f"{{{listed}")["notes"] == [note]


def test_gnugo_decides_where_the_model_does_not_know(
    tmp_path: Path, score: Score, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        find_gnugo()
    except InputError:
        pytest.skip("needs GNU Go")
    (tmp_path / "game.sgf").write_bytes(re.sub(rb"RE\[.*?\]", b"", EXAMPLE.read_bytes()))
    assert score("--json", tmp_path / "game.sgf", "--gnugo", "--second-judge", "none") == 0  # the model is random
    answer = json.loads(capsys.readouterr().out)
    assert (answer["result"], answer["second_opinion"]) == ("B+20.5", "GNU Go 3.8")
    assert not answer["safe"]


def test_the_second_judge_is_named_with_the_model(
    tmp_path: Path, bundled: Evaluator, capsys: pytest.CaptureFixture[str]
) -> None:
    atari = "AB[ea][eb][ec][ed][fd][gd][he][ef][ff][gf][eg][eh][ei]AW[da][db][dc][cd][ce][ee][fe][ge][df][dg][dh][di]"
    (tmp_path / "game.sgf").write_text(f"(;SZ[9]RU[chinese]KM[0]{atari};B[];W[])")
    for judge, model in ((None, "default+play"), ("none", "default"), ("fast", "default+fast")):
        chosen = [] if judge is None else ["--second-judge", judge]
        assert main(["score", "--json", str(tmp_path / "game.sgf"), *chosen]) == 0
        assert json.loads(capsys.readouterr().out)["model"] == model
    assert main(["score", "--json", str(tmp_path / "game.sgf"), str(tmp_path / "game.sgf")]) == 0
    assert [answer["model"] for answer in json.loads(capsys.readouterr().out)] == ["default", "default"]
    assert main(["score", str(tmp_path / "game.sgf"), "--second-judge", "missing"]) == 2
    assert capsys.readouterr().err.startswith("ownership: error: --second-judge: expected a directory with ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["game.sgf", "--move", "27"], "game.sgf: move: expected a move number 0..26. Received: 27"),
        (["game.sgf", "--komi", "1e308"], "--komi: expected a number -400..400. Received: 1e+308"),
        (["game.sgf", "--komi", "nan"], "--komi: expected a number -400..400. Received: nan"),
        (["game.sgf", "--move", "-1"], "game.sgf: move: expected a move number 0..26. Received: -1"),
        (["game.sgf", "--rules", "chess"], "--rules must be one of area, territory, chinese"),
        (["game.sgf", "--picture", "out.bmp"], "out.bmp: expected a picture file ending in .png, .svg, .pdf"),
        (["game.sgf", "--model", "missing"], "--model: expected a directory with model.tflite or the name of a model"),
        (["game.sgf", "game.sgf", "--picture", "out.png"], "--picture is about one game"),
        (["game.sgf", "--explain", "--csv"], "--explain adds to the text. Received: --csv"),
        (["game.sgf", "--explain", "--json"], "--explain adds to the text. Received: --json"),
        (["game.sgf", "--picture", "no/such/folder/out.png"], "no/such/folder/out.png: No such file or directory"),
        (["game.sgf", "game.sgf", "--dead", "E5"], "--dead is about one game. Received: several"),
        (["game.sgf", "--dead", "A1"], "game.sgf: --dead A1: expected a vertex with a stone. Received: an e"),
        (["game.sgf", "--alive", "E5,Z99"], "game.sgf: --alive Z99: expected a vertex with a stone. Received: no v"),
        (["game.sgf", "--dead", "E5", "--seki", "E5"], "game.sgf: --dead E5: expected one mark for each chain. Rec"),
        (["game.sgf", "--csv", "--json"], "expected --csv or --json. Received: both"),
        (["bad.sgf"], "bad.sgf: "),
        (["missing.sgf"], "missing.sgf: "),
        (["empty"], "empty: empty: expected .sgf, .gib, .ngf, .ugf or .ugi files"),
    ],
)
def test_mistakes_cost_one_line_and_status_2(
    arguments: list[str],
    message: str,
    game: Path,
    score: Score,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(game.parent)
    Path("bad.sgf").write_bytes(BAD)
    Path("empty").mkdir()
    assert score(*arguments) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert errors[0].startswith(f"ownership: error: {message}")


def test_chains_that_share_a_marked_seki_are_named(bundled: Evaluator, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(EXAMPLE), "--seki", "B9", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"B9", "B17", "D15", "F11", "B6"} <= set(answer["seki"])
    assert {"B17", "D15", "F11", "B6"} <= set(answer["also_changed"])
    assert main(["score", str(EXAMPLE), "--seki", "B9"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert re.search(r"Your marks also change: Black's B17 \(in seki\), .*Black's B6 \(in seki\)", text)


def test_a_game_that_goes_on_has_no_score_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(EXAMPLES / "middlegame-19x19.sgf"), "--explain"]) == 0
    assert "No score sheet: the game is not finished" in capsys.readouterr().out


def test_a_mark_that_cannot_hold_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    small = str(EXAMPLES / "finished-9x9.sgf")
    assert main(["score", small, "--dead", "B4", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ignored"] == ["B4"]
    assert not answer["safe"]
    assert main(["score", small, "--dead", "B4"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Not safe to count: stones that you marked as dead lie within their own side's area, and stay." in text
    assert re.search(r"Marked as dead, but within their own side's area: \w+'s B4 \(alive\)", text)
    assert main(["score", small, "--dead", "B4,C3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ignored"] == []


def test_twelve_gaps_are_named_and_the_others_counted(bundled: Evaluator) -> None:
    [scored] = score_games([parse_game(EXAMPLE.read_bytes())], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame) and isinstance(scored.estimate, Count)
    findings = scored.estimate.findings._replace(gaps=np.arange(361).reshape(19, 19) < 15)
    text = " ".join(as_text(replace(scored, estimate=replace(scored.estimate, findings=findings))).split())
    assert re.search(r"Not closed: seal at (\w\d+, ){11}\w\d+ and 3 more; neither", text)
