"""The komi by which a record is counted: in stones, in words, of its time; and the hints about others."""

import re

import pytest

from game_records.sgf import parse_game
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from tests.support.paths import EXAMPLES

SMALL = (EXAMPLES / "finished-9x9.sgf").read_text()  # Chinese, komi 7, B+4
LARGE = (EXAMPLES / "finished-19x19.sgf").read_text()  # Japanese, komi 6.5, B+20.5


def scored(record: str, evaluator: Evaluator) -> ScoredGame:
    [answer] = score_games([parse_game(record.encode())], evaluator, ScoreOptions())
    assert isinstance(answer, ScoredGame)
    return answer


def changed(record: str, **properties: str | None) -> str:
    """Return a record with other values of properties of its root, None for a property that is left out."""
    for name, value in properties.items():
        record = re.sub(rf"{name}\[[^]]*\]", "", record, count=1)
        record = record if value is None else record.replace("GM[1]", f"GM[1]{name}[{value}]", 1)
    return record


@pytest.mark.parametrize(
    ("record", "komi", "result"),
    [
        (changed(SMALL, KM="350"), 7.0, "B+4"),
        (changed(SMALL, KM="3.5"), 7.0, "B+4"),
        (changed(SMALL, KM="逆コミ7目", RE="B+18"), -7.0, "B+18"),
        (changed(SMALL, KM="倒贴3又1/2子", RE="B+18"), -7.0, "B+18"),
        (changed(LARGE, KM="325", RU="Chinese", RE="B+20.5"), 6.5, "B+20.5"),
        (changed(LARGE, KM=None, RU=None, RE="B+22", DT="1966-05-11"), 5.0, "B+22"),
        (changed(LARGE, KM=None, RU=None, RE="B+22.5", DT="1966"), 4.5, "B+22.5"),
        (changed(LARGE, KM=None, RU=None, RE="B+27", DT="1940"), 0.0, "B+27"),
        (changed(LARGE, KM=None, RE="B+21.5", DT="1990"), 5.5, "B+21.5"),
        (changed(LARGE, KM=None, RU=None, DT="2010"), 6.5, "B+20.5"),
    ],
)
def test_the_komi_that_gives_the_recorded_result(record: str, komi: float, result: str, bundled: Evaluator) -> None:
    answer = scored(record, bundled)
    assert (answer.estimate.komi, answer.estimate.result, answer.estimate.safe) == (komi, result, True)
    assert ", the same" in as_text(answer)


def test_an_old_game_without_rules_is_counted_by_territory(bundled: Evaluator) -> None:
    answer = scored(changed(LARGE, KM=None, RU=None, RE="B+22", DT="1966-05-11"), bundled)
    assert answer.estimate.rules == "territory"
    assert "Assumed, as the record does not say: territory rules, komi 5" in as_text(answer)


@pytest.mark.parametrize(
    ("properties", "hint"),
    [
        ("HA[1]KM[0]RU[Chinese]", ""),
        ("HA[1]KM[0]RU[Japanese]RE[W+R]", ""),
        ("HA[0]KM[0]RU[Chinese]", "--komi 7.5 changes it"),
        ("KM[0]RU[Japanese]RE[W+R]", "--komi 6.5 changes it"),
        ("KM[0]RU[Japanese]RE[W+R]DT[1960]", "--komi 4.5 changes it"),
        ("KM[65]RU[Chinese]", "--komi 7.5 changes it"),
    ],
)
def test_a_hint_names_a_komi_of_the_rules(properties: str, hint: str, bundled: Evaluator) -> None:
    text = as_text(scored(f"(;GM[1]SZ[19]{properties};B[pd];W[dp])", bundled))
    assert hint in text and ("--komi" in text) == bool(hint)
