"""Benson's pass-alive chains and regions, as pairs of diagrams: stones, and what they own for ever."""

import pytest

from goban import text_diagram
from goban.pass_alive import pass_alive

CASES = [
    (
        "two eyes",
        ". X . X O . / X X X X O . / O O O O O . / . . . . . . / . . . . . . / . . . . . .",
        "X X X X . . / X X X X . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "one eye is not enough",
        ". X X X O . / X X X X O . / O O O O O . / . . . . . . / . . . . . . / . . . . . .",
        ". . . . . . / . . . . . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "two chains that share two eyes",
        ". X O . / X . X O / O X X O / O O O O",
        ". . . . / . . . . / . . . . / . . . .",
    ),
    (
        "one region in which every point is a liberty is one eye still",
        ". . X O / X X X O / O O O O / . . . .",
        ". . . . / . . . . / . . . . / . . . .",
    ),
    (
        "a stone of the opponent inside changes nothing",
        ". X . O X O / X X X X X O / O O O O O O / . . . . . . / . . . . . . / . . . . . .",
        "X X X X X . / X X X X X . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "room to live inside is still open",
        ". X . X . . / X X X X . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
        "X X X X . . / X X X X . . / . . . . . . / . . . . . . / . . . . . . / . . . . . .",
    ),
    (
        "both colours",
        ". X . X O / X X X X O / O O O O O / O . O O . / O O . O O",
        "X X X X O / X X X X O / O O O O O / O O O O O / O O O O O",
    ),
    ("the empty board", "... / ... / ...", "... / ... / ..."),
    ("a lone stone", "... / .X. / ...", "... / ... / ..."),
]


@pytest.mark.parametrize(("name", "stones", "alive"), CASES)
def test_pass_alive(name: str, stones: str, alive: str) -> None:
    board = text_diagram.parse_diagram(stones)
    found = pass_alive(len(board), board.ravel()).reshape(board.shape)
    assert text_diagram.render_text(found) == text_diagram.render_text(text_diagram.parse_diagram(alive)), name
