"""Positions: their contents, errors and answers."""

import pickle
from typing import Any

import numpy as np
import pytest

from goban.coords import BLACK, WHITE, parse_gtp
from goban.errors import InputError
from goban.position import Chain, Position

CHAINS = """
   A B C D
 4 X X . O 4
 3 . O O O 3
 2 . . X . 2
 1 . . X . 1
   A B C D
"""


def test_chains_with_their_liberties() -> None:
    assert Position.from_diagram(CHAINS).chains() == (
        Chain(BLACK, (0, 1), (2, 4)),
        Chain(WHITE, (3, 5, 6, 7), (2, 4, 9, 11)),
        Chain(BLACK, (10, 14), (9, 11, 13, 15)),
    )


def test_chain_ids_are_the_smallest_index_of_the_chain() -> None:
    expected = [[0, 0, 2, 3], [4, 3, 3, 3], [8, 9, 10, 11], [12, 13, 10, 15]]
    ids = Position.from_diagram(CHAINS).chain_ids()
    assert ids.tolist() == expected
    assert ids.dtype == np.int32


def test_a_position_is_immutable() -> None:
    position = Position.empty(9)
    with pytest.raises(ValueError, match="read-only"):
        position.stones[0, 0] = 1
    with pytest.raises(AttributeError, match="immutable"):
        position.ko = 3
    with pytest.raises(TypeError, match="from_diagram"):
        Position(9)


def test_the_given_stones_are_copied() -> None:
    stones = np.zeros((5, 5), np.int8)
    position = Position.from_stones(stones)
    stones[0, 0] = 1
    assert position == Position.empty(5)


def test_repr_makes_an_equal_position() -> None:
    position = Position.from_diagram(".XO. / X.XO / .XO. / ....", WHITE).play(5).play(0)
    assert eval(repr(position)) == position
    assert eval(repr(position)).hash == position.hash


def test_pickle_keeps_the_position_and_its_immutability() -> None:
    position = Position.from_diagram(".XO. / X.XO / .XO. / ....", WHITE).play(5)
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert not copy.stones.flags.writeable


def test_equality_compares_more_than_the_hash_of_the_stones() -> None:
    one = Position.empty(9).play(0).play(1).play(2)
    other = Position.empty(9).play(2).play(1).play(0)
    assert one.hash == other.hash
    assert one != other
    assert one != Position.from_stones(one.stones, WHITE)
    assert len({one, other, Position.empty(9).play(0).play(1).play(2)}) == 2


def test_recent_moves_newest_first_seven_at_most() -> None:
    position = Position.empty(9)
    for point in (1, 3, 4, 81, 5, 6, 7, 8):
        position = position.play(point)
    assert position.recent == (8, 7, 6, 5, 81, 4, 3)


def test_a_pass_keeps_the_stones_and_changes_the_side() -> None:
    position = Position.empty(9).play(81)
    assert (position.to_move, position.hash) == (WHITE, 0)
    assert not position.stones.any()


def test_either_colour_may_be_played() -> None:
    position = Position.empty(9).play(40, WHITE)
    assert position.stones[4, 4] == WHITE
    assert position.to_move == BLACK


def test_legal_points_include_the_pass() -> None:
    legal = Position.from_diagram(".O. / O.. / ..X").legal_points()
    assert np.flatnonzero(legal).tolist() == [2, 4, 5, 6, 7, 9]
    assert legal.dtype == np.bool_


@pytest.mark.parametrize("side", [2, 3, 9, 13, 19, 25])
def test_all_points_of_an_empty_board_are_legal(side: int) -> None:
    assert Position.empty(side).legal_points().all()
    assert Position.empty(side).play(side * side - 1).stones[-1, -1] == BLACK


@pytest.mark.parametrize("side", [-1, 0, 1, 26])
def test_other_sides_are_refused(side: int) -> None:
    with pytest.raises(InputError, match=rf"2\.\.25.*{side}"):
        Position.empty(side)


