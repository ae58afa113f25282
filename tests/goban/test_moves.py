"""Single moves, as tables of diagrams before and after."""

import pytest

from goban import text_diagram
from goban.coords import BLACK, WHITE, parse_gtp
from goban.errors import InputError
from goban.game import Game
from goban.position import IllegalMove, Position
from goban.rulesets import RULESETS, Terms

# name, before, colour, vertex, after, (captured by Black, by White)
LEGAL = [
    ("a stone", "... / ... / ...", BLACK, "B2", "... / .X. / ...", (0, 0)),
    ("capture in the corner", "OX. / ... / ...", BLACK, "A2", ".X. / X.. / ...", (1, 0)),
    ("capture at the edge", "XOX / ... / ...", BLACK, "B2", "X.X / .X. / ...", (1, 0)),
    ("capture of a chain", ".XX. / XOOX / .XO. / ..X.", BLACK, "D2", ".XX. / X..X / .X.X / ..X.", (3, 0)),
    ("two chains with one move", "XO.OX / .X.X. / ..... / ..... / .....", BLACK, "C5",
     "X.X.X / .X.X. / ..... / ..... / .....", (2, 0)),
    ("captures before it looks at its own liberties", ".OX / OXX / XX.", BLACK, "A3", "X.X / .XX / XX.", (2, 0)),
    ("fills the last shared liberty", "OXO. / .XO. / XXO. / OOO.", WHITE, "A3",
     "O.O. / O.O. / ..O. / OOO.", (0, 4)),
    ("four chains with one move", "..O.. / .OXO. / OX.XO / .OXO. / ..O..", WHITE, "C3",
     "..O.. / .O.O. / O.O.O / .O.O. / ..O..", (0, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "colour", "vertex", "after", "prisoners"), LEGAL)
def test_legal_move(name: str, before: str, colour: int, vertex: str, after: str, prisoners: tuple[int, int]) -> None:
    position = Position.from_diagram(before, colour)
    played = position.play(parse_gtp(vertex, position.side))
    assert str(played) == text_diagram.render_text(text_diagram.parse_diagram(after)), name
    assert played.prisoners == prisoners
    assert str(position) == text_diagram.render_text(text_diagram.parse_diagram(before)), (
        "the position before must not change"
    )


# name, before, colour, vertex, reason
ILLEGAL = [
    ("occupied by the opponent", "O.. / ... / ...", BLACK, "A3", "occupied"),
    ("occupied by itself", "X.. / ... / ...", BLACK, "A3", "occupied"),
    ("suicide in the corner", ".O. / O.. / ...", BLACK, "A3", "no liberties"),
    ("suicide of a chain", ".XO / OO. / ...", BLACK, "A3", "no liberties"),
    ("suicide in the centre", ".X. / X.X / .X.", WHITE, "B2", "no liberties"),
]


@pytest.mark.parametrize(("name", "before", "colour", "vertex", "reason"), ILLEGAL)
def test_illegal_move(name: str, before: str, colour: int, vertex: str, reason: str) -> None:
    position = Position.from_diagram(before, colour)
    with pytest.raises(IllegalMove, match=f"{vertex}, .*{reason}"):
        position.play(parse_gtp(vertex, position.side))
    assert not position.is_legal(parse_gtp(vertex, position.side)), name


SUICIDE = [
    ("one stone", ".O. / O.. / ...", BLACK, "A3", ".O. / O.. / ...", (0, 1)),
    ("three stones", ".XO / XO. / O..", BLACK, "A3", "..O / .O. / O..", (0, 3)),
    ("two chains", "X.XO / OOO. / .... / ....", BLACK, "B4", "...O / OOO. / .... / ....", (0, 3)),
]


@pytest.mark.parametrize(("name", "before", "colour", "vertex", "after", "prisoners"), SUICIDE)
def test_suicide(name: str, before: str, colour: int, vertex: str, after: str, prisoners: tuple[int, int]) -> None:
    position = Position.from_diagram(before, colour)
    point = parse_gtp(vertex, position.side)
    assert not position.legal_points()[point]
    assert position.legal_points(suicide=True)[point]
    played = position.play(point, suicide=True)
    assert str(played) == text_diagram.render_text(text_diagram.parse_diagram(after)), name
    assert played.prisoners == prisoners
    assert played.ko == -1


KO = """
. X O .
X . X O
. X O .
. . . .
"""


def test_ko_is_forbidden_for_one_move() -> None:
    position = Position.from_diagram(KO, WHITE).play(parse_gtp("B3", 4))
    assert position.ko == parse_gtp("C3", 4)
    with pytest.raises(IllegalMove, match="ko"):
        position.play(position.ko)
    elsewhere = position.play(parse_gtp("A1", 4)).play(parse_gtp("D1", 4))
    assert elsewhere.ko == -1
    assert elsewhere.play(parse_gtp("C3", 4)).ko == parse_gtp("B3", 4)


def test_ko_binds_only_the_side_to_move() -> None:
    position = Position.from_diagram(KO, WHITE).play(parse_gtp("B3", 4))
    assert position.is_legal(position.ko, WHITE)
    assert not position.is_legal(position.ko)


def test_a_pass_lifts_the_ko() -> None:
    position = Position.from_diagram(KO, WHITE).play(parse_gtp("B3", 4)).play(16).play(16)
    assert position.is_legal(parse_gtp("C3", 4))


NOT_KO = [
    ("two stones captured", ".OX. / OXX. / X..X / ....", BLACK, "A4"),
    ("a capturing stone with other liberties", "OX. / ... / ...", BLACK, "A2"),
]


@pytest.mark.parametrize(("name", "before", "colour", "vertex"), NOT_KO)
def test_no_ko_after(name: str, before: str, colour: int, vertex: str) -> None:
    position = Position.from_diagram(before, colour).play(parse_gtp(vertex, len(before.split("/"))))
    assert sum(position.prisoners) > 0, name
    assert position.ko == -1, name


def test_snapback() -> None:
    position = Position.from_diagram("..OX. / OOOX. / XXX.. / ..... / .....")
    for vertex in ("B5", "A5"):
        position = position.play(parse_gtp(vertex, 5))
    assert (position.prisoners, position.ko) == ((0, 1), -1)
    position = position.play(parse_gtp("B5", 5))
    assert str(position) == text_diagram.render_text(
        text_diagram.parse_diagram(".X.X. / ...X. / XXX.. / ..... / .....")
    )
    assert position.prisoners == (5, 1)


WITH_SUICIDE = RULESETS["tromp-taylor"]


def test_superko_forbids_a_whole_board_repetition() -> None:
    game = Game((Position.from_diagram(KO, WHITE),)).play(parse_gtp("B3", 4)).play(16).play(16)
    with pytest.raises(IllegalMove, match="repeats"):
        game.play(parse_gtp("C3", 4))
    assert game.repeats(parse_gtp("C3", 4))
    assert game.position.ko == -1, "simple ko alone would allow it"
    assert game.play(parse_gtp("C3", 4), superko=False).position.hash == game.start.hash


def test_superko_forbids_single_stone_suicide() -> None:
    game = Game((Position.from_diagram(".O. / O.. / ..."),), ruleset=WITH_SUICIDE)
    assert not game.legal_points()[0]


def test_superko_allows_suicide_of_a_chain() -> None:
    game = Game((Position.from_diagram(".XO / OO. / ..."),), ruleset=WITH_SUICIDE)
    assert game.legal_points()[0]
    assert game.play(0).position.prisoners == (0, 2)


def test_superko_forbids_sending_two_returning_one() -> None:
    start = Position.from_diagram(".X.O. / XOOO. / XX... / ..... / .....")
    game = Game((start,)).play(parse_gtp("C5", 5)).play(parse_gtp("A5", 5))
    with pytest.raises(IllegalMove, match="repeats"):
        game.play(parse_gtp("B5", 5))
    assert game.position.play(parse_gtp("B5", 5)).hash == start.hash, "simple ko alone allows it"


def test_vertices_are_kept_as_flat_indices() -> None:
    game = Game.empty(5).play("C3").play("pass").play("PASS")
    assert game.indexed_moves == ((BLACK, 12), (WHITE, 25), (BLACK, 25))
    assert game.ended
    assert not game.repeats("pass")
    ko = Game((Position.from_diagram(KO, WHITE),)).play("B3").play("pass").play("pass")
    assert ko.repeats("C3")
    with pytest.raises(IllegalMove, match="Black C3, it repeats"):
        ko.play("C3")


def test_undo_takes_back_the_position_and_the_ban() -> None:
    game = Game.empty(5).play(3).play(4)
    assert game.undo().position == Position.empty(5).play(3)
    assert game.undo().indexed_moves == ((BLACK, 3),)
    assert game.undo().play(4).position.recent == (4, 3)
    with pytest.raises(InputError, match=r"expected 0\.\.2 moves to take back"):
        game.undo(3)


def test_a_game_has_the_terms_of_its_count() -> None:
    game = Game.empty(9, ruleset=RULESETS["chinese"], komi=0.5).with_setup({20: BLACK, 60: BLACK}, WHITE, handicap=2)
    assert game.terms == Terms(RULESETS["chinese"], 0.5, 2)
    assert game.terms.total_komi == 2.5


@pytest.mark.parametrize("colour", [0, 7, -2, 2])
def test_only_black_and_white_play(colour: int) -> None:
    position = Position.empty(5)
    for asked in (position.play, position.is_legal, Game.empty(5).play):
        with pytest.raises(InputError, match=rf'"B" or 1 \(Black\), "W" or -1 \(White\)\. Received: {colour}'):
            asked(0, colour)
        with pytest.raises(InputError, match="expected the colour"):
            asked(25, colour)
    for asked_all in (position.legal_moves, Game.empty(5).legal_points):
        with pytest.raises(InputError, match="expected the colour"):
            asked_all(colour)


def test_off_the_board() -> None:
    with pytest.raises(IllegalMove, match="point 26, it is off the board"):
        Position.empty(5).play(26)
