"""KataGo's analysis protocol: which lines get which answers, and when."""

import contextlib
import io
import json
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goban.position import Position
from ownership.inference.evaluator import Evaluator
from tests.support.analysis_queries import BOARD, QUERY, asked


def test_every_turn_has_one_answer(evaluator: Evaluator) -> None:
    found = asked(evaluator, {**QUERY, "analyzeTurns": [0, 1, 2, 3]}, {**QUERY, "id": 7, "analyzeTurns": [2, 2]})
    assert sorted((str(each["id"]), each["turnNumber"]) for each in found) == [
        ("7", 2), ("game", 0), ("game", 1), ("game", 2), ("game", 3)
    ]  # fmt: skip
    assert {each["id"] for each in found} == {"game", 7}, "as they were sent"


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


def test_warnings_are_lines_of_their_own(evaluator: Evaluator) -> None:
    odd = {**QUERY, "maxVisits": 2, "colour": "red", "overrideSettings": {"lucky": 7}}
    first, second, answer = asked(evaluator, odd)
    assert (first["field"], second["field"]) == ("colour", "overrideSettings")
    assert "lucky" in second["warning"] and first["id"] == "game"
    assert "moveInfos" in answer


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
