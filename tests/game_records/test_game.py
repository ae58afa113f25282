"""The assumptions about a record that names no rules or no komi."""

import pytest

from game_records.assumed_terms import (
    assumed_terms,
    likeliest_terms,
    possible_terms,
    with_usual_komi,
)
from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban.rulesets import RULESETS, Terms

AREA, TERRITORY = RULESETS["area"], RULESETS["territory"]


def record(properties: str) -> GameRecord:
    return parse_game(f"(;GM[1]{properties};B[aa])".encode())


@pytest.mark.parametrize(
    ("properties", "rules", "komi", "assumed"),
    [
        ("SZ[19]RU[Korean]KM[6.5]", "korean", 6.5, ()),
        ("SZ[19]KM[6.5]", "territory", 6.5, ("rules",)),
        ("SZ[19]KM[5.5]", "territory", 5.5, ("rules",)),
        ("SZ[19]KM[7.5]", "area", 7.5, ("rules",)),
        ("SZ[19]KM[0]", "area", 0.0, ("rules",)),
        ("SZ[19]KM[0]RE[B+3]", "area", 0.0, ("rules",)),
        ("SZ[19]KM[0]RE[B+2.5]", "area", 7.5, ("rules", "komi")),
        ("SZ[19]RU[Japanese]KM[0]RE[W+0.5]", "japanese", 6.5, ("komi",)),
        ("SZ[19]RU[Japanese]KM[0]HA[2]AB[dd][pp]RE[W+0.5]", "japanese", 0.5, ("komi",)),
        ("SZ[9]KM[6.5]", "area", 6.5, ("rules",)),
        ("SZ[19]RU[Japanese]", "japanese", 6.5, ("komi",)),
        ("SZ[19]RU[Chinese]", "chinese", 7.5, ("komi",)),
        ("SZ[19]RU[Chinese]KM[?]", "chinese", 7.5, ("komi",)),
        ("SZ[19]RU[Japanese]HA[2]AB[dd][pp]", "japanese", 0.5, ("komi",)),
        ("SZ[9]RU[Japanese]", "japanese", 0.0, ("komi",)),
        ("SZ[19]", "area", 7.5, ("rules", "komi")),
    ],
)
def test_what_a_record_means(properties: str, rules: str, komi: float, assumed: tuple[str, ...]) -> None:
    game = record(properties)
    terms = possible_terms(game)[0]
    assert (terms.ruleset.name, terms.komi, assumed_terms(game)) == (rules, komi, assumed)


def test_terms_of_the_caller_are_not_assumed() -> None:
    game = record("SZ[19]")
    assert assumed_terms(game, AREA) == ("komi",)
    assert assumed_terms(game, AREA, 0.0) == ()
    assert possible_terms(game, TERRITORY, 3.5) == [Terms(TERRITORY, 3.5)]


@pytest.mark.parametrize(
    ("properties", "recorded", "area", "territory", "expected"),
    [
        ("SZ[19]KM[6.5]", 1.5, 8, 9, Terms(AREA, 6.5)),  # only area rules give the recorded result
        ("SZ[19]KM[6.5]", 1.5, 8, 8, Terms(TERRITORY, 6.5)),  # both do, and the komi suggests territory rules
        ("SZ[19]KM[6.5]", 1.5, 30, 30, Terms(TERRITORY, 6.5)),  # neither does
        ("SZ[19]KM[7.5]", 1.5, 8, 9, Terms(TERRITORY, 7.5)),
        ("SZ[19]RU[Japanese]", 3.0, 4, 3, Terms(RULESETS["japanese"], 0.0)),
        ("SZ[19]RU[Japanese]", -2.5, 4, 3, Terms(RULESETS["japanese"], 5.5)),
        ("SZ[19]", 1.5, 9, 7, Terms(AREA, 7.5)),
        ("SZ[19]", 1.5, 20, 8, Terms(TERRITORY, 6.5)),
        ("SZ[9]RU[Chinese]", 1.0, 8, 8, Terms(RULESETS["chinese"], 7.0)),
        ("SZ[19]KM[6.5]", None, 8, 9, Terms(TERRITORY, 6.5)),
    ],
)
def test_the_recorded_result_decides(
    properties: str, recorded: float | None, area: float, territory: float, expected: Terms
) -> None:
    candidates = possible_terms(record(properties))
    leads = {name: (area,) if ruleset.counting == "area" else (territory,) for name, ruleset in RULESETS.items()}
    assert likeliest_terms(candidates, recorded, leads) == expected


def test_protective_moves_explain_a_result_by_the_usual_komi() -> None:
    candidates = possible_terms(record("SZ[19]RU[Japanese]"))
    assert likeliest_terms(candidates, 1.5, {"japanese": (9.0, 8.0)}).komi == 6.5
    assert likeliest_terms(candidates, 1.5, {"japanese": (9.0, 9.0)}).komi == 7.5


@pytest.mark.parametrize(
    ("properties", "komi"),
    [
        ("SZ[19]RU[Japanese]KM[0]RE[W+0.5]", 6.5),
        ("SZ[19]RU[Chinese]KM[0]RE[W+0.5]", 7.5),
        ("SZ[19]RU[Japanese]RE[W+0.5]", 6.5),
        ("SZ[19]RE[W+0.5]", 7.5),
        ("SZ[19]RU[Japanese]KM[0]HA[2]AB[dd][pp]RE[W+0.5]", 0.5),
        ("SZ[9]RU[Chinese]KM[0]RE[W+0.5]", 7.5),
    ],
)
def test_the_usual_komi_is_put_in_where_the_result_excludes_0(properties: str, komi: float) -> None:
    game = with_usual_komi(record(properties))
    assert (game.komi, game.komi_given) == (komi, False)


@pytest.mark.parametrize("properties", ["SZ[19]KM[0]RE[W+3]", "SZ[19]KM[0]RE[W+R]", "SZ[19]KM[5.5]RE[W+0.5]", "SZ[19]"])
def test_another_komi_stays(properties: str) -> None:
    game = record(properties)
    assert with_usual_komi(game) is game


@pytest.mark.parametrize(
    ("moves", "count"), [("", 0), (";B[];W[]", 0), (";B[aa];W[bb]", 2), (";B[aa];W[];B[bb];W[];B[]", 3)]
)
def test_passes_at_the_end_do_not_count_as_moves_before_them(moves: str, count: int) -> None:
    assert parse_game(f"(;SZ[9]{moves})".encode()).moves_before_passes == count
