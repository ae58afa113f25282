"""Scores of positions, alone and several together."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_records.record_sources import read_game
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Ruleset, Terms
from ownership.inference.evaluator import Evaluator
from ownership.scoring.assessment import assess, set_up
from ownership.scoring.score_json import as_json
from ownership.scoring.score_position import score_position, score_positions
from tests.support.boards import SMALL_FINISHED
from tests.support.paths import EXAMPLES


@pytest.mark.parametrize("komi", [float("nan"), 1e9, -401])
def test_an_impossible_komi_is_refused(komi: float) -> None:
    message = r"komi must be -400\.\.400 points"
    with pytest.raises(InputError, match=message):
        score_position(Position.empty(5), "chinese", komi)
    with pytest.raises(InputError, match=message):
        score_positions([Position.empty(5)], "chinese", komi)


def test_rules_are_a_name_or_a_ruleset(bundled: Evaluator) -> None:
    position = Position.from_diagram(SMALL_FINISHED)
    by_name = score_position(position, "Chinese", 0.5, handicap=2, evaluator=bundled)
    by_ruleset = score_position(position, RULESETS["chinese"], 0.5, handicap=2, evaluator=bundled)
    assert by_name.result == by_ruleset.result
    assert by_name.terms == by_ruleset.terms
    with pytest.raises(InputError, match=r"rules must be one of .* Received: house rules"):
        score_position(position, "house rules", evaluator=bundled)


@pytest.mark.parametrize("komi", ["6", None, [6.5]])
def test_a_komi_that_is_no_number_is_named(komi: Any, bundled: Evaluator) -> None:
    message = rf"expected komi as a number of points\. Received: {type(komi).__name__} "
    with pytest.raises(TypeError, match=message):
        score_position(Position.empty(5), "chinese", komi, evaluator=bundled)
    with pytest.raises(TypeError, match=r"expected claims such as VertexClaims\(dead=\['D4'\]\)\. Received: dict"):
        score_position(Position.empty(5), claims={"dead": ["D4"]})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a model by name or an evaluator, such as Evaluator.* Received: int"):
        score_position(Position.empty(5), evaluator=5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"handicap must be at least 0\. Received: -5"):
        score_position(Position.empty(5), handicap=-5)
    with pytest.raises(TypeError, match=r"expected komi as a number of points\. Received: str '6'"):
        score_positions([Position.empty(5)], "chinese", "6", evaluator=bundled)  # type: ignore[arg-type]


def test_an_estimate_shows_its_board(bundled: Evaluator) -> None:
    shown = repr(score_position(Position.from_diagram(SMALL_FINISHED), "Japanese", 0.5, evaluator=bundled)).splitlines()
    assert shown[0].startswith("<W+4.5 by japanese rules, komi 0.5, ")
    assert shown[4].startswith(" 3 + X O x - ")
    draw = score_position(Position.from_diagram(SMALL_FINISHED), "Japanese", -4, evaluator=bundled)
    assert repr(draw).startswith("<draw by japanese rules, komi -4, ")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("finished*.sgf")), ids=lambda path: path.stem)
def test_at_the_end_the_side_to_move_does_not_matter(path: Path, bundled: Evaluator) -> None:
    position = read_game(path).position()
    one, other = (score_position(each, evaluator=bundled) for each in (position, set_up(position, -position.to_move)))
    np.testing.assert_allclose(one.ownership, other.ownership, atol=1e-6)
    assert (one.result, one.safe) == (other.result, other.safe)
    assert one.deviation == pytest.approx(other.deviation)


def test_the_mean_counts_and_a_chain_that_the_next_move_decides_is_unsettled(bundled: Evaluator) -> None:
    position = Position.from_diagram("""
