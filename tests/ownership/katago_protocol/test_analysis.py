"""KataGo's analysis protocol: queries in, answers out, as clients send and read them."""

import contextlib
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goban.coords import BLACK, parse_gtp
from goban.errors import FieldError
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.katago_protocol.analysis_engine import Options, main, serve_queries
from ownership.katago_protocol.answer import without_zero
from ownership.katago_protocol.query import Defaults, parse_query
from ownership.katago_protocol.release import three_numbers
from tests.support.processes import stopped_again_and_again
from tests.support.waiting import PATIENCE

BOARD = {"rules": "chinese", "komi": 7.0, "boardXSize": 5, "boardYSize": 5}
AVOIDED: dict[str, object] = {"player": "W", "moves": ["A1"], "untilDepth": 1}
QUERY: dict[str, Any] = {"id": "game", "moves": [["B", "C3"], ["W", "C2"], ["B", "D2"]], "maxVisits": 20, **BOARD}


@pytest.fixture(scope="module")
def evaluator(small_model: Path) -> Evaluator:
    return Evaluator.load(small_model)


def asked(evaluator: Evaluator, *lines: object, workers: int = 2, at_once: bool = False) -> list[dict[str, Any]]:
    """Return the answers to lines, which are texts or objects."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    source, options = io.BytesIO(text.encode("utf-8", "surrogatepass")), Options(Defaults(visits=10), workers, at_once)
    with tempfile.TemporaryFile() as target:
        serve_queries(evaluator, options, source, target.fileno())
        target.seek(0)
        return [json.loads(line) for line in target]


def test_the_last_turn_is_analyzed(evaluator: Evaluator) -> None:
    flags = {"includeOwnership": True, "includePolicy": True, "includeMovesOwnership": True, "includePVVisits": True}
    flags["includeNoResultValue"] = True
    [found] = asked(evaluator, {**QUERY, **flags, "includeOwnershipStdev": True})
    assert (found["id"], found["turnNumber"], found["isDuringSearch"]) == ("game", 3, False)
    assert set(found["rootInfo"]) >= {
        "winrate", "scoreLead", "scoreSelfplay", "scoreStdev", "utility", "visits", "weight", "currentPlayer",
        "symHash", "thisHash", "rawWinrate", "rawLead", "rawScoreSelfplay", "rawNoResultProb", "rawStWrError",
        "rawStScoreError", "rawVarTimeLeft",
    }  # fmt: skip
    assert found["rootInfo"]["visits"] == 20
    assert found["rootInfo"]["lcb"] == found["rootInfo"]["winrate"], "as KataGo gives it"
    assert found["rootInfo"]["currentPlayer"] == "W"
    moves = found["moveInfos"]
    assert [each["order"] for each in moves] == list(range(len(moves)))
    assert sum(each["visits"] for each in moves) == 19
    values = [each["playSelectionValue"] for each in moves]
    assert values == sorted(values, reverse=True) and values[0] > 0
    for each in moves:
        assert set(each) >= {
            "move", "visits", "edgeVisits", "edgeWeight", "weight", "winrate", "scoreMean", "scoreStdev", "scoreLead",
            "scoreSelfplay", "prior", "utility", "utilityLcb", "lcb", "order", "pv", "pvVisits", "pvEdgeVisits",
            "playSelectionValue", "ownership", "noResultValue",
        }  # fmt: skip
        assert each["pv"][0] == each["move"]
        assert len(each["pv"]) == len(each["pvVisits"]) == len(each["pvEdgeVisits"])
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


def test_ownership_is_never_exactly_0() -> None:
    """Neither in answers nor in records: KaTrain fails on it."""
    shown = without_zero(np.array([0.0, -0.0, 1e-9, -1e-9, 0.5, -1.0]), 1e-6)
    assert shown.tolist() == [1e-6, -1e-6, 1e-6, -1e-6, 0.5, -1.0]


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
    assert all(each["moveInfos"] for each in found)


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


LINES = [
    ("{", None, "expected a JSON object"),
    ("[" * 100_000, None, "expected a JSON object"),
    ("3", None, "expected a JSON object. Received: 3"),
    (
        '{"id": "x", "action": "query_version", "n": NaN}',
        None,
        "expected a JSON object. Received: NaN, which is no number of JSON",
    ),
    (
        '{"id": "x", "action": "query_version", "n": 1e400}',
        None,
        "expected a JSON object. Received: a number that is too large",
    ),
    ({**QUERY, "moves": "C3"}, "moves", "expected a list"),
    ({"id": "x", "action": "fly"}, "action", "expected an action query_version"),
    ({"action": "query_version"}, "id", "expected a string. Received: nothing"),
    ({"id": "x", "action": "terminate"}, "terminateId", "expected a string"),
    ({"id": "x", "action": "terminate", "terminateId": True}, "terminateId", "expected a string. Received: True"),
    ({"id": "x", "action": "terminate_all", "turnNumbers": None}, "turnNumbers", "expected a list of whole numbers"),
    ({"id": "x", "action": "terminate_all", "turnNumbers": [True]}, "turnNumbers", "expected a list of whole numbers"),
]


@pytest.mark.parametrize(("line", "field", "message"), LINES)
def test_errors_name_the_field_and_end_nothing(
    line: object, field: str | None, message: str, evaluator: Evaluator
) -> None:
    error, answer = asked(evaluator, line, {**QUERY, "maxVisits": 2})
    assert message in error["error"]
    assert error.get("field") == field
    assert "moveInfos" in answer


# Fields of queries that KataGo refuses, and so does this program; "no" leaves a field out.
REFUSED = [
    ({"id": None}, "id", "expected a string. Received: nothing"),
    ({"id": True}, "id", "expected a string. Received: True"),
    ({"boardXSize": 29, "boardYSize": 29}, "boardXSize", "expected a board size 2..25. Received: 29"),
    ({"boardXSize": "no"}, "boardXSize", "expected a board size 2..25. Received: nothing"),
    ({"boardXSize": 5.0}, "boardXSize", "expected a board size 2..25. Received: 5.0"),
    ({"boardYSize": 6}, "boardYSize", "expected a square board. Received: 5x6"),
    ({"rules": "no"}, "rules", "expected a name, a string of KataGo's or an object. Received: nothing"),
    ({"rules": "go"}, "rules", "unknown ruleset"),
    ({"rules": "x" * 5000}, "rules", f"or an object. Received: '{'x' * 59}..."),
    ({"komi": "7"}, "komi", "expected a whole or half number -400..400. Received: '7'"),
    ({"komi": 7.25}, "komi", "expected a whole or half number -400..400. Received: 7.25"),
    ({"komi": 400.5}, "komi", "expected a whole or half number -400..400. Received: 400.5"),
    ({"komi": True}, "komi", "expected a whole or half number -400..400. Received: True"),
    ({"komi": None}, "komi", "expected a value, or no such field. Received: null"),
    ({"whiteHandicapBonus": 0}, "whiteHandicapBonus", "expected one of 0, N, N-1. Received: 0"),
    ({"moves": "no"}, "moves", "expected a list, empty for no moves. Received: nothing"),
    ({"moves": None}, "moves", "expected a list, empty for no moves. Received: nothing"),
    ({"moves": [["B", "C3"], ["W", "Z9"]]}, "moves", "move 2: expected a vertex A1..E5 or pass. Received"),
    ({"moves": [["B", "(0,5)"]]}, "moves", "move 1: expected a point (0,0)..(4,4). Received: '(0,5)'"),
    ({"moves": [["B", "C3"], ["X", "C2"]]}, "moves", "move 2: expected a player B or W. Received: 'X'"),
    ({"moves": [["B"]]}, "moves", "move 1: expected pairs such as"),
    ({"moves": [["B", "C3"], ["W", "C3"]]}, "moves", "move 2: expected a legal move"),
    ({"analyzeTurns": [4]}, "analyzeTurns", "expected turns 0..3. Received: 4"),
    ({"analyzeTurns": []}, "analyzeTurns", "expected turns 0..3. Received: none"),
    ({"analyzeTurns": None}, "analyzeTurns", "expected"),
    ({"maxVisits": 0}, "maxVisits", "expected a whole number 1.."),
    ({"maxVisits": 3.0}, "maxVisits", "expected a whole number 1.."),
    ({"maxVisits": "3"}, "maxVisits", "expected a whole number 1.."),
    ({"maxVisits": None}, "maxVisits", "expected a value, or no such field. Received: null"),
    ({"analysisPVLen": 0}, "analysisPVLen", "expected a whole number 1..1000. Received: 0"),
    ({"analysisPVLen": 1001}, "analysisPVLen", "expected a whole number 1..1000. Received: 1001"),
    ({"rootFpuReductionMax": 3}, "rootFpuReductionMax", "expected a number 0..2. Received: 3"),
    ({"rootPolicyTemperature": 0}, "rootPolicyTemperature", "expected a number 0.01..100. Received: 0"),
    ({"includeOwnership": 1}, "includeOwnership", "expected true or false. Received: 1"),
    ({"includeOwnership": None}, "includeOwnership", "expected a value, or no such field. Received: null"),
    ({"reportDuringSearchEvery": 2e6}, "reportDuringSearchEvery", "a number 0.001..1e+06. Received: 2000000.0"),
    ({"priorities": [1]}, "priorities", "expected also analyzeTurns beside it"),
    ({"priorities": [1], "analyzeTurns": [1], "priority": 1}, "priorities", "expected no priority beside it"),
    ({"priorities": [1, 2], "analyzeTurns": [1]}, "priorities", "expected 1 whole numbers"),
    ({"priorities": [True], "analyzeTurns": [1]}, "priorities", "expected a whole number"),
    ({"initialStones": [["B", "A1"], ["W", "A1"]]}, "initialStones", "expected stones on different points"),
    ({"initialStones": [["B", "pass"]]}, "initialStones", "expected stones on different points"),
    ({"overrideSettings": None}, "overrideSettings", "expected a value, or no such field. Received: null"),
    ({"overrideSettings": {"maxVisits": "3.5"}}, "maxVisits", "expected a whole number 1.."),
    ({"overrideSettings": {"maxTime": "soon"}}, "maxTime", "expected a number 0..1e+20. Received: 'soon'"),
    ({"overrideSettings": {"maxTime": None}}, "maxTime", "expected a value, or no such field. Received: null"),
    ({"avoidMoves": [AVOIDED], "allowMoves": []}, "allowMoves", "expected avoidMoves or allowMoves. Received: both"),
    ({"allowMoves": [AVOIDED, AVOIDED]}, "allowMoves", "expected avoid, or allow once, for White. Received: allow and"),
    ({"avoidMoves": [{"player": "W", "moves": []}]}, "avoidMoves", "expected objects of player, moves and untilDepth"),
    ({"avoidMoves": [AVOIDED | {"untilDepth": 0}]}, "avoidMoves", "expected a whole number 1..1000000000. Received: 0"),
    ({"avoidMoves": [AVOIDED | {"moves": "A1"}]}, "avoidMoves", "expected moves as a list. Received: 'A1'"),
    ({"avoidMoves": None}, "avoidMoves", "expected a value, or no such field. Received: null"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "field", "message"), REFUSED)
def test_queries_that_katago_refuses(fields: dict[str, object], field: str, message: str) -> None:
    values = {name: value for name, value in (QUERY | fields).items() if value != "no"}
    with pytest.raises(FieldError) as caught:
        parse_query(values, Defaults())
    assert caught.value.field == field
    assert message in caught.value.fault


def test_warnings_are_lines_of_their_own(evaluator: Evaluator) -> None:
    odd = {**QUERY, "maxVisits": 2, "colour": "red", "overrideSettings": {"lucky": 7}}
    first, second, answer = asked(evaluator, odd)
    assert (first["field"], second["field"]) == ("colour", "overrideSettings")
    assert "lucky" in second["warning"] and first["id"] == "game"
    assert "moveInfos" in answer


def query(**values: object) -> dict[str, Any]:
    return {**QUERY, **values}


def test_what_a_query_stands_for() -> None:
    stones = [["B", "A1"], ["B", "E5"]]
    parsed = parse_query(query(initialStones=stones, moves=[], whiteHandicapBonus="N"), Defaults())
    assert (parsed.game.terms.total_komi, parsed.game.position.to_move) == (9.0, -BLACK)
    assert parsed.turns == (0,) and parsed.visits == 20
    rest = {key: QUERY[key] for key in QUERY if key != "maxVisits"}
    assert parse_query(rest, Defaults(visits=3)).visits == 3
    for number in (5, "5"):
        settings = {"maxVisits": number, "maxTime": "2.5", "wideRootNoise": "0.04"}
        deeper = parse_query({**rest, "overrideSettings": settings}, Defaults())
        assert (deeper.visits, deeper.seconds, deeper.noise) == (5, 2.5, 0.04)
    assert parse_query(query(overrideSettings=settings), Defaults()).visits == 20, "the query's own go first"
    once = parse_query(query(firstReportDuringSearchAfter=2), Defaults())
    assert (once.every, once.first) == (math.inf, 2)
    rules = {"ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": False, "whiteHandicapBonus": "0"}
    assert parse_query(query(rules=rules), Defaults()).game.ruleset.counting == "territory"
    assert parse_query(query(rules=rules | {"komi": 6}, komi=5.5), Defaults()).game.komi == 5.5
    assert parse_query({**QUERY, "rules": rules | {"komi": 6}} | {"komi": 6}, Defaults()).game.komi == 6
    column_and_row = parse_query(query(boardXSize=19, boardYSize=19, moves=[["B", "(15,3)"]]), Defaults())
    assert column_and_row.game.moves == ((BLACK, parse_gtp("Q16", 19)),)


def test_suicide_of_a_single_stone_is_never_legal(evaluator: Evaluator) -> None:
    rules = {"ko": "SIMPLE", "suicide": True}
    stones = [["B", "A2"], ["B", "B1"], ["W", "D1"], ["B", "E1"], ["B", "D2"], ["B", "C2"], ["B", "B2"]]
    lone = query(rules=rules, initialStones=stones, initialPlayer="W", moves=[], includePolicy=True)
    [found] = asked(evaluator, lone)
    assert found["policy"][20] == -1, "A1"
    assert found["policy"][22] >= 0, "C1 takes two stones of White's own"
    assert "A1" not in {each["move"] for each in found["moveInfos"]}
    with pytest.raises(FieldError, match=r"move 1: .* White A1, it is suicide of a single stone"):
        parse_query({**lone, "moves": [["W", "A1"]]}, Defaults())


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
    command = [sys.executable, "-m", "ownership.katago_protocol", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE)


def test_it_starts_as_clients_start_katago(small_model: Path, tmp_path: Path) -> None:
    config = tmp_path / "analysis.cfg"
    config.write_text(
        "# KataGo\nreportAnalysisWinratesAs = SIDETOMOVE\nmaxVisits = 3 # few\nmaxTime = 99.5\nnumAnalysisThreads=2\n"
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-model", "nobody"], "-model: "),
        (["-override-config", "maxTime=soon"], "maxTime: expected a number 0..1e+20. Received: 'soon'"),
        (["-override-config", "maxVisits=0"], "maxVisits: expected a whole number 1..1125899906842624. Received: '0'"),
        (["-analysis-threads", "x"], "numAnalysisThreads: expected a whole number 1..16384. Received: 'x'"),
    ],
)
def test_wrong_arguments_give_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analysis", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and message in error


def test_it_ends_when_its_client_is_killed(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.katago_protocol", "analysis", "-model", str(small_model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin and engine.stdout
        query = QUERY | {"maxVisits": 1_000_000_000, "reportDuringSearchEvery": 0.01}
        engine.stdin.write(json.dumps(query).encode() + b"\n")
        engine.stdin.flush()
        assert json.loads(engine.stdout.readline())["isDuringSearch"]
        engine.stdin.close()
        engine.stdout.close()
        assert engine.wait(PATIENCE) == 0


def test_answers_are_whole_though_the_program_is_stopped(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.katago_protocol", "-model", str(small_model)]
    names = [f"{number:0{(5, 100_000, 300_000)[number % 3]}}" for number in range(150)]
    queries = "".join(json.dumps({**QUERY, "id": name, "maxVisits": 1}) + "\n" for name in names)
    pipe, unbuffered = subprocess.PIPE, {**os.environ, "PYTHONUNBUFFERED": "1"}
    engine = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=unbuffered)
    with engine, stopped_again_and_again(engine):
        output, _ = engine.communicate(queries, PATIENCE)
    assert sorted(json.loads(line)["id"] for line in output.splitlines()) == sorted(names)


def test_answers_that_cannot_be_written_give_one_line(small_model: Path) -> None:
    command = [sys.executable, "-m", "ownership.katago_protocol", "-model", str(small_model)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, input=json.dumps(QUERY), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("\nownership-analysis: error: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
def test_a_closed_stream_gives_one_line(stream: str, small_model: Path) -> None:
    closed = {"stdin": "<&-", "stdout": ">&-"}[stream]
    command = f"'{sys.executable}' -m ownership.katago_protocol -model '{small_model}' {closed}"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ownership-analysis: error: expected {stream} to be open. Received: a closed one\n"


def test_it_prints_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    assert re.fullmatch(r"ownership-analysis [0-9]+\.[0-9]+\.[0-9]+\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0.2.0.dev0", "0.2.0"),
        ("1.2.3", "1.2.3"),
        ("1.2", "1.2.0"),
        ("3rc1", "3.0.0"),
        ("1.2.3.4", "1.2.3"),
        ("1.0.post1+local.7", "1.0.0"),
    ],
)
def test_a_version_is_three_numbers(text: str, numbers: str) -> None:
    assert three_numbers(text) == numbers


NAMES = """
id moves initialStones initialPlayer rules komi whiteHandicapBonus boardXSize boardYSize analyzeTurns maxVisits priority
priorities rootPolicyTemperature rootFpuReductionMax analysisPVLen includeOwnership includeOwnershipStdev includePolicy
includeMovesOwnership includePVVisits avoidMoves allowMoves overrideSettings reportDuringSearchEvery action terminateId
turnNumbers firstReportDuringSearchAfter nonsense
"""
NUMBERS = st.sampled_from([0, 1, 2, 3, 7, 25, 26, -1, 0.5, 1e30, 10**400, math.nan, math.inf])
TEXTS = st.sampled_from(
    [
        "",
        "B",
        "(1,2)",
        "(9,0)",
        "koSIMPLEscoreAREA",
        "7",
        "A1",
        "pass",
        "Z9",
        "i1",
        "chinese",
        "terminate",
        "terminate_all",
        "\ud800",
        "\n",
    ]
)
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
