"""Finished positions with known answers: drawn as the rules count them, read right and scored right."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_names
from goban.counting.counted_score import count
from goban.reading.position_reader import PositionReader
from goban.reading.seki import nakade_seki
from goban.reading.under_the_stones import living_under_the_stones
from goban.reading.weak_groups import read_weak_groups
from goban.rulesets import Terms, as_ruleset
from ownership.inference.evaluator import Evaluator
from ownership.scoring.assessment import assess, estimate_by, set_up
from tests.support.finished_positions import FinishedPosition, finished_positions, parse
from tests.support.reading import judged
from tests.support.seki import TERRITORY, disputed_seki

POSITIONS: Final = finished_positions()

_LIVING_IN_ATARI: Final = {"hanezeki", "torazu_sanmoku"}  # themes in which stones live though they can be captured


@pytest.mark.parametrize("finished", POSITIONS, ids=str)
def test_a_finished_position_is_read_and_scored_as_it_is_drawn(finished: FinishedPosition, bundled: Evaluator) -> None:
    wrong = [*drawn_wrong(finished), *read_wrong(finished), *scored_wrong(finished, bundled)]
    assert not wrong, "\n".join([str(finished), *wrong])


def where(what: str, differing: NDArray[np.bool_]) -> Iterator[str]:
    """Yield the mistakes and their points, if there are any."""
    if differing.any():
        yield f"{what}: {' '.join(gtp_names(differing))}"


def drawn_wrong(finished: FinishedPosition) -> Iterator[str]:
    """Yield the mistakes of the drawing against the rules."""
    position, dead = finished.position, finished.dead
    reader = PositionReader(position)
    partly_dead = [each for each in reader.chains if len(set(dead.flat[list(each.points)].tolist())) > 1]
    yield from where("chains dead in part", reader.mask(partly_dead))
    yield from where("no liberties", reader.mask([each for each in reader.chains if not each.liberties]))
    stones = position.stones
    owner = np.where(stones == EMPTY, finished.owner, np.where(dead, -stones, stones))
    yield from where("stones drawn with another owner", finished.owner != owner)
    counted = np.where(finished.teire, EMPTY, count(position, dead, TERRITORY).owner)
    yield from where("counted by territory rules with another owner", counted != finished.owner)
    yield from where("shown in seki by one ruleset alone", disputed_seki(position, dead))


def read_wrong(finished: FinishedPosition) -> Iterator[str]:
    """Yield the wrong results of reading the drawn stones."""
    position, dead = finished.position, finished.dead
    reader = PositionReader(position)
    yield from where("dead, read as alive in an eye", nakade_seki(reader, dead) & dead)
    yield from where("dead, read as alive under the stones", living_under_the_stones(reader, dead))
    if finished.theme in _LIVING_IN_ATARI:
        return
    with_owners = PositionReader(position, np.asarray(finished.owner, np.float32))
    yield from where("read as dead in a weak group", read_weak_groups(with_owners, dead).dead)
    for chain in reader.chains:
        verdict = judged(position, reader.mask([chain]), dead)
        yield from where("read wrong where all else is known", (verdict != 0) & ((verdict < 0) != dead))


def scored_wrong(finished: FinishedPosition, evaluator: Evaluator) -> Iterator[str]:
    """Yield the differences of scores from the drawing, with either side to move and by unrelated rules."""
    position, dead, teire = finished.position, finished.dead, finished.teire
    japanese, *others = (Terms(as_ruleset(rules), 0.5) for rules in ("japanese", "chinese", "aga", "tromp-taylor"))
    [assessment] = assess(evaluator, [position], [True], 8, [japanese])
    for board in (position, set_up(position, -position.to_move)):
        mover, answer = colour_name(board.to_move), estimate_by(assessment, board, japanese, True, None)
        yield from where(f"other stones dead, {mover} to move", answer.dead != dead)
        yield from where(f"other protective moves, {mover} to move", answer.teire != teire)
        owner = np.where(answer.teire, EMPTY, answer.owner)
        yield from where(f"another owner, {mover} to move", owner != finished.owner)
    for terms in others if "bent four" in finished.name else ():
        answer = estimate_by(assessment, position, terms, True, None)
        yield from where(f"other stones dead by {terms.ruleset.name} rules", answer.dead != dead)
    if teire.any():
        answer = estimate_by(assessment, position, others[0], True, None)
        lost = np.where(teire, answer.owner == EMPTY, answer.owner != finished.owner)
        yield from where("another owner by area rules, where a protective move costs nothing", lost)


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
