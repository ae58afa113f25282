"""Queries of KataGo's analysis protocol: their meaning, and those that are refused."""

import math
from typing import Any

import pytest

from goban.coords import BLACK, parse_gtp
from goban.errors import FieldError
from ownership.inference.evaluator import Evaluator
from ownership.katago_protocol.query import Defaults, parse_query
from tests.support.analysis_queries import QUERY, asked

AVOIDED: dict[str, object] = {"player": "W", "moves": ["A1"], "untilDepth": 1}


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
    ({"priorities": [1]}, "priorities", "expected also analyzeTurns in the same query"),
    ({"priorities": [1], "analyzeTurns": [1], "priority": 1}, "priorities", "expected no priority in the same query"),
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
    assert column_and_row.game.indexed_moves == ((BLACK, parse_gtp("Q16", 19)),)


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
    assert other.indexed_moves == parse_query(query(moves=[*moves[:1], ["W", "A1"]]), Defaults()).game.indexed_moves
    for changed in ({"rules": "tromp-taylor"}, {"initialPlayer": "W"}, {"initialStones": [["B", "A5"]]}):
        different = query(moves=moves, **changed)
        alone, after = parse_query(different, Defaults()).game, parse_query(different, Defaults(), longer).game
        assert after.positions == alone.positions and after.positions[1] is not longer.positions[1]
