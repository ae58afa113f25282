"""Which chains a ladder catches, as pairs of diagrams: stones, and the caught ones alone."""

import pytest

from goban import diagram, ladders

CASES = [
    (
        "a working ladder, the attacker to move",
        ". . . . . . . / . . . . . . . / . . X . . . . / . X O X . . . / . X O . . . . / . . . . . . . / . . . . . . .",
        ". . . . . . . / . . . . . . . / . . . . . . . / . . O . . . . / . . O . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "an atari from which a ladder runs to the edge",
        ". . . . . . . / . X X . . . . / X O . . . . . / . X . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
        ". . . . . . . / . . . . . . . / . O . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "a breaker in its way",
        ". . . . . . . / . X X . . . . / X O . . . . . / . X . . . . . / . . . . . . . / . . . . . O . / . . . . . . .",
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "escape by capturing the attacker",
        ". . . . . . . / . . . . . . . / . . X O . . . / . X O X O . . / . X O . . . . / . . . . . . . / . . . . . . .",
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "at the edge",
        ". . . . . / . . . . . / . . . . . / X X . . . / O . X . .",
        ". . . . . / . . . . . / . . . . . / . . . . . / O . . . .",
    ),
    (
        "three liberties are out of reach",
        ". . . . . / . . X . . / . . O . . / . . . . . / . . . . .",
        ". . . . . / . . . . . / . . . . . / . . . . . / . . . . .",
    ),
]


@pytest.mark.parametrize(("name", "stones", "caught"), CASES)
def test_ladders(name: str, stones: str, caught: str) -> None:
    board = diagram.parse(stones)
    found = board * ladders.ladders(len(board), board.ravel()).reshape(board.shape)
    assert diagram.render(found) == diagram.render(diagram.parse(caught)), name
