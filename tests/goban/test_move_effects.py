"""The effects of moves: own eyes, captures, rescues, ataris, vital points, and sensible moves."""

import numpy as np
import pytest

from goban import text_diagram
from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from goban.move_effects import ATARIS, CAPTURES, OWN_EYE, SAVES, VITAL, move_flags, sensible_moves
from goban.position import Position


def points(text: str, side: int) -> set[int]:
    return {parse_gtp(vertex, side) for vertex in text.split()}


@pytest.mark.parametrize(
    ("board", "eyes"),
    [
        (". X . / X X X / . X .", "A3 C3 A1 C1"),
        (". X O / X O . / . . .", ""),
        (". X . / X X . / . . .", "A3"),
        (". X . . / X . X . / . X . . / . . . .", "A4 B3"),
        ("O X . . / X . X . / . X O . / . . . .", ""),
        ("O X . . / X . X . / . X . . / . . . .", "B3"),
        (". . / . .", ""),
    ],
)
def test_own_eyes(board: str, eyes: str) -> None:
    stones = text_diagram.parse_diagram(board)
    marks = move_flags(len(stones), stones.ravel(), BLACK)
    assert set(np.flatnonzero(marks & OWN_EYE).tolist()) == points(eyes, len(stones))


@pytest.mark.parametrize(
    ("board", "captures", "saves", "ataris"),
    [
        (". O X / O . . / . . .", "", "C2", "A3 B2"),
        ("O X . / . . . / . . .", "A2", "", ""),
        ("X O . / . . . / . . .", "", "A2", "C3 B2"),
        ("X X O / . O . / O . .", "C2", "A2", "A2 B1"),
    ],
)
def test_what_moves_do(board: str, captures: str, saves: str, ataris: str) -> None:
    stones = text_diagram.parse_diagram(board)
    marks = move_flags(len(stones), stones.ravel(), BLACK)
    for kind, wanted in ((CAPTURES, captures), (SAVES, saves), (ATARIS, ataris)):
        assert set(np.flatnonzero(marks & kind).tolist()) == points(wanted, len(stones))


@pytest.mark.parametrize(
    ("board", "vital"),
    [
        ("O O O O . / X X X O . / . . X O . / X . X O . / X X X O .", "A3 B3 B2"),
        ("O O O O . / X X . O . / . X . O . / . . X O . / . X X O .", "A3 A2 B2 A1 C4 C3"),
        (". . . . . / . . . . . / . . . . . / X X . . . / . X . . .", ""),
        ("O O O . . / X X O . . / . . O O . / . . . O . / . . O O .", ""),
    ],
)
def test_small_eye_spaces_of_weak_chains(board: str, vital: str) -> None:
    stones = text_diagram.parse_diagram(board)
    for colour in (BLACK, WHITE):
        marks = move_flags(len(stones), stones.ravel(), colour)
        assert set(np.flatnonzero(marks & VITAL).tolist()) == points(vital, len(stones))


@pytest.mark.parametrize(
    ("board", "colour", "moves"),
    [
        (". X . / X X X / . X .", BLACK, ""),
        (". X . / X X X / . X .", WHITE, ""),
        (". O . / O X . / . . .", BLACK, "C3 C2 A1 B1 C1"),
        (". O X / X X . / . . .", BLACK, "A3 C2 A1 B1 C1"),
        (". X O O / X O O . / . X O . / . . . .", BLACK, "A4 D3 A2 D2 A1 B1 C1 D1"),
    ],
)
def test_sensible_moves_are_legal_and_fill_an_own_eye_only_to_save_a_chain(board: str, colour: int, moves: str) -> None:
    position = Position.from_diagram(board, colour)
    assert [gtp_name(point, position.side) for point in sensible_moves(position)] == moves.split()
