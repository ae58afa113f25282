"""Open borders: the points that close them, and the owners of the parts."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE, gtp_name, gtp_names, parse_gtp
from goban.counting import open_borders
from goban.counting.open_borders import divide_open_areas
from goban.position import Position
from goban.regions import points_beside
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_position import score_position
from ownership.scoring.vertex_claims import VertexClaims

# + Black's territory beside an open border, - White's, * the points that close it, . dame or other empty points.
GAP_AT_THE_EDGE = """
+ + * - -
+ X O - -
+ X O - -
+ X O - -
+ X O - -
"""
TWO_POINTS_EACH = """
+ + * - -
X X X O O
X X X O O
X X X O O
X X X O O
"""
TWO_GAPS = """
+ + X O - - -
+ + * - - - -
+ + X O - - -
X + X O - - O
+ + X O - - -
+ + * - - - -
+ + X O - - -
"""
A_LINE_OF_DAME = """
. . X . O . .
. X X . O O .
. . X . O . .
. X X . O O .
. . X . O . .
. X X . O O .
. . X . O . .
"""
CROOKED_DAME = """
. X . O .
X X . O O
X . . . O
X X . O O
. X . O .
"""
POINT_VALUES = {"+": 0.9, "-": -0.9, "X": 0.97, "O": -0.97, "*": 0.0, ".": 0.0}


def read(text: str) -> tuple[NDArray[np.int8], NDArray[np.float32], list[list[str]]]:
    """Return the stones, an ownership such as a model gives, and the marks of a drawing."""
    marks = [line.split() for line in text.strip().splitlines()]
    stones = [[{"X": BLACK, "O": WHITE}.get(mark, EMPTY) for mark in row] for row in marks]
    return np.array(stones, np.int8), np.array([[POINT_VALUES[m] for m in row] for row in marks], np.float32), marks


def drawn(stones: NDArray[np.int8], owner: NDArray[np.int8], gaps: NDArray[np.bool_]) -> str:
    """Return the drawing of stones and of the points that are divided."""
    names = np.select([stones > 0, stones < 0, gaps, owner > 0, owner < 0], ["X", "O", "*", "+", "-"], ".")
    return "\n".join(" ".join(row) for row in names)


@pytest.mark.parametrize("text", [GAP_AT_THE_EDGE, TWO_GAPS, A_LINE_OF_DAME, CROOKED_DAME])
def test_the_colours_are_separated(text: str) -> None:
    stones, ownership, _ = read(text)
    assert drawn(stones, *divide_open_areas(stones, ownership)) == text.strip()
    swapped = text.translate(str.maketrans("XO+-", "OX-+"))
    assert drawn(-stones, *divide_open_areas(-stones, -ownership)) == swapped.strip()


def test_an_uncertain_border_is_preferred_to_a_shorter_one() -> None:
    stones = np.zeros((5, 5), np.int8)
    stones[:, 0], stones[2, 4] = BLACK, WHITE
    ownership = np.array([[1, 0.9, 0.9, 0, -0.9]] * 5, np.float32)
    assert gtp_names(divide_open_areas(stones, ownership).gaps) == ["D5", "D4", "D3", "D2", "D1"]
    assert gtp_names(divide_open_areas(stones, np.ones((5, 5), np.float32)).gaps) == ["E4", "D3", "E2"]


def test_fewer_points_are_preferred_to_somewhat_less_certain_ones() -> None:
    stones = np.zeros((5, 5), np.int8)
    stones[:, 0], stones[2, 4] = BLACK, WHITE
    ownership = np.array([[1, 1, 1, 0.45, 1]] * 5, np.float32)
    assert gtp_names(divide_open_areas(stones, ownership).gaps) == ["E4", "D3", "E2"]


def test_a_part_with_one_point_more_than_close_it_is_dame() -> None:
    """Both sides play there in turn, and nothing is left."""
    stones, ownership, _ = read(TWO_POINTS_EACH)
    expected = TWO_POINTS_EACH.strip().translate(str.maketrans("+*-", "..."))
    assert drawn(stones, *divide_open_areas(stones, ownership)) == expected


def test_areas_of_one_colour_stay() -> None:
    stones = Position.from_diagram(". X . . .\nX X . . .\n. . . . .\n. . . . .\n. . . . .").stones
    assert not any(mask.any() for mask in divide_open_areas(stones, np.ones((5, 5), np.float32)))


def test_a_part_that_the_model_does_not_give_away_is_neutral() -> None:
    stones, ownership, _ = read(GAP_AT_THE_EDGE)
    owner, gaps = divide_open_areas(stones, np.where(ownership < 0, -0.5, ownership).astype(np.float32))
    assert drawn(stones, owner, gaps) == GAP_AT_THE_EDGE.strip().replace("-", ".")


def test_what_stones_in_seki_share_is_neutral_though_the_ownership_takes_them_for_dead() -> None:
    stones, ownership, _ = read(GAP_AT_THE_EDGE)
    stones[3, 3] = BLACK
    expected = GAP_AT_THE_EDGE.strip().splitlines()
    expected = [line.replace("-", ".") for line in expected]
    expected[3] = "+ X O X ."
    assert drawn(stones, *divide_open_areas(stones, ownership, stones * ownership < 0)) == "\n".join(expected)


@pytest.mark.parametrize(
    ("side", "wall", "missing", "gaps"),
    [
        (7, 3, ["C7"], ["C7"]),
        (9, 4, ["D1"], ["D1"]),
        (13, 6, ["F13", "G13"], ["G13"]),
        (13, 6, ["F7", "G1"], ["F7", "G1"]),
        (19, 9, ["K19"], ["K19"]),
        (19, 9, ["J10"], ["J10"]),
    ],
)
def test_the_count_of_the_bundled_model_names_open_borders(
    side: int, wall: int, missing: list[str], gaps: list[str], bundled: Evaluator
) -> None:
    stones = np.zeros((side, side), np.int8)
    stones[:, wall - 1], stones[:, wall] = BLACK, WHITE
    stones[2::4, 1], stones[2::4, -2] = BLACK, WHITE
    stones.flat[[parse_gtp(vertex, side) for vertex in missing]] = EMPTY
    for position in (Position.from_stones(stones, BLACK), Position.from_stones(stones, WHITE)):
        answer = score_position(position, "chinese", 0, evaluator=bundled)
        assert gtp_names(answer.gaps) == gaps
        assert (answer.owner == EMPTY).sum() == len(gaps)
        assert (answer.black, answer.white) == ((answer.owner > 0).sum(), (answer.owner < 0).sum())
        assert answer.finished and not answer.safe
        assert set(gaps) <= set(gtp_names(answer.uncertain_points))
        border = next(reason for reason in answer.reasons if reason.kind == "open border")
        assert [gtp_name(point, side) for point in border.points] == gaps and border.worth > 0
        assert "is open (" in border.text and border.text in answer.trust
        mark = VertexClaims(alive=[gtp_name(side * (side - 2) + wall, side)])
        marked = score_position(position, "chinese", 0, claims=mark, evaluator=bundled)
        assert (gtp_names(marked.gaps), marked.result, marked.safe) == (gaps, answer.result, False)


@given(
    st.lists(st.sampled_from([BLACK, WHITE, *[EMPTY] * 4]), min_size=16, max_size=16),
    st.lists(st.integers(-100, 100), min_size=16, max_size=16),
)
def test_no_cheaper_points_separate_the_colours(colours: list[int], hundredths: list[int]) -> None:
    stones = np.array(colours, np.int8).reshape(4, 4)
    costs = [25 + abs(each) for each in hundredths]
    beside, flat = points_beside(4), stones.ravel()
    empty = set(np.flatnonzero(flat == EMPTY).tolist())
    found = set()
    for area in open_borders._parts(empty, beside):
        if len(open_borders._touched(area, flat, beside)) > 1:
            found |= open_borders._border(area, flat, beside, (np.array(hundredths) / 100).astype(np.float32))
    assert _separates(stones, found)
    forced = {point for point in empty if {BLACK, WHITE} <= {flat[other] for other in beside[point]}}
    price = sum(costs[point] for point in found)
    others = sorted(empty - forced)
    for size in range(min(3, len(others)) + 1):
        for chosen in combinations(others, size):
            border = forced | set(chosen)
            assert sum(costs[point] for point in border) >= price or not _separates(stones, border)


def _separates(stones: NDArray[np.int8], border: set[int]) -> bool:
    """Return whether no path over empty points outside the border connects stones of different colours."""
    reached = [{(row, column) for row, column in np.argwhere(stones == colour).tolist()} for colour in (BLACK, WHITE)]
    for one in reached:
        waiting = list(one)
        while waiting:
            row, column = waiting.pop()
            for place in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                inside = 0 <= place[0] < len(stones) and 0 <= place[1] < len(stones)
                if inside and place not in one and stones[place] == EMPTY and 4 * place[0] + place[1] not in border:
                    one.add(place)
                    waiting.append(place)
    return not reached[0] & reached[1]