. X X O .
X X O O O
X O O . O
O O . O O
. O O O .
""")
    [found] = assess(bundled, [position], [True], 8, [Terms(RULESETS["chinese"], 0.5)])
    pair = [bundled.evaluate([set_up(position, colour)], 4)[0].owners for colour in (BLACK, WHITE)]
    np.testing.assert_allclose(found.prediction.owners, sum(pair) / 2, atol=1e-6)
    means = [position.chain_means(each) for each in pair]
    np.testing.assert_array_equal(found.unsettled, np.abs(means[0] - means[1]) >= 0.5)


DRAWN = (". X O . / X X O O / . X O . / X X O O", ". O . / O O O / . O .", ". . . . / . X . . / . . O . / . . . .")


def test_many_positions_score_as_each_of_them(bundled: Evaluator) -> None:
    positions = [Position.from_diagram(text) for text in DRAWN]
    together = score_positions(positions, "chinese", 1.5, evaluator=bundled)
    alone = [score_position(position, "chinese", 1.5, evaluator=bundled, second_judge=None) for position in positions]
    assert [as_json(answer) for answer in together] == [as_json(answer) for answer in alone]
    assert [answer.result for answer in together[:2]] == ["W+1.5", "W+10.5"]
    assert score_positions([], evaluator=bundled) == []


def test_rules_and_komi_of_each_position(bundled: Evaluator) -> None:
    positions = [Position.from_diagram(DRAWN[0]), Position.from_diagram(DRAWN[1]), Position.from_diagram(DRAWN[0])]
    rules: list[str | Ruleset] = ["chinese", "japanese", RULESETS["aga"]]
    komi = (0.5, 1, 7)
    stones = [0, 0, 3]
    together = score_positions(iter(positions), rules, komi, handicap=stones, evaluator=bundled)
    alone = [
        score_position(position, name, points, handicap=count, evaluator=bundled, second_judge=None)
        for position, name, points, count in zip(positions, rules, komi, stones, strict=True)
    ]
    assert together[2].terms == Terms(RULESETS["aga"], 7, 3)
    assert [as_json(answer) for answer in together] == [as_json(answer) for answer in alone]
    with pytest.raises(InputError, match=r"expected komi for all, or one for each of 3 positions\. Received: 2"):
        score_positions(positions, komi=[0.5, 1], evaluator=bundled)
    with pytest.raises(InputError, match="expected rules for all"):
        score_positions(positions, ["chinese"], evaluator=bundled)
    with pytest.raises(TypeError, match="expected a ruleset or its name"):
        score_positions(positions, None, evaluator=bundled)  # type: ignore[arg-type]


def test_numbers_of_numpy_become_json(bundled: Evaluator) -> None:
    position = Position.from_stones(np.array([[0, 1], [1, 1]], np.float64))
    answer = score_position(position, "aga", np.float32(0.5), handicap=np.int64(2), evaluator=bundled)  # type: ignore[arg-type]
    assert json.loads(json.dumps(as_json(answer)))["komi"] == 0.5
    assert answer.terms == Terms(RULESETS["aga"], 0.5, 2)


def test_stones_that_are_no_position_are_a_type_error(bundled: Evaluator) -> None:
    rows = [[0, 1], [2, 0]]
    message = r"expected a Position, such as Position\.from_stones\(rows\) makes\. Received: list"
    for call in (
        lambda: score_position(rows, evaluator=bundled),  # type: ignore[arg-type]
        lambda: score_positions([rows], evaluator=bundled),  # type: ignore[list-item]
        lambda: bundled.evaluate([rows]),  # type: ignore[list-item]
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_an_estimate_as_json(bundled: Evaluator) -> None:
    values = as_json(score_position(Position.from_diagram(DRAWN[0]), evaluator=bundled))
    assert json.loads(json.dumps(values)) == values
    assert values["owner"] == ["XXOO"] * 4
    assert (values["rules"], values["komi"], values["result"]) == ("area", 6.5, "W+6.5")
    assert values["verdict"] == "White wins by 6.5"
    assert values["trust"].startswith("Safe to count")


def test_a_game_that_goes_on_has_the_same_expected_score_whether_or_not_it_is_called_ended(bundled: Evaluator) -> None:
    position = Position.empty(9).play("E5")
    one, other = (score_position(position, ended=ended, evaluator=bundled) for ended in (True, False))
    assert not one.finished
    assert one.score == other.score
    np.testing.assert_array_equal(one.ownership, other.ownership)


@pytest.mark.parametrize(("rules", "komi"), [("chinese", 7.5), ("japanese", 6.5)])
def test_the_expected_score_is_the_lead_of_a_model_that_predicts_it(rules: str, komi: float) -> None:
    position, evaluator = read_game(EXAMPLES / "middlegame-19x19.sgf").position(), Evaluator.load("play")
    [prediction] = evaluator.evaluate([position], 8, Terms(RULESETS[rules], komi))
    answer = score_position(position, rules, komi, ended=False, evaluator=evaluator)
    assert answer.score == pytest.approx(prediction.lead)
    assert answer.black_wins == prediction.win_rate


def test_a_side_that_has_all_the_stones_is_ahead_by_no_more_than_these_are_worth() -> None:
    """Its lead would be that of a game in which the other side is to move."""
    position = Position.empty(9).play("E5").play("PASS")
    answer = score_position(position, "area", 7, ended=False, evaluator=Evaluator.load("play"))
    assert 0 < answer.score < 40
