"""The answers of KataGo's analysis protocol."""

import numpy as np
import pytest

from ownership.inference.evaluator import Evaluator
from ownership.katago_protocol.answer import without_zero
from tests.support.analysis_queries import QUERY, asked


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


def test_moves_may_be_avoided_and_allowed(evaluator: Evaluator) -> None:
    avoid = [{"player": "W", "moves": ["A1", "B1", "pass"], "untilDepth": 1}]
    [found] = asked(evaluator, {**QUERY, "avoidMoves": avoid})
    assert not {each["move"] for each in found["moveInfos"]} & {"A1", "B1", "pass"}
    [found] = asked(evaluator, {**QUERY, "allowMoves": [{"player": "W", "moves": ["A1", "B1"], "untilDepth": 1}]})
    assert {each["move"] for each in found["moveInfos"]} <= {"A1", "B1"}
