"""Finished positions with known answers: legal, drawn as the rules count them, and scored right."""

from collections import Counter

import numpy as np
import pytest

from goban.coords import BLACK, EMPTY, WHITE
from goban.counting.counted_score import count
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_position import score_position, set_up
from tests.support.finished_positions import FinishedPosition, finished_positions, parse

POSITIONS = finished_positions()

every_position = pytest.mark.parametrize("finished", POSITIONS, ids=str)


@every_position
def test_a_chain_is_dead_or_alive_as_a_whole(finished: FinishedPosition) -> None:
    for chain in finished.position.chains():
        assert len({bool(finished.dead.flat[point]) for point in chain.points}) == 1
        assert chain.liberties


@every_position
def test_the_owners_are_those_of_territory_rules(finished: FinishedPosition) -> None:
    score = count(finished.position, finished.dead, Terms(RULESETS["territory"], 0))
    np.testing.assert_array_equal(finished.owner, np.where(finished.teire, EMPTY, score.owner))


@every_position
def test_dead_stones_are_the_opponents(finished: FinishedPosition) -> None:
    stones, dead = finished.position.stones, finished.dead
    np.testing.assert_array_equal(finished.owner[dead], -stones[dead])
    alive = (stones != EMPTY) & ~dead
    np.testing.assert_array_equal(finished.owner[alive], stones[alive])


@every_position
def test_the_scorer_is_right_with_either_side_to_move(finished: FinishedPosition, bundled: Evaluator) -> None:
    for position in (finished.position, set_up(finished.position, -finished.position.to_move)):
        answer = score_position(position, "japanese", 0.5, evaluator=bundled)
        np.testing.assert_array_equal(answer.dead, finished.dead)
        np.testing.assert_array_equal(answer.teire, finished.teire)
        np.testing.assert_array_equal(np.where(answer.teire, EMPTY, answer.owner), finished.owner)


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "tromp-taylor"])
@pytest.mark.parametrize("finished", [each for each in POSITIONS if "bent four" in each.name], ids=str)
def test_a_bent_four_is_dead_under_all_rules(finished: FinishedPosition, rules: str, bundled: Evaluator) -> None:
    answer = score_position(finished.position, rules, 0.5, evaluator=bundled)
    np.testing.assert_array_equal(answer.dead, finished.dead)


@pytest.mark.parametrize("finished", [each for each in POSITIONS if each.teire.any()], ids=str)
def test_a_protective_move_costs_nothing_by_area_rules(finished: FinishedPosition, bundled: Evaluator) -> None:
    answer = score_position(finished.position, "chinese", 0.5, evaluator=bundled)
    np.testing.assert_array_equal(answer.owner[~finished.teire], finished.owner[~finished.teire])
    assert answer.owner[finished.teire].all()


@pytest.mark.parametrize(
    "theme", ["bent_four", "double_ko", "hanezeki", "seki", "ten_thousand_year_ko", "teire", "torazu_sanmoku"]
)
def test_what_a_rule_decides_has_a_source(theme: str) -> None:
    assert any(finished.source for finished in POSITIONS if finished.theme == theme)


def test_there_are_many_of_every_size() -> None:
    sides = Counter(finished.position.side for finished in POSITIONS)
    assert len(POSITIONS) >= 379
    assert sides[5] + sides[6] >= 12
    assert sides[19] >= 10
    assert sides[25] >= 2


def test_no_two_are_the_same() -> None:
    assert len({str(finished) for finished in POSITIONS}) == len(POSITIONS)
    assert len({finished.position.stones.tobytes() for finished in POSITIONS}) == len(POSITIONS)


def test_both_colours_have_dead_stones() -> None:
    dead = Counter(colour for finished in POSITIONS for colour in finished.position.stones[finished.dead].tolist())
    assert min(dead[BLACK], dead[WHITE]) >= 100


def test_a_drawing_is_read() -> None:
    [finished] = parse("theme", "# a name\n# to move: O\nX . O -\nX X O O\n+ X X X\n+ X o +")
    assert (finished.theme, finished.name, str(finished)) == ("theme", "a name", "theme: a name")
    assert finished.position.to_move == WHITE
    assert finished.position.stones[3].tolist() == [EMPTY, BLACK, WHITE, EMPTY]
    assert finished.dead.sum() == 1
    assert finished.dead[3, 2]
    assert finished.owner[0].tolist() == [BLACK, EMPTY, WHITE, WHITE]
    assert finished.owner[3].tolist() == [BLACK] * 4


@pytest.mark.parametrize(
    "block",
    [
        "# an unknown mark\nX ? \n+ X",
        "# a row too short\nX +\nX",
        "# a stone without liberties\nX O\nO -",
        "# no colour to move\n# to move: +\nX +\n+ X",
        "X +\n+ X",
    ],
)
def test_a_wrong_drawing_is_refused(block: str) -> None:
    with pytest.raises(ValueError, match="expected a name and N rows"):
        list(parse("theme", block))
