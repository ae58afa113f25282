"""KataGo's analysis protocol: queries in, answers out, as clients send and read them."""

import contextlib
import io
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goban.coords import BLACK
from goban.position import Position
from ownership.analysis.fields import QueryError
from ownership.analysis.main import main, serve
from ownership.analysis.query import Defaults, parse_query
from ownership.inference.evaluator import Evaluator

BOARD = {"rules": "chinese", "komi": 7.0, "boardXSize": 5, "boardYSize": 5}
QUERY = {"id": "game", "moves": [["B", "C3"], ["W", "C2"], ["B", "D2"]], "maxVisits": 20, **BOARD}


@pytest.fixture(scope="module")
def evaluator(small_model: Path) -> Evaluator:
    return Evaluator.load(small_model)


def asked(evaluator: Evaluator, *lines: object, workers: int = 2, at_once: bool = False) -> list[dict[str, Any]]:
    """Return the answers to lines, which are texts or objects."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    target = io.StringIO()
    serve(evaluator, Defaults(visits=10), workers, at_once, io.BytesIO(text.encode("utf-8", "surrogatepass")), target)
    return [json.loads(line) for line in target.getvalue().splitlines()]


def test_the_last_turn_is_analyzed(evaluator: Evaluator) -> None:
    flags = {"includeOwnership": True, "includePolicy": True, "includeMovesOwnership": True, "includePVVisits": True}
    [found] = asked(evaluator, {**QUERY, **flags, "includeOwnershipStdev": True})
    assert (found["id"], found["turnNumber"], found["isDuringSearch"]) == ("game", 3, False)
    assert set(found["rootInfo"]) >= {
        "winrate", "scoreLead", "scoreSelfplay", "scoreStdev", "utility", "visits", "weight", "currentPlayer",
        "symHash", "thisHash", "rawWinrate", "rawLead", "rawScoreSelfplay", "rawNoResultProb", "rawStWrError",
        "rawStScoreError", "rawVarTimeLeft",
    }  # fmt: skip
    assert found["rootInfo"]["visits"] == 20
    assert found["rootInfo"]["currentPlayer"] == "W"
    moves = found["moveInfos"]
    assert [each["order"] for each in moves] == list(range(len(moves)))
    assert sum(each["visits"] for each in moves) == 19
    for each in moves:
        assert set(each) >= {
            "move", "visits", "edgeVisits", "edgeWeight", "weight", "winrate", "scoreMean", "scoreStdev", "scoreLead",
            "scoreSelfplay", "prior", "utility", "utilityLcb", "lcb", "order", "pv", "pvVisits", "ownership",
        }  # fmt: skip
        assert each["pv"][0] == each["move"]
        assert len(each["pv"]) == len(each["pvVisits"])
        assert len(each["ownership"]) == 25
        assert each["lcb"] >= each["winrate"], "White moves, and the numbers are Black's"
    assert len(found["ownership"]) == len(found["ownershipStdev"]) == 25
    policy = np.array(found["policy"])
    assert len(policy) == 26 and policy[policy >= 0].sum() == pytest.approx(1, abs=1e-4)
    assert (np.flatnonzero(policy < 0)[:3] == [12, 17, 18]).all(), "stones, from the top left"


def test_every_turn_has_one_answer(evaluator: Evaluator) -> None:
    found = asked(evaluator, {**QUERY, "analyzeTurns": [0, 1, 2, 3]}, {**QUERY, "id": 7, "analyzeTurns": [2, 2]})
    assert sorted((str(each["id"]), each["turnNumber"]) for each in found) == [
        ("7", 2), ("game", 0), ("game", 1), ("game", 2), ("game", 3)
    ]  # fmt: skip
    assert {each["id"] for each in found} == {"game", 7}, "as they were sent"


@pytest.mark.parametrize("perspective", ["BLACK", "WHITE", "SIDETOMOVE"])
def test_perspectives(evaluator: Evaluator, perspective: str) -> None:
    settings = {"reportAnalysisWinratesAs": perspective}
    turns = {"analyzeTurns": [2, 3], "includeOwnership": True}
    black = asked(evaluator, {**QUERY, **turns}, workers=1)
    seen = asked(evaluator, {**QUERY, **turns, "overrideSettings": settings}, workers=1)
    for one, other in zip(black, seen, strict=True):
        to_move = one["rootInfo"]["currentPlayer"]
        same = perspective == "BLACK" or (perspective == "SIDETOMOVE" and to_move == "B")
        sign = 1 if same else -1
        assert other["rootInfo"]["scoreLead"] == pytest.approx(sign * one["rootInfo"]["scoreLead"])
        wins = one["rootInfo"]["winrate"]
        assert other["rootInfo"]["winrate"] == pytest.approx(wins if same else 1 - wins)
        assert other["ownership"] == pytest.approx([sign * each for each in one["ownership"]])
        best = one["moveInfos"][0]
        assert other["moveInfos"][0]["lcb"] == pytest.approx(best["lcb"] if same else 1 - best["lcb"], abs=1e-5)


def test_priorities_go_first(evaluator: Evaluator) -> None:
    slow = {**QUERY, "id": "slow", "maxVisits": 200}
    found = asked(evaluator, slow, *({**QUERY, "id": str(n), "priority": n} for n in range(5)), workers=1)
    later = [each["id"] for each in found if each["id"] != "slow"][1:]
    assert later == sorted(later, reverse=True)


def test_reports_during_the_search(evaluator: Evaluator) -> None:
    often = {"reportDuringSearchEvery": 0.001, "firstReportDuringSearchAfter": 0.001}
    found = asked(evaluator, {**QUERY, "maxVisits": 200, **often})
    assert [each["isDuringSearch"] for each in found] == [True] * (len(found) - 1) + [False]
    visits = [each["rootInfo"]["visits"] for each in found]
    assert visits == sorted(visits) and len(found) > 2


def test_terminated_turns_answer_without_results(evaluator: Evaluator) -> None:
    endless = {**QUERY, "id": "endless", "maxVisits": 10**8}
    waiting = {**QUERY, "id": "waiting", "analyzeTurns": [0, 1, 2]}
    some = {"id": "1", "action": "terminate", "terminateId": "waiting", "turnNumbers": [1]}
    every = {"id": "2", "action": "terminate_all"}
    found = asked(evaluator, endless, {**endless, "id": "other"}, waiting, some, every)
    answers = {(each["id"], each["turnNumber"]): each for each in found if "turnNumber" in each}
    assert set(answers) == {("endless", 3), ("other", 3), ("waiting", 0), ("waiting", 1), ("waiting", 2)}
    assert all(answers["waiting", turn]["noResults"] for turn in range(3))
    assert some in found and every in found


def test_the_end_of_input_may_end_all(evaluator: Evaluator) -> None:
    found = asked(evaluator, {**QUERY, "maxVisits": 10**8}, at_once=True)
    assert [each["isDuringSearch"] for each in found] == [False]


def test_actions(evaluator: Evaluator) -> None:
    evaluator.evaluate([Position.empty(5)])
    lines = [{"id": n, "action": n} for n in ("query_version", "query_models", "clear_cache")]
    version, models, cleared = asked(evaluator, *lines)
    assert version["version"] and version["action"] == "query_version"
    assert models["models"][0]["internalName"] == "small"
    assert cleared == lines[2] and not evaluator._cache


def test_moves_may_be_avoided_and_allowed(evaluator: Evaluator) -> None:
    avoid = [{"player": "W", "moves": ["A1", "B1", "pass"], "untilDepth": 1}]
    [found] = asked(evaluator, {**QUERY, "avoidMoves": avoid})
    assert not {each["move"] for each in found["moveInfos"]} & {"A1", "B1", "pass"}
    [found] = asked(evaluator, {**QUERY, "allowMoves": [{"player": "W", "moves": ["A1", "B1"], "untilDepth": 1}]})
    assert {each["move"] for each in found["moveInfos"]} <= {"A1", "B1"}


ERRORS = [
    ("{", None, "expected a JSON object"),
    ("[" * 100_000, None, "expected a JSON object"),
    ("3", None, "expected a JSON object. Received: 3"),
    ({**QUERY, "id": None}, "id", "expected a string. Received: nothing"),
    ({**QUERY, "boardXSize": 29, "boardYSize": 29}, "boardXSize", "expected a board size 2..25. Received: 29"),
    ({**QUERY, "boardYSize": 6}, "boardYSize", "expected a square board. Received: 5x6"),
    ({**QUERY, "rules": "go"}, "rules", "unknown ruleset"),
    ({**QUERY, "rules": {"scoring": "AREA", "tax": "SOME"}}, "rules", "expected tax to be one of NONE, SEKI, ALL"),
    ({**QUERY, "rules": {"scoringRule": "TERRITORY"}}, "rules", "friendlyPassOk. Received: 'scoringRule'"),
    ({**QUERY, "rules": "x" * 5000}, "rules", f"or an object. Received: '{'x' * 59}..."),
    ({**QUERY, "komi": "7"}, "komi", "expected a number -400..400. Received: '7'"),
    ({**QUERY, "moves": [["B", "C3"], ["W", "Z9"]]}, "moves", "move 2: expected a vertex A1..E5 or pass. Received"),
    ({**QUERY, "moves": [["B", "C3"], ["X", "C2"]]}, "moves", "move 2: expected a player B or W. Received: 'X'"),
    ({**QUERY, "moves": [["B"]]}, "moves", "move 1: expected pairs such as"),
    ({**QUERY, "moves": [["B", "C3"], ["W", "C3"]]}, "moves", "move 2: expected a legal move"),
    ({**QUERY, "moves": "C3"}, "moves", "expected a list"),
    ({**QUERY, "analyzeTurns": [4]}, "analyzeTurns", "expected turns 0..3. Received: 4"),
    ({**QUERY, "maxVisits": 0}, "maxVisits", "expected a whole number 1.."),
    ({**QUERY, "maxVisits": 1e400}, "maxVisits", "expected a whole number"),
    ({**QUERY, "priorities": [1, 2]}, "priorities", "expected 1 whole numbers"),
    ({**QUERY, "initialStones": [["B", "A1"], ["W", "A1"]]}, "initialStones", "expected stones on different points"),
    ({"id": "x", "action": "fly"}, "action", "expected an action query_version"),
    ({"id": "x", "action": "terminate"}, "terminateId", "expected a string"),
]


@pytest.mark.parametrize(("line", "field", "message"), ERRORS)
def test_errors_name_the_field_and_end_nothing(
    line: object, field: str | None, message: str, evaluator: Evaluator
) -> None:
    error, answer = asked(evaluator, line, {**QUERY, "maxVisits": 2})
    assert message in error["error"]
    assert error.get("field") == field
    assert "moveInfos" in answer


def test_warnings_are_lines_of_their_own(evaluator: Evaluator) -> None:
    odd = {**QUERY, "maxVisits": 2, "colour": "red", "overrideSettings": {"lucky": 7}}
    first, second, answer = asked(evaluator, odd)
    assert (first["field"], second["field"]) == ("colour", "overrideSettings")
    assert "lucky" in second["warning"] and first["id"] == "game"
    assert "moveInfos" in answer


@pytest.mark.parametrize(
    ("rules", "left_out"),
    [
        ("ancient-area", "ancient-area rules are counted without the tax on groups"),
        ({"scoring": "TERRITORY", "tax": "ALL"}, "these rules are counted without the tax on groups"),
        ({"tax": "SEKI", "hasButton": True}, "these rules are counted without the button and the tax on seki"),
    ],
)
def test_a_warning_names_what_is_not_counted(
    rules: str | dict[str, object], left_out: str, evaluator: Evaluator
) -> None:
    warning, answer = asked(evaluator, {**QUERY, "maxVisits": 2, "rules": rules})
    assert (warning["field"], warning["warning"]) == ("rules", left_out)
    assert "moveInfos" in answer


@pytest.mark.parametrize("rules", ["jp", "Japan", {"scoring": "TERRITORY", "tax": "SEKI"}])
def test_rules_that_are_counted_as_they_are(rules: str | dict[str, object], evaluator: Evaluator) -> None:
    [answer] = asked(evaluator, {**QUERY, "maxVisits": 2, "rules": rules})
    assert "moveInfos" in answer


def query(**values: object) -> dict[str, Any]:
    return {**QUERY, **values}


def test_what_a_query_stands_for() -> None:
    stones = [["B", "A1"], ["B", "E5"]]
    parsed = parse_query(query(initialStones=stones, moves=[], whiteHandicapBonus="N"), Defaults())
    assert (parsed.game.terms.total_komi, parsed.game.position.to_move) == (9.0, -BLACK)
    assert parsed.turns == (0,) and parsed.visits == 20
    deeper = parse_query(query(overrideSettings={"maxVisits": 5, "maxTime": 2.5}), Defaults())
    assert (deeper.visits, deeper.seconds) == (5, 2.5)
    assert parse_query({key: QUERY[key] for key in QUERY if key != "maxVisits"}, Defaults(visits=3)).visits == 3
    rules = {"ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": False, "whiteHandicapBonus": "0"}
    assert parse_query(query(rules=rules), Defaults()).game.ruleset.counting == "territory"
    with pytest.raises(QueryError):
        parse_query(query(rules=None), Defaults())


def test_games_share_their_positions() -> None:
    moves = [["B", "C3"], ["W", "C2"], ["B", "D2"], ["W", "B2"]]
    before = parse_query(query(moves=moves[:3]), Defaults()).game
    longer = parse_query(query(moves=moves, komi=0.5), Defaults(), before).game
    assert longer.positions[3] is before.positions[3]
    assert (len(longer.positions), longer.komi) == (5, 0.5)
    other = parse_query(query(moves=[*moves[:1], ["W", "A1"]]), Defaults(), longer).game
    assert other.positions[1] is before.positions[1]
    assert other.moves == parse_query(query(moves=[*moves[:1], ["W", "A1"]]), Defaults()).game.moves
    for changed in ({"rules": "tromp-taylor"}, {"initialPlayer": "W"}, {"initialStones": [["B", "A5"]]}):
        different = query(moves=moves, **changed)
        alone, after = parse_query(different, Defaults()).game, parse_query(different, Defaults(), longer).game
        assert after.positions == alone.positions and after.positions[1] is not longer.positions[1]


def run(arguments: Sequence[str], text: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ownership.analysis", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)


def test_it_starts_as_clients_start_katago(small_model: Path, tmp_path: Path) -> None:
    config = tmp_path / "analysis.cfg"
    config.write_text(
        "# KataGo's\nreportAnalysisWinratesAs = SIDETOMOVE\nmaxVisits = 3 # few\nnumAnalysisThreads = 2\n"
    )
    start = [
        "analysis",
        "-model",
        str(small_model),
        "-config",
        str(config),
        "-override-config",
        "maxVisits=4,homeDataDir=x",
    ]
    short = {key: QUERY[key] for key in QUERY if key != "maxVisits"}
    done = run([*start, "-nonsense"], json.dumps(short) + "\n")
    assert done.returncode == 0
    assert "Started, ready to begin handling requests" in done.stderr and "-nonsense" in done.stderr
    assert "\nModel: small\n" in done.stderr
    assert json.loads(done.stdout)["rootInfo"]["visits"] == 4


def test_wrong_arguments_give_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analysis", "-model", "nobody"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_it_ends_when_its_client_is_killed(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.analysis", "analysis", "-model", str(small_model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin and engine.stdout
        query = QUERY | {"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01}
        engine.stdin.write(json.dumps(query).encode() + b"\n")
        engine.stdin.flush()
        assert json.loads(engine.stdout.readline())["isDuringSearch"]
        engine.stdin.close()
        engine.stdout.close()
        assert engine.wait(60) == 0


def test_it_prints_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    assert capsys.readouterr().out.startswith("ownership-analysis ")


NAMES = """
id moves initialStones initialPlayer rules komi whiteHandicapBonus boardXSize boardYSize analyzeTurns maxVisits priority
priorities rootPolicyTemperature rootFpuReductionMax analysisPVLen includeOwnership includeOwnershipStdev includePolicy
includeMovesOwnership includePVVisits avoidMoves allowMoves overrideSettings reportDuringSearchEvery action terminateId
turnNumbers firstReportDuringSearchAfter nonsense
"""
NUMBERS = st.sampled_from([0, 1, 2, 3, 7, 25, 26, -1, 0.5, 1e30, 10**400, math.nan, math.inf])
TEXTS = st.sampled_from(["", "B", "A1", "pass", "Z9", "i1", "chinese", "terminate", "terminate_all", "\ud800", "\n"])
SIMPLE = NUMBERS | TEXTS | st.booleans() | st.none()
NESTED = st.recursive(
    SIMPLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES.split()), inner, max_size=3),
    max_leaves=6,
)
QUERIES = st.dictionaries(st.sampled_from(NAMES.split()), NESTED, max_size=4).map(
    lambda odd: {**BOARD, "id": "x", **odd}
)
HOSTILE = (QUERIES | NESTED).map(json.dumps) | st.text(st.characters(exclude_characters="\n\r"), max_size=40)


@given(st.lists(HOSTILE, max_size=6))
@example(["\ud800"])
@settings(max_examples=60)
def test_any_line_is_answered_and_ends_nothing(evaluator: Evaluator, lines: list[str]) -> None:
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        found = asked(evaluator, *lines, {"id": "last", "action": "query_version"})
    assert errors.getvalue() == ""
    assert sum(answer.get("id") == "last" for answer in found) == 1
    assert len(found) > sum(bool(line.strip()) for line in lines)
