"""Life and death read out: well-known shapes, and results that reading must never give."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.coords import parse_gtp
from goban.position import Position
from goban.reading.capture_search import capture
from goban.reading.search_stack import CAPTURED, SAFE, UNKNOWN
from tests.support.finished_positions import finished_positions
from tests.support.random_games import board_of, random_game
from tests.support.reference_capture import CaptureReading, TooMany
from tests.support.reference_regions import crowded

MOST = 1_000_000
ALIVE, DEAD, WHO_IS_FIRST = (SAFE, SAFE), (CAPTURED, CAPTURED), (SAFE, CAPTURED)

# A: the chain. O: stones around it that live. o, X: others that may be captured. The area is all that A can reach.
SHAPES = [
    ("two points", DEAD, ". . A O / A A A O / O O O O / . . . ."),
    ("two eyes", ALIVE, ". A . A O / A A A A O / O O O O O / . . . . . / . . . . ."),
    ("three points", WHO_IS_FIRST, ". . . A O / A A A A O / O O O O O / . . . . . / . . . . ."),
    ("three points, the middle taken", DEAD, ". o . A O / A A A A O / O O O O O / . . . . . / . . . . ."),
    ("four in a row", ALIVE, ". . . . A O / A A A A A O / O O O O O O" + " / . . . . . ." * 3),
    ("four in a square", DEAD, ". . A O . / . . A O . / A A A O . / O O O O . / . . . . ."),
    ("bulky five", WHO_IS_FIRST, ". . A A O . / . . . A O . / A A A A O . / O O O O O ." + " / . . . . . ." * 2),
    ("bulky five, taken", DEAD, ". . A A O . / . o . A O . / A A A A O . / O O O O O ." + " / . . . . . ." * 2),
    ("bent four in the corner", DEAD, "o o . A O . / o A A A O . / . A O O O . / A A O . . ." + " / O O O . . ." * 2),
    ("a ko for an eye", DEAD, ". A . X O / A A A O O / . O A O O / O O O O O / . . . . ."),
    (
        "an eye that is false once a stone is connected",
        DEAD,
        "A A A . o . O / A . A A A O O / A A A A O O O / O O O O O O O" + " / . . . . . . ." * 3,
    ),
]


def read(text: str) -> tuple[int, int]:
    """Return whether the chain A is captured if it moves first, and if the attacker does."""
    rows = [row.split() for row in text.split(" / ")]
    side = len(rows)
    marks = [mark for row in rows for mark in row]
    stones = np.array([{"A": 1, "X": 1, "O": -1, "o": -1, ".": 0}[mark] for mark in marks], np.int8)
    target = marks.index("A")
    area, waiting = {target}, [target]
    while waiting:
        row, column = divmod(waiting.pop(), side)
        for beside in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            point = beside[0] * side + beside[1]
            if min(beside) >= 0 and max(beside) < side and point not in area and marks[point] != "O":
                area.add(point)
                waiting.append(point)
    points = np.array(sorted(area), np.int16)
    first, second = (capture(side, stones.copy(), target, points, attacker, MOST, 0) for attacker in (False, True))
    return first, second


@pytest.mark.parametrize(("name", "expected", "text"), SHAPES)
def test_shapes(name: str, expected: tuple[int, int], text: str) -> None:
    assert read(text) == expected, name


@pytest.mark.parametrize("attacker_first", [False, True])
@pytest.mark.parametrize("target", ["B9", "C9"])
def test_a_race_is_won_by_a_side_that_captures_seven_stones(target: str, attacker_first: bool) -> None:
    [hanezeki] = [each for each in finished_positions() if str(each) == "hanezeki: in the corner"]
    rows = enumerate((6, 5, 5, 5, 4, 4))  # how many points of each belong to the groups and what they share
    area = np.array([9 * row + column for row, points in rows for column in range(points)], np.int16)
    stones = hanezeki.position.stones.ravel().copy()
    assert capture(9, stones, parse_gtp(target, 9), area, attacker_first, 100_000, 0) == SAFE


def test_too_few_moves_say_nothing() -> None:
    position = Position.from_diagram(". . . X O\n. . X X O\nX X X O O\nO O O O .\n. . . . .")
    area = np.array([0, 1, 2, 5, 6], np.int16)
    assert capture(5, position.stones.ravel().copy(), 3, area, True, 3, 0) == UNKNOWN


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(4, 14))
def test_moving_first_never_hurts_when_one_may_pass(seed: int, plies: int) -> None:
    game = random_game(4, seed, plies)
    position = Position.from_stones(board_of(4, game.setup))
    for point, colour in game.moves:
        position = position.play(point, colour, suicide=True)
    everything = np.arange(16, dtype=np.int16)
    for chain in position.chains():
        stones, target = position.stones.ravel().copy(), chain.points[0]
        first, second = (capture(4, stones, target, everything, attacker, 20_000, 0) for attacker in (False, True))
        if UNKNOWN not in (first, second):
            assert first <= second


@settings(max_examples=150)
@given(st.integers(3, 5), st.integers(0, 1 << 32), st.booleans(), st.sampled_from([0, 0, 1, -1]))
def test_small_areas_as_by_a_plain_search(side: int, seed: int, attacker_first: bool, ko_master: int) -> None:
    random = np.random.default_rng(seed)
    stones = crowded(side, seed, *random.choice([(0.5, 0.3), (0.4, 0.4), (0.45, 0.4)])).reshape(side, side)
    chains = Position.from_stones(stones).chains()
    assume(chains)
    chain = chains[random.integers(len(chains))]
    near = [*chain.liberties[:2], *random.permutation(np.flatnonzero(stones == 0))[:3].tolist()]
    area = sorted({*near, *(point for each in chains if set(each.liberties) <= set(near) for point in each.points)})
    first = -chain.colour if attacker_first else chain.colour
    try:
        expected = CaptureReading(stones, chain.points[0], area, ko_master, most=500).is_captured(first)
    except TooMany:
        assume(False)
    read = np.array(area, np.int16)
    found = capture(side, stones.ravel().copy(), chain.points[0], read, attacker_first, MOST, ko_master)
    assert found == (CAPTURED if expected else SAFE), text_diagram.render_text(stones)
