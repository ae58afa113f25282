"""Komi that records write as stones or in words, or do not write."""

import pytest

from game_records.assumed_terms import possible_terms, usual_komi
from game_records.komi import parse_komi
from game_records.sgf import parse_game
from goban.rulesets import RULESETS

STONES = [
    ("KM[350]RU[Chinese]RE[B+4]", 7.0),
    ("KM[350]RU[Chinese]", 7.0),
    ("KM[350]RU[Chinese]RE[B+4.5]", 3.5),
    ("KM[350]RU[Japanese]RE[B+4]", 3.5),
    ("KM[350]", 3.5),
    ("KM[350]RE[B+4]", 7.0),
    ("KM[-350]RU[Chinese]", -7.0),
    ("KM[3.5]RU[Chinese]", 3.5),
    ("KM[3.5]RU[Chinese]RE[B+4]", 7.0),
    ("KM[3.5]RU[Chinese]RE[B+4.5]", 3.5),
    ("KM[3.5]RU[Japanese]RE[B+4.5]", 3.5),
    ("KM[325]RU[Chinese]", 6.5),
    ("KM[3.75]RU[Chinese]", 7.5),
    ("KM[650]RU[Chinese]RE[B+4]", 6.5),
]
REVERSE = ["逆コミ7目", "逆ｺﾐ7目", "コミ逆7目", "倒贴7目", "倒貼7目", "역덤 7집", "reverse komi 7", "Reversed 7", "-7"]
# Date, rules, handicap and result, and the first terms.
ASSUMED = [
    ("1966-05-11", "", "B+22", "territory", 5.0),
    ("1966-05-11", "", "B+R", "territory", 4.5),
    ("1966-05-11", "", "B+0.5", "territory", 4.5),
    ("1935", "", "W+2", "territory", 0.0),
    ("1949", "", "B+R", "territory", 0.0),
    ("1950", "", "B+R", "territory", 4.5),
    ("1973", "", "B+R", "territory", 4.5),
    ("1974", "", "B+R", "territory", 5.5),
    ("2001", "", "B+R", "territory", 5.5),
    ("2001", "RU[Chinese]", "B+R", "chinese", 5.5),
    ("2002", "", "B+R", "area", 7.5),
    ("2002", "RU[Japanese]", "B+R", "japanese", 6.5),
    ("1985-03-01", "", "B+3.5", "territory", 5.5),
    ("1985-03-01", "RU[Chinese]", "B+3.5", "chinese", 5.5),
    ("1985-03-01", "", "Jigo", "territory", 5.0),
    ("2016", "", "B+3.5", "area", 7.5),
    ("2016", "RU[Japanese]", "B+3.5", "japanese", 6.5),
    ("2016", "RU[Chinese]", "B+3", "chinese", 7.0),
    ("", "", "B+R", "area", 7.5),
    ("", "HA[1]", "B+R", "area", 0.5),
    ("", "HA[1]", "B+3", "area", 0.0),
    ("1966", "HA[3]AB[dd][pp][dp]", "W+3", "territory", 0.0),
]


@pytest.mark.parametrize(("properties", "komi"), STONES)
def test_a_komi_in_stones(properties: str, komi: float) -> None:
    game = parse_game(f"(;SZ[9]{properties};B[ee])".encode())
    assert (game.komi, game.komi_given) == (komi, True)


@pytest.mark.parametrize("written", REVERSE)
def test_a_komi_that_white_gives_in_words(written: str) -> None:
    assert parse_komi(written) == -7.0


@pytest.mark.parametrize(("date", "properties", "result", "rules", "komi"), ASSUMED)
def test_the_first_terms_of_a_record_without_komi(
    date: str, properties: str, result: str, rules: str, komi: float
) -> None:
    game = parse_game(f"(;SZ[19]DT[{date}]RE[{result}]{properties};W[qd])".encode())
    candidates = possible_terms(game)
    assert (candidates[0].ruleset.name, candidates[0].komi) == (rules, komi)
    if game.result.score is not None:
        assert {(terms.komi - game.result.score) % 1 for terms in candidates} == {0.0}


def test_old_games_are_compared_with_every_komi_of_their_time() -> None:
    game = parse_game(b"(;SZ[19]DT[1960]RU[Japanese];B[qd];W[dd])")
    assert [terms.komi for terms in possible_terms(game)] == [4.5, 5.5, 5.0, 0.0]


@pytest.mark.parametrize(
    ("properties", "rules", "komi"),
    [
        ("KM[0]", "chinese", 7.5),
        ("KM[0]", "japanese", 6.5),
        ("KM[55]HA[3]AB[dd][pp][dp]RE[B+3]", "japanese", 0.0),
        ("KM[55]HA[3]AB[dd][pp][dp]RE[B+3.5]", "japanese", 0.5),
    ],
)
def test_a_usual_komi_is_one_of_the_rules(properties: str, rules: str, komi: float) -> None:
    game = parse_game(f"(;SZ[19]{properties};W[qd];B[dj])".encode())
    assert usual_komi(game, RULESETS[rules]) == komi
