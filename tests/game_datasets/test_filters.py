"""Which games are wanted, and which openings are the same."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_datasets.game_filter import GameFilter, Traits
from game_records.game_record import GameRecord
from game_records.result_property import Result
from game_records.sgf import parse_game
from goban import coords
from goban.coords import BLACK, WHITE, pass_point

GAME = Traits(side=19, moves=200, rules="japanese", black_rank="9d", white_rank="P3段", date="2010-02-15")

WANTED = [
    (GameFilter(), GAME),
    (GameFilter(), Traits(9, 0, "", "", "", "")),
    (GameFilter(min_rank=9), GAME),
    (GameFilter(min_rank=-17), GAME._replace(black_rank="18级")),
    (GameFilter(min_moves=200, max_moves=200), GAME),
    (GameFilter(max_moves=0), GAME._replace(moves=0)),
    (GameFilter(sides=(9, 19), rules=("chinese", "japanese")), GAME),
    (GameFilter(since=(2010,), until=(2010,)), GAME),
    (GameFilter(since=(2010, 2, 15), until=(2010, 2, 15)), GAME),
    (GameFilter(since=(2009, 12)), GAME),
    (GameFilter(until=(2010, 2)), GAME),
    (GameFilter(since=(2010, 6)), GAME._replace(date="2010")),
    (GameFilter(until=(2010, 6, 1)), GAME._replace(date="2010/6")),
]

REFUSED = [
    (GameFilter(min_rank=10), GAME, "rank of Black 9d, expected 1p or more"),
    (GameFilter(min_rank=13), GAME._replace(black_rank="5p"), "rank of White P3段, expected 4p or more"),
    (GameFilter(min_rank=-29), GAME._replace(white_rank=""), "rank of White missing, expected 30k or more"),
    (GameFilter(min_rank=0), GAME._replace(black_rank="?"), "rank of Black ?, expected 1k or more"),
    (GameFilter(min_moves=201), GAME, "200 moves, expected 201 or more"),
    (GameFilter(max_moves=199), GAME, "200 moves, expected 199 or fewer"),
    (GameFilter(min_moves=10, max_moves=99), GAME, "200 moves, expected 10 to 99"),
    (GameFilter(sides=(9, 13)), GAME, "side 19, expected 9 or 13"),
    (GameFilter(rules=("chinese",)), GAME, "rules japanese, expected chinese"),
    (GameFilter(rules=("chinese",)), GAME._replace(rules=""), "rules missing, expected chinese"),
    (GameFilter(since=(2010, 3)), GAME, "date 2010-02-15, expected 2010-03 or later"),
    (GameFilter(until=(2010, 2, 14)), GAME, "date 2010-02-15, expected 2010-02-14 or earlier"),
    (GameFilter(since=(2011,), until=(2012,)), GAME, "date 2010-02-15, expected 2011 to 2012"),
    (GameFilter(until=(2011,)), GAME._replace(date=""), "date missing, expected 2011 or earlier"),
    (GameFilter(since=(2011,)), GAME._replace(date="long ago"), "date long ago, expected 2011 or later"),
]


@pytest.mark.parametrize(("chosen", "traits"), WANTED)
def test_wanted(chosen: GameFilter, traits: Traits) -> None:
    assert chosen.refusal(traits) == ""


@pytest.mark.parametrize(("chosen", "traits", "refusal"), REFUSED)
def test_refused(chosen: GameFilter, traits: Traits, refusal: str) -> None:
    assert chosen.refusal(traits) == refusal


def test_a_record_has_the_traits_of_its_row() -> None:
    game = parse_game(b"(;SZ[9]RU[Korean]BR[1k]WR[2d]DT[2010-02-01,02];B[aa];W[bb])")
    assert Traits.of(game) == Traits(9, 2, "korean", "1k", "2d", "2010-02-01,02")


def test_a_choice_describes_itself_by_what_is_given() -> None:
    assert GameFilter().describe() == {}
    chosen = GameFilter(min_rank=0, since=(2010, 6), until=(2011,), min_moves=0, sides=(9, 19), rules=("ing",))
    described = {"min_rank": "1k", "since": "2010-06", "until": "2011", "min_moves": 0, "sides": [9, 19]}
    assert json.loads(json.dumps(chosen.describe())) == described | {"rules": ["ing"]}


@st.composite
def games(draw: st.DrawFn) -> GameRecord:
    """Games of any points and passes, legal or not."""
    side = draw(st.sampled_from([2, 3, 9, 19, 25]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    number = draw(st.integers(0, 100))
    return GameRecord(
        source="drawn",
        side=side,
        setup=random.integers(-1, 2, side * side).astype(np.int8) * draw(st.integers(0, 1)),
        to_move=BLACK,
        move_points=random.integers(0, pass_point(side) + 1, number).astype(np.int16),
        move_colours=random.choice(np.array([BLACK, WHITE], np.int8), number),
        komi=0,
        handicap=0,
        rules="",
        result=Result(0, None, "unknown", ""),
    )


@given(games(), st.sampled_from(coords.SYMMETRIES))
@settings(max_examples=50)
def test_an_opening_is_the_same_from_every_side(game: GameRecord, k: int) -> None:
    setup = coords.apply_symmetry(game.setup.reshape(game.side, game.side), k).ravel()
    moves = np.array([coords.destinations(game.side)[k, point] for point in game.move_points.tolist()], np.int16)
    assert replace(game, setup=setup, move_points=moves).opening == game.opening


def set_up_at(game: GameRecord, ply: int) -> GameRecord:
    """Return the copy of a game that begins with the position after some moves."""
    position, rest = game.position(ply), slice(ply, None)
    stones = position.stones.ravel().copy()
    return replace(
        game,
        setup=stones,
        move_points=game.move_points[rest],
        move_colours=game.move_colours[rest],
        to_move=position.to_move,
    )


def test_a_copy_is_found_if_no_more_than_the_opening_is_set_up() -> None:
    """The opening has 11 stones on 9x9; of more that are set up the order is lost."""
    rows = ("abcdefghi"[number % 9] + "aceg"[number // 9] for number in range(20))
    game = parse_game(
        f"(;SZ[9]{''.join(f';{colour}[{point}]' for colour, point in zip('BW' * 10, rows, strict=True))})".encode()
    )
    assert [ply for ply in range(21) if set_up_at(game, ply).course == game.course] == list(range(12))
    assert not any(set_up_at(game, ply).opening == game.opening for ply in range(12, 21))


def test_a_copy_that_is_set_up_after_a_capture_is_another_game() -> None:
    game = parse_game(b"(;SZ[9];B[ba];W[aa];B[ab];W[ee];B[gg])")
    assert not game.position(3).stones[0, 0]
    assert [set_up_at(game, ply).opening == game.opening for ply in range(5)] == [True, True, True, False, False]


def test_an_opening_is_named_by_side_and_set_up_too() -> None:
    records = [b"(;SZ[9])", b"(;SZ[10])", b"(;SZ[9]AB[aa])", b"(;SZ[9]AW[aa])", b"(;SZ[9]AB[ba])"]
    openings = {parse_game(record).opening for record in records}
    assert len(openings) == len(records)
    assert all(len(opening) == 16 and int(opening, 16) >= 0 for opening in openings)
    assert parse_game(b"(;SZ[9]AB[ia])").opening == parse_game(b"(;SZ[9]AB[aa])").opening
