"""What KataGo's networks read."""

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from goban import text_diagram
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from planes.katago_inputs import KATAGO_NUMBERS, katago_numbers, katago_planes
from tests.support.katago_planes import plain_planes
from tests.support.random_games import board_of, random_game

AREA, TERRITORY = Terms(RULESETS["chinese"], 7.5), Terms(RULESETS["japanese"], 6.5)


def plane(position: Position, number: int, terms: Terms = AREA) -> str:
    return text_diagram.render_text(katago_planes([position], [terms])[0, :, :, number].astype(np.int8))


def drawn(text: str) -> str:
    return text_diagram.render_text(text_diagram.parse_diagram(text))


def numbers(position: Position, terms: Terms) -> list[float]:
    found: list[float] = katago_numbers([position], [terms])[0].tolist()
    return found


@settings(max_examples=60)
@given(
    side=st.integers(2, 7), seed=st.integers(0, 10**6), length=st.integers(0, 90), rules=st.sampled_from(list(RULESETS))
)
def test_planes_are_those_of_plain_python(side: int, seed: int, length: int, rules: str) -> None:
    game = random_game(side, seed, length)
    position = Position.from_stones(board_of(side, game.setup))
    for point, colour in game.moves:
        position = position.play(point, colour, suicide=True)
    terms = Terms(RULESETS[rules], 7.0)
    found, expected = katago_planes([position], [terms])[0], plain_planes(position, terms)
    wrong = [number for number in range(found.shape[2]) if (found[..., number] != expected[..., number]).any()]
    assert not wrong, f"planes {wrong} of\n{position}"


@pytest.mark.long
@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_kos_in_ladders_are_read_as_in_plain_python(seed: int) -> None:
    random = np.random.default_rng(seed)
    stones = random.choice([0, 0, BLACK, WHITE], (6, 6)).astype(np.int8)
    stones[:3, :4] = text_diagram.parse_diagram(". X O . / X O . O / . X O . / . . . .")[:3]
    try:
        before = Position.from_stones(stones, BLACK)
    except InputError:
        reject()
    taken = before.play(8)
    assume(taken.ko == 7)
    for position in (before, taken, taken.play(36), taken.play(int(taken.legal_points().argmax()))):
        found, expected = katago_planes([position], [AREA])[0], plain_planes(position, AREA)
        assert (found == expected).all(), repr(position)


def test_a_ko_is_shown_until_it_may_be_taken_back() -> None:
    position = Position.from_diagram(". X O . . / X . X O . / . X O . . / . . . . . / . . . . .", WHITE)
    taken = Position.from_diagram(". X O . . / X O . O . / . X O . . / . . . . . / . . . . .").play(7)
    assert plane(taken, 6) == drawn(". . . . . / . X . . . / . . . . . / . . . . . / . . . . .")
    assert plane(position, 6) == drawn("/".join(5 * [". . . . ."]))


def test_ladders_are_shown_as_they_were_before_the_last_two_moves() -> None:
    running = Position.from_diagram("X O . . . / X X . . . / . . . . . / . . . . . / . . . . .", WHITE)
    stone = drawn(". X . . . / . . . . . / . . . . . / . . . . . / . . . . .")
    none = drawn("/".join(5 * [". . . . ."]))
    captured = running.play(17).play(2)
    assert [plane(running, number) for number in (14, 15, 16)] == 3 * [stone]
    assert [plane(captured, number) for number in (14, 15, 16)] == [none, stone, stone]


def test_moves_that_catch_in_a_ladder() -> None:
    position = Position.from_diagram(". O . . . / X X . . . / . . . . . / . . . . . / . . . . .", BLACK)
    assert plane(position, 17) == drawn("X . X . . / . . . . . / . . . . . / . . . . . / . . . . .")


