"""Which chains a ladder catches, and the moves that decide it, as diagrams: stones, then what is found alone."""

import pytest

from goban import text_diagram
from goban.coords import BLACK, WHITE
from tests.support.ladders import ladders

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
    (
        "kos that can lead in circles",
        ". O . / O X . / X . X",
        ". O . / . X . / . . X",
    ),
]
# Name, stones, whose moves, those that catch a chain, those that save one.
MOVES = [
    (
        "only one side is the right one",
        ". . . . . . . / . . . . . . . / . . X . . . . / . X O X . . . / . X O . . . . / . . . . . . . / . . . . . . .",
        BLACK,
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . X . . . . / . . . . . . .",
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "a breaker saves the chain that runs towards it",
        ". . . . . . . / . X X . . . . / X O . . . . . / . X . . . . . / . . . . . . . / . . . . . O . / . . . . . . .",
        WHITE,
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
        ". . . . . . . / . . . . . . . / . . O . . . . / . . . . . . . / . . . . . . . / . . . . . . . / . . . . . . .",
    ),
    (
        "no move saves what the edge stops",
        ". . . . . / . . . . . / . . . . . / X X . . . / O . X . .",
        WHITE,
        ". . . . . / . . . . . / . . . . . / . . . . . / . . . . .",
        ". . . . . / . . . . . / . . . . . / . . . . . / . . . . .",
    ),
    (
        "capturing an attacker saves as well as joining a friend",
        ". . O . . / . O X . . / . . O X . / . . X . . / . . . . .",
        WHITE,
        ". . . . . / . . . . . / . . . . . / . . . . . / . . . . .",
        ". . . . . / . . . O . / . O . . . / . . . . . / . . . . .",
    ),
]


@pytest.mark.parametrize(("name", "stones", "caught"), CASES)
def test_ladders(name: str, stones: str, caught: str) -> None:
    board = text_diagram.parse_diagram(stones)
    found = ladders(len(board), board.ravel(), BLACK, False, -1)[0]
    assert text_diagram.render_text(board * found.reshape(board.shape)) == text_diagram.render_text(
        text_diagram.parse_diagram(caught)
    ), name


@pytest.mark.parametrize(("name", "stones", "colour", "catching", "saving"), MOVES)
def test_ladder_moves(name: str, stones: str, colour: int, catching: str, saving: str) -> None:
    board = text_diagram.parse_diagram(stones)
    found = ladders(len(board), board.ravel(), colour, False, -1)[1:]
    for marked, expected in zip(found, (catching, saving), strict=True):
        assert text_diagram.render_text(colour * marked.reshape(board.shape)) == text_diagram.render_text(
            text_diagram.parse_diagram(expected)
        ), name
