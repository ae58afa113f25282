"""Moves as users write them, and games and records that show them in the same form."""

from typing import Any

import numpy as np
import pytest

from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban.coords import BLACK, WHITE, gtp_name
from goban.errors import InputError
from goban.game import Game
from goban.move_notation import Vertex
from goban.position import IllegalMove, Position
from goban.rulesets import RULESETS

KO = """
. X O .
X O . O
. X O .
. . . .
"""
EVERY = [gtp_name(point, 4) for point in range(17)]


@pytest.mark.parametrize("vertex", ["D4", "d4", (5, 3), [5, 3], 48, np.int64(48), (np.int8(5), np.int8(3))])
def test_a_vertex_has_several_forms(vertex: Any) -> None:
    assert Position.empty(9).play(vertex) == Position.empty(9).play("D4")
    assert Game.empty(9).play(vertex).moves == (("B", "D4"),)
    assert Position.empty(9).is_legal(vertex)
    chain = Position.empty(9).play("D4").chain_at(vertex)
    assert chain is not None and chain.points == (48,)


@pytest.mark.parametrize("vertex", ["pass", "PASS", None, 81])
def test_a_pass_has_several_forms(vertex: Vertex) -> None:
    assert Game.empty(9).play(vertex).moves == (("B", "pass"),)


def test_rows_begin_at_the_top_as_in_arrays() -> None:
    assert Position.empty(9).play((0, 8)).stones[0, 8] == BLACK
    assert Game.empty(9).play((0, 8)).moves == (("B", "J9"),)


@pytest.mark.parametrize("colour", ["W", "w", "white", "White", WHITE, np.int8(-1)])
def test_a_colour_has_several_forms(colour: Any) -> None:
    assert Game.empty(9).play("E5", colour).moves == (("W", "E5"),)
    assert Position.empty(9).play("E5", colour).stones[4, 4] == WHITE
    assert Position.from_diagram(KO).legal_moves(colour) == Position.from_diagram(KO).legal_moves(WHITE)


@pytest.mark.parametrize(
    ("vertex", "error", "message"),
    [
        (4.0, TypeError, r'a vertex such as "D4" or "pass", \(row, column\), a flat index, or None for a pass\.'),
        (True, TypeError, "expected a vertex .* Received: bool True"),
        ((4, 4, 4), TypeError, r"expected a vertex .* Received: tuple \(4, 4, 4\)"),
        (("B", "D4"), TypeError, r"expected a vertex .* Received: tuple \('B', 'D4'\)"),
        ((9, 0), InputError, r"expected \(row, column\), each 0\.\.8\. Received: \(9, 0\)"),
        ((-1, 0), InputError, r"expected \(row, column\), each 0\.\.8"),
        ("I5", InputError, r"expected a vertex A1\.\.J9 or pass\. Received: 'I5'"),
        ("ee", InputError, r"expected a vertex A1\.\.J9 or pass\. Received: 'ee'"),
        (82, IllegalMove, "point 82, it is off the board"),
    ],
)
def test_anything_else_is_refused_by_what_is_expected(vertex: Any, error: type[Exception], message: str) -> None:
    for play in (Position.empty(9).play, Game.empty(9).play):
        with pytest.raises(error, match=message):
            play(vertex)


@pytest.mark.parametrize("colour", ["x", "", "grey", True, 1.5])
def test_another_colour_is_refused(colour: Any) -> None:
    for play in (Position.empty(9).play, Game.empty(9).play):
        with pytest.raises(InputError, match=r'expected the colour "B" or 1 \(Black\), "W" or -1 \(White\)\. Received'):
            play("D4", colour)


def test_games_and_records_have_moves_of_one_form_which_play_all_takes() -> None:
    game = Game.empty(9).play("E5").play("C3").play("G3", "W").play(None)
    record = GameRecord.of_game(game, "test", parse_result(""))
    assert game.moves == record.moves == (("B", "E5"), ("W", "C3"), ("W", "G3"), ("B", "pass"))
    assert Game.empty(9).play_all(record.moves).position == record.position()
    assert game.indexed_moves == tuple(zip(record.move_colours.tolist(), record.move_points.tolist(), strict=True))
    assert game.undo().moves == game.moves[:-1]


def test_legal_moves_are_the_vertices_of_the_legal_points() -> None:
    position = Position.from_diagram(KO).play("C3")
    legal = ["D4", "A2", "D2", "A1", "B1", "C1", "D1", "pass"]  # without A4, which is suicide, and the ko at B3
    assert position.legal_moves() == legal
    assert legal == [name for name in EVERY if position.is_legal(name)]
    points = position.legal_points()
    assert str(points.dtype) == "bool"
    assert points.shape == (17,)
    assert points.sum() == 8


@pytest.mark.parametrize("ruleset", ["japanese", "aga", "tromp-taylor"])
def test_the_legal_moves_of_a_game_are_those_that_it_accepts(ruleset: str) -> None:
    game = Game((Position.from_diagram(KO),), ruleset=RULESETS[ruleset]).play("C3")
    for played in (game, game.play("pass").play("pass"), game.play("A1").play("D1")):
        assert played.legal_moves() == [name for name in EVERY if _accepts(played, name)]
        assert [gtp_name(point, 4) for point in np.flatnonzero(played.legal_points()).tolist()] == played.legal_moves()
    passed = game.play("pass").play("pass")
    assert ("B3" in passed.legal_moves()) == (ruleset == "japanese"), "the position before C3 comes back"
    assert "B3" in passed.position.legal_moves()


def _accepts(game: Game, vertex: str) -> bool:
    try:
        game.play(vertex)
    except IllegalMove:
        return False
    return True