def test_areas_may_be_those_with_suicide_allowed_under_all_rules() -> None:
    """The centre of the large eye is no liberty of Black's chain. The chain has one other eye."""
    position = Position.from_diagram(
        "X X X X . . O / X X . X X . . / X . O . X . . / X X . X X . . / X X X X . . . / X X . . . . . / . X . . . . .",
        BLACK,
    )
    usual, strict = (katago_planes([position], [AREA], each)[0, :, :, 18:20] for each in (False, True))
    [allowed] = katago_planes([position], [Terms(RULESETS["new-zealand"], 7.5)])[:, :, :, 18:20]
    assert (strict == allowed).all()
    assert usual[2, 2].tolist() == [1, 0] and strict[2, 2].tolist() == [0, 1]


def test_dead_stones_inside_a_living_group_are_its_area() -> None:
    position = Position.from_diagram(". X . X O / X X O X O / . X X X O / X X O O O / O O . . .")
    own = katago_planes([position], [AREA])[0, :, :, 18].astype(np.int8)
    assert own[1, 2] == 1, "a stone in an eye of two points"
    assert katago_planes([position], [TERRITORY])[0, :, :, 18:20].sum() == 0


def test_passes_and_what_they_end() -> None:
    position = Position.empty(5).play(12).play(25)
    assert numbers(position, AREA)[:5] == [1, 0, 0, 0, 0]
    assert numbers(position, AREA)[14] == 1
    assert numbers(position.play(25), AREA)[:5] == [1, 0, 0, 0, 0], "one of the passes that end a game"
    assert numbers(position.play(7), AREA)[:2] == [0, 1]
    assert numbers(position.play(7), AREA)[14] == 0


def test_a_move_out_of_turn_hides_the_moves_before() -> None:
    turned = Position.empty(5).play(12)
    turned = Position.from_stones(turned.stones, BLACK, recent=turned.recent)
    assert katago_planes([turned], [AREA])[..., 9:14].sum() == 0


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ("chinese", {6: 1, 7: 0.5}),
        ("tromp-taylor", {6: 1, 7: 0.5, 8: 1}),
        ("japanese", {9: 1, 10: 1}),
    ],
)
def test_rules(rules: str, wanted: dict[int, float]) -> None:
    found = numbers(Position.empty(9), Terms(RULESETS[rules], 0))
    assert {index: found[index] for index in (6, 7, 8, 9, 10) if found[index]} == wanted
    assert len(found) == KATAGO_NUMBERS


def test_komi_is_the_side_to_moves() -> None:
    empty = Position.empty(9)
    assert numbers(empty, AREA)[5] == pytest.approx(-7.5 / 20)
    assert numbers(empty.play(81), AREA)[5] == pytest.approx(7.5 / 20)
    assert numbers(empty, Terms(RULESETS["chinese"], 500))[5] == pytest.approx(-(81 + 60) / 20)
    assert numbers(empty, Terms(RULESETS["chinese"], 0.5, handicap=3))[5] == pytest.approx(-3.5 / 20)


def test_stones_played_are_charged_under_territory_rules() -> None:
    position = Position.from_diagram("X X . / . . . / . . O", prisoners=(1, 0))
    assert numbers(position, Terms(RULESETS["japanese"], 0))[5] == pytest.approx(-(2 - 1 - 1) / 20)
    assert numbers(Position.empty(5).play(3), Terms(RULESETS["japanese"], 0))[5] == pytest.approx(1 / 20)


@pytest.mark.parametrize(
    ("komi", "side", "wave"),
    [(0, 8, 0), (0.5, 8, 0.5), (1, 8, 0), (1.5, 8, -0.5), (7.5, 9, 0.5), (7, 9, 0), (6.5, 9, -0.5), (6, 9, 0)],
)
def test_parity(komi: float, side: int, wave: float) -> None:
    white = Position.empty(side).play(side * side)
    assert numbers(white, Terms(RULESETS["chinese"], komi))[18] == pytest.approx(wave)
