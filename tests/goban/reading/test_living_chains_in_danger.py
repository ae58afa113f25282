"""Chains that the next move takes, dame that decide an eye, and seki with false eyes, checked by exhaustive search."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE, gtp_names, parse_gtp
from goban.counting.counted_score import count
from goban.position import Position
from goban.reading.liberty_shortage import short_of_liberties
from goban.reading.living_chains_in_danger import is_taken_back, taken_next
from goban.reading.position_reader import PositionReader
from goban.reading.protective_moves import protective_moves
from goban.regions import owners
from goban.rulesets import RULESETS, Terms
from tests.support.local_search import best_territory

SIDES = (9, 13, 19)

# White's wall on the left and Black's on the right stand above and below each shape.
WALLS = ". . . O X . . . ."
# Black's area; its border is open at E5 below.
AREA = ". . O O X . . . . / . . O X X X X X X"
TAKEN = {
    "one stone beside two dame": ("E5", ". . O . X X . . . / . . O . O X . . . / . . . O X . . . ."),
    "two stones beside two dame": ("E5", ". . O . X X X . . / . . O . O O X . . / . . . O X X . . ."),
    "three stones beside two dame": ("E5", ". . O . X X X X . / . . O . O O O X . / . . . O X X X . ."),
    "four stones beside two dame": ("E5", ". . O . X X X X X / . . O . O O O O X / . . . O X X X X ."),
    "five stones beside two dame": ("E5", ". . O . X X X X X / . . O . O O O O O / . . . O X X X X X"),
    "one stone and the dame that connects": ("E5", ". . O X X X . . . / . . O . O X . . . / . . . O X . . . ."),
    "two stones and the dame that connects": ("E5", ". . O X X X X . . / . . O . O O X . . / . . . O X X . . ."),
    "three stones and the dame that connects": ("E5", ". . O X X X X X . / . . O . O O O X . / . . . O X X X . ."),
    "four stones and the dame that connects": ("E5", ". . O X X X X X X / . . O . O O O O X / . . . O X X X X ."),
    "five stones and the dame that connects": ("E5", ". . O X X X X X X / . . O . O O O O O / . . . O X X X X X"),
    "one stone whose last liberty is an eye": ("E5", ". . . O X X . . . / . . O . O X . . . / . . . O X . . . ."),
    "two stones whose last liberty is an eye": ("E5", ". . . O X X X . . / . . O . O O X . . / . . . O X X . . ."),
    "three stones whose last liberty is an eye": ("E5", ". . . O X X X X . / . . O . O O O X . / . . . O X X X . ."),
    "four stones whose last liberty is an eye": ("E5", ". . . O X X X X X / . . O . O O O O X / . . . O X X X X ."),
    "five stones whose last liberty is an eye": ("E5", ". . . O X X X X X / . . O . O O O O O / . . . O X X X X X"),
    "two dame, one of which leads nowhere": (
        "F5",
        ". . O X . . . . . / . . O X . . . . . / . . O X X X . . . / "
        ". . O X . O X . . / . . . O . O X . . / . . . O X X . . .",
    ),
    "two stones between three dame": (
        "E5",
        ". . . O X X . X . / . . O X X . X X X / . . O . O O . X X / . . . O X X X X .",
    ),
    "three stones between three dame": (
        "E5",
        ". . . O X X X X . / . . O X X . X X X / . . O . O O O . X / . . . O X X X X .",
    ),
    "one stone and the way into the other side's area": (
        "F5",
        f"{AREA} / . . O X . X X . . / . . . O . O X . . / . . . O X X . . .",
    ),
    "two stones and the way into the other side's area": (
        "F5",
        f"{AREA} / . . O X . X X X . / . . . O . O O X . / . . . O X X X . .",
    ),
    "three stones and the way into the other side's area": (
        "F5",
        f"{AREA} / . . O X . X X X X / . . . O . O O O X / . . . O X X X X .",
    ),
    "four stones and the way into the other side's area": (
        "F5",
        f"{AREA} / . . O X . X X X X / . . . O . O O O O / . . . O X X X X X",
    ),
    "one stone in the other side's area": ("F5", f"{AREA} / . . O X . . X X . / . . . O . O X . . / . . . O X X . . ."),
    "two stones in the other side's area": (
        "F5",
        f"{AREA} / . . O X . . X X X / . . . O . O O X . / . . . O X X X . .",
    ),
    "three stones in the other side's area": (
        "F5",
        f"{AREA} / . . O X . . X X X / . . . O . O O O X / . . . O X X X X .",
    ),
}
HELD = {
    "two dame, each of which makes the eye": ". . . O . X X . . / . . O . O O X . . / . . . O . X . . .",
    "two dame, each of which connects": ". . . O X X . . . / . . . O . O X . . / . . . O . O X . . / . . . O X X . . .",
    "one stone connected to the wall": ". . . O X X . . . / . . O O O X . . . / . . . O X . . . .",
    "two stones connected to the wall": ". . . O X X X . . / . . O O O O X . . / . . . O X X . . .",
    "three stones connected to the wall": ". . . O X X X X . / . . O O O O O X . / . . . O X X X . .",
    "four stones connected to the wall": ". . . O X X X X X / . . O O O O O O X / . . . O X X X X .",
    "five stones connected to the wall": ". . . O X X X X X / . . O O O O O O O / . . . O X X X X X",
}
# Black's stones around D6 take E5 at D5, and are taken at E5 then.
SNAPBACKS = {
    "two stones": ". . . O X X X . . / . . . O O O X . . / . . O X X O X . . / . . O . O X X . . / . . . O X . . . .",
    "three stones": ". . . O X X X . . / . . O O O O X . . / . O X X X O X . . / . . O . O X X . . / . . . O X . . . .",
    "four stones": ". . . O X X X . . / . O O O O O X . . / O X X X X O X . . / . O O . O X X . . / . . . O X . . . .",
    "five stones": ". . . O X X X . . / O O O O O O X . . / X X X X X O X . . / O O O . O X X . . / . . . O X . . . .",
}
DECIDED = {
    "two stones": ". . . O . X X . . / . . O . O O X . . / . . . O X X . . .",
    "three stones": ". . . O . X X X . / . . O . O O O X . / . . . O X X X . .",
    "four stones": ". . . O . X X X X / . . O . O O O O X / . . . O X X X X .",
    "five stones": ". . . O . X X X X / . . O . O O O O O / . . . O X X X X X",
    "two stones, another dame beyond them": ". . . O . X X . . / . . O . O O . X . / . . . O X X X . .",
    "three stones, another dame beyond them": ". . . O . X X X . / . . O . O O O . X / . . . O X X X X .",
}
# White's C5 and D5 are connected by C6 or C4, to chains that have one liberty elsewhere or many.
CONNECTED = """
O O X . . . . . .
O O X . . . . . .
O O X . . . . . .
O O . X X . . . .
O . O O X . . . .
. O . X X . . . .
. O X . . . . . .
. O X . . . . . .
. O X . . . . . .
"""
SEKI = """
. X . O X . . . .
O X O O X . X . .
. O . O X X X X X
O O O X X . . . .
X X X X . X . X .
. . . . . . . . .
X X X X X X X X X
. . . . . . . . .
X X X X X X X X .
"""


def boards(rows: str, corner: bool = False) -> Iterator[tuple[Position, NDArray[np.int16]]]:
    """Yield a 9x9 board, on each side, turned and in both colours, with the drawn board's number of each of its points.

    A larger board repeats the lines at the top, left and right, or for a shape in the upper left corner at the bottom
    and right; these have no number, but -1.
    """
    drawn = Position.from_diagram(rows).stones
    numbers = np.arange(81, dtype=np.int16).reshape(9, 9)
    for turns, side in enumerate(SIDES):
        more = side - 9
        widths = ((0, more), (0, more)) if corner else ((more, 0), (more // 2, more - more // 2))
        stones, ids = np.pad(drawn, widths, "edge"), np.pad(numbers, widths, constant_values=-1)
        for colour in (BLACK, WHITE):
            yield Position.from_stones(np.rot90(colour * stones, turns)), np.rot90(ids, turns).ravel()


def drawn(lines: str) -> str:
    """Return the board with a few lines between the walls, the last of them the fourth from below."""
    above = 6 - len(lines.split(" / "))
    return " / ".join([*[WALLS] * above, lines, *[WALLS] * 3])


def territory(middle: str) -> dict[int, int]:
    """Return the territory after the best play on the drawn dame, what they connect and the chains enclosed there.

    Black's less White's, by who moves first.
    """
    position = Position.from_diagram(drawn(middle))
    owner = owners(position.stones, np.zeros((9, 9), np.bool_)).ravel()
    places = {parse_gtp("D5", 9), *np.flatnonzero(owner == EMPTY).tolist()}
    empty = {point for point in places if not position.flat[point]}
    enclosed = (chain.points for chain in position.chains() if empty.issuperset(chain.liberties))
    return best_territory(position, empty.union(*enclosed))


def taken(position: Position) -> list[str]:
    """Return the stones of living chains that the next move takes, none being dead."""
    reader, nothing = PositionReader(position), np.zeros(position.stones.shape, np.bool_)
    return gtp_names(taken_next(reader, nothing) | short_of_liberties(reader, nothing, nothing))


@pytest.mark.parametrize("name", TAKEN)
def test_chains_that_the_next_move_takes(name: str) -> None:
    vertex, middle = TAKEN[name]
    value = territory(middle)
    assert value[BLACK] > value[WHITE], name
    for position, numbers in boards(drawn(middle)):
        chain = position.chain_at(numbers.tolist().index(parse_gtp(vertex, 9)))
        assert chain is not None and set(gtp_names(PositionReader(position).mask([chain]))) <= set(taken(position)), (
            name
        )


@pytest.mark.parametrize("name", HELD)
def test_chains_of_few_liberties_that_no_move_takes(name: str) -> None:
    value = territory(HELD[name])
    assert value[BLACK] == value[WHITE], name
    for position, _ in boards(drawn(HELD[name])):
        assert taken(position) == [], name
        nothing = np.zeros(position.stones.shape, np.bool_)
        assert not protective_moves(PositionReader(position), nothing, owners(position.stones, nothing)).points.any(), (
            name
        )


@pytest.mark.parametrize("name", SNAPBACKS)
def test_what_a_snapback_takes_back_is_not_taken(name: str) -> None:
    value = territory(SNAPBACKS[name])
    assert value[BLACK] == value[WHITE], name
    for position, numbers in boards(drawn(SNAPBACKS[name])):
        reader, place = PositionReader(position), numbers.tolist().index
        captors = position.chain_at(place(parse_gtp("D6", 9)))
        assert captors is not None
        dead = reader.mask([captors])
        assert taken(position) == gtp_names(dead), name
        assert not (taken_next(reader, dead) | short_of_liberties(reader, dead, dead)).any(), name


def test_a_chain_that_two_dame_connect_to_chains_of_few_liberties_needs_no_move() -> None:
    drawn_position, dame = Position.from_diagram(CONNECTED), [parse_gtp(vertex, 9) for vertex in ("C6", "C4")]
    chain = drawn_position.chain_at("C5")
    assert chain is not None and set(dame) < set(chain.liberties)
    value = best_territory(drawn_position, {*chain.liberties, *chain.points})
    assert value[BLACK] == value[WHITE]
    for position, _ in boards(CONNECTED):
        nothing = np.zeros(position.stones.shape, np.bool_)
        assert not protective_moves(PositionReader(position), nothing, owners(position.stones, nothing)).points.any()
        assert taken(position) == []


@pytest.mark.parametrize("name", DECIDED)
def test_dame_that_decide_whether_an_eye_is_filled(name: str) -> None:
    value = territory(DECIDED[name])
    assert value[BLACK] - value[WHITE] == 1, name
    for position, numbers in boards(drawn(DECIDED[name])):
        nothing = np.zeros(position.stones.shape, np.bool_)
        found = protective_moves(PositionReader(position), nothing, owners(position.stones, nothing))
        assert np.flatnonzero(found.points).tolist() == [numbers.tolist().index(parse_gtp("D5", 9))], name
        assert not found.in_seki.any()
        assert taken(position) == [], name


def test_four_stones_for_two_and_an_eye_do_not_change_the_count() -> None:
    stones = Position.from_diagram("O O . X . / O O . X . / O O X X X / O O X X O / X . O O O").stones
    for colour in (BLACK, WHITE):
        position = Position.from_stones(colour * stones)
        chain = position.chain_at(parse_gtp("C1", 5))
        assert chain is not None and chain.liberties == (parse_gtp("B1", 5),)
        assert is_taken_back(PositionReader(position), chain, np.zeros((5, 5), np.bool_))


def test_a_group_that_its_protective_moves_kill_is_in_seki() -> None:
    """By a known count alone: exhaustive search of these 15 points, all of which can be emptied, takes half an hour."""
    for position, numbers in boards(SEKI, corner=True):
        nothing = np.zeros(position.stones.shape, np.bool_)
        found = protective_moves(PositionReader(position), nothing, owners(position.stones, nothing))
        assert not found.points.any()
        inside = np.isin(numbers, [parse_gtp(vertex, 9) for vertex in ("A9", "C9", "A7", "C7", "B9")])
        group = position.chain_at(numbers.tolist().index(parse_gtp("B7", 9)))
        assert group is not None and found.in_seki.flat[list(group.points)].all()
        counted = count(position, nothing, Terms(RULESETS["japanese"], 0), seki=found.in_seki)
        assert not counted.owner.ravel()[inside & (position.flat == EMPTY)].any()
        assert counted.seki.sum() == 11