@pytest.mark.parametrize(
    ("stones", "message"),
    [
        (np.zeros((3, 4)), r"shape \(N, N\).*\(3, 4\)"),
        (np.zeros(9), r"shape \(N, N\).*\(9,\)"),
        (np.zeros((1, 1)), "shape"),
        (np.zeros((26, 26)), "shape"),
        (np.full((3, 3), 3), "Received: 3"),
        ([[0, 1], [1]], "rows of different lengths"),
        ([[1, -1], [-1, 0]], "none at A2"),
        ([".X", "X."], r"Received: text; Position\.from_diagram"),
        ([[".", "X"], ["X", "."]], r"Received: text; Position\.from_diagram"),
    ],
)
def test_impossible_stones_are_refused(stones: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Position.from_stones(stones)  # type: ignore[arg-type]


@pytest.mark.parametrize(("to_move", "ko"), [(0, -1), (2, -1), (1, 9), (1, -2), (1, 0)])
def test_impossible_sides_and_kos_are_refused(to_move: int, ko: int) -> None:
    with pytest.raises(InputError, match=r"expected to_move 1 \(Black\)|expected ko as an empty point"):
        Position.from_stones([[1, 0, 0], [0, 0, 0], [0, 0, 0]], to_move, ko=ko)


@pytest.mark.parametrize(
    ("rest", "error", "message"),
    [
        ({"prisoners": (1,)}, InputError, r"two numbers from 0 up\. Received: \(1,\)"),
        ({"prisoners": (-1, 0)}, InputError, r"Received: \(-1, 0\)"),
        ({"prisoners": 5}, TypeError, "prisoners as two numbers"),
        ({"prisoners": (1.5, 0)}, TypeError, r"Received: float 1\.5"),
        ({"recent": (10,)}, InputError, r"expected last moves 0\.\.9\. Received: 10"),
        ({"recent": (-1,)}, InputError, "Received: -1"),
        ({"recent": 5}, TypeError, "last moves as flat indices"),
        ({"recent": ("A1",)}, TypeError, "Received: str 'A1'"),
    ],
)
def test_impossible_prisoners_and_last_moves_are_refused(
    rest: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Position.from_diagram("...\n...\n...", **rest)


def test_a_position_keeps_prisoners_and_last_moves_given_as_lists() -> None:
    position = Position.from_stones(np.zeros((3, 3)), prisoners=np.array([3, 1]), recent=[9, 9])  # type: ignore[arg-type]
    assert (position.prisoners, position.recent) == ((3, 1), (9, 9))
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(position) == hash(Position.from_stones(np.zeros((3, 3)), prisoners=(3, 1), recent=(9, 9)))


def test_handicap_stones() -> None:
    stones = np.zeros(361, np.int8)
    stones[[parse_gtp(vertex, 19) for vertex in ("D4", "Q16", "D16", "Q4")]] = BLACK
    position = Position.from_stones(stones.reshape(19, 19), WHITE)
    assert len(position.chains()) == 4
    assert position.play(parse_gtp("Q14", 19)).to_move == BLACK
    with pytest.raises(InputError, match="occupied"):
        position.play(parse_gtp("D4", 19))


def test_means_over_chains() -> None:
    position = Position.from_diagram("X X . / . O . / . O O")
    values = np.arange(9, dtype=np.float32).reshape(3, 3)
    expected = [[0.5, 0.5, 2], [3, 19 / 3, 5], [6, 19 / 3, 19 / 3]]
    np.testing.assert_allclose(position.chain_means(values), expected, atol=1e-5)


def test_moves_and_chains_by_vertex() -> None:
    position = Position.empty(5).play("C3").play("pass").play("c2")
    assert position.stones.tolist() == Position.from_diagram("...../...../..X../..X../.....").stones.tolist()
    chain = position.chain_at("C2")
    assert chain is not None
    assert (chain.colour, chain.points, chain.liberties) == (1, (12, 17), (7, 11, 13, 16, 18, 22))
    assert position.chain_at(12) == chain
    assert position.chain_at("A1") is None
    assert position.is_legal("A1") and position.is_legal("pass") and not position.is_legal("C3")
    with pytest.raises(InputError, match=r"expected a vertex A1\.\.E5 or pass\. Received: 'F1'"):
        position.play("F1")
    with pytest.raises(InputError, match="Received: 'F1'"):
        position.is_legal("F1")
    with pytest.raises(InputError, match=r"expected a point of the board\. Received: pass"):
        position.chain_at("pass")


def test_white_is_two_in_other_programs() -> None:
    drawn = Position.from_diagram([".X.", "XO.", ".OX"])
    assert Position.from_stones([[0, 1, 0], [1, 2, 0], [0, 2, 1]]) == drawn
    assert Position.from_stones([[0, 1, 0], [1, -1, 0], [0, -1, 1]]) == drawn
