"""Wrong arguments of the library cost one line that names what was expected and what was received."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from game_records.assumed_terms import possible_terms
from goban.coords import gtp_name, sgf_name
from goban.katago_rules import read_komi
from goban.rulesets import RULESETS, require_komi
from ownership import (
    Evaluator,
    Game,
    InputError,
    Limits,
    Position,
    Ruleset,
    ScoreOptions,
    Terms,
    TreeOptions,
    TreeSearch,
    VertexClaims,
    read_game,
    read_games,
    score_games,
    score_position,
    score_positions,
)
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from tests.support.paths import EXAMPLES

AREA, BOARD, STONES = RULESETS["area"], Position.empty(5), np.zeros((5, 5))
VERTEX = 'a vertex such as "D4" or "pass", (row, column), a flat index, or None for a pass'
WRONG: list[tuple[Callable[..., Any], list[Any], str]] = [
    (Position.empty, ["19"], "expected the board side as a whole number. Received: str '19'"),
    (Position.empty, [9.0], "expected the board side as a whole number. Received: float 9.0"),
    (Position.from_diagram, [[5]], "expected a diagram as text, or its rows. Received: list [5]"),
    (BOARD.play, [{}], f"expected {VERTEX}. Received: dict {{}}"),
    (BOARD.is_legal, [1.5], f"expected {VERTEX}. Received: float 1.5"),
    (Game.empty(9).undo, ["2"], "expected count as a whole number. Received: str '2'"),
    (lambda ko: Position.from_stones(STONES, ko=ko), ["x"], "expected ko as a whole number. Received: str 'x'"),
    (Game.empty(9).with_setup, [{"D4": 1}, 1], "expected a point as a whole number. Received: str 'D4'"),
    (lambda cached: Evaluator.load(cached=cached), ["x"], "expected cached as a whole number. Received: str 'x'"),
    (gtp_name, ["D4", 19], "expected a point as a whole number. Received: str 'D4'"),
    (Terms, [5, 7], "expected a ruleset or its name. Received: int 5"),
    (Terms, [AREA, "7"], "expected komi as a number of points. Received: str '7'"),
    (Terms, [AREA, 7, 2.5], "expected handicap as a whole number. Received: float 2.5"),
    (VertexClaims, [5], "expected dead as a list of vertices. Received: int 5"),
    (read_games, [5], "expected a path, or a list of paths. Received: int 5"),
    (
        lambda records: list(score_games(records)),
        [read_game(EXAMPLES / "finished-9x9.sgf")],
        "expected a list of records from read_games. Received: GameRecord",
    ),
    (score_positions, [BOARD], "expected a list of positions. Received: Position"),
    (lambda ended: score_position(BOARD, ended=ended), [0], "expected ended as True, False or None. Received: int 0"),
    (
        lambda ended: score_positions([BOARD, BOARD], ended=ended),
        [[True, False]],
        "expected ended as True, False or None. Received: list [True, False]",
    ),
]
IMPOSSIBLE: list[tuple[Callable[..., Any], list[Any], str]] = [
    (Terms, ["chines", 7], f"rules must be one of {', '.join(RULESETS)}. Received: chines; did you mean chinese?"),
    (Terms, [AREA, float("nan")], "komi must be finite. Received: nan"),
    (Terms, [AREA, 7, -1], "handicap must be at least 0. Received: -1"),
    (Ruleset, ["club", "foo"], "counting must be one of area, territory. Received: foo"),
    (lambda komi: Game.empty(9, komi=komi), [float("nan")], "komi must be -400..400 points. Received: nan"),
    (gtp_name, [999, 19], "expected a point 0..361, the last of which is a pass. Received: 999"),
    (sgf_name, [-1, 19], "expected a point 0..361, the last of which is a pass. Received: -1"),
    (gtp_name, [3, 99], "board side must be 2..25. Received: 99"),
    (Game.empty(9).with_setup, [{99: 1}, 1], "expected points 0..80. Received: 99"),
    (Game.empty(9).with_setup, [{9: 500}, 1], "expected stones of 1 (Black), -1 or 2 (White) and 0. Received: 500"),
    (Limits, ["a"], "depth: expected a whole number from 0 up. Received: 'a'"),
    (lambda visits: Limits(visits=visits), [1.5], "visits: expected a whole number from 0 up. Received: 1.5"),
    (TreeOptions, ["a"], "exploration: expected a number from 0 up. Received: 'a'"),
    (lambda seed: TreeOptions(seed=seed), [-1], "seed: expected a whole number from 0 up. Received: -1"),
    (lambda width: AlphaBetaOptions(width=width), [2.5], "width: expected a whole number from 1 up. Received: 2.5"),
]


@pytest.mark.parametrize(("call", "wrong", "message"), WRONG)
def test_an_argument_of_another_type(call: Callable[..., Any], wrong: list[Any], message: str) -> None:
    with pytest.raises(TypeError) as found:
        call(*wrong)
    assert str(found.value) == message


@pytest.mark.parametrize(("call", "wrong", "message"), IMPOSSIBLE)
def test_an_impossible_argument(call: Callable[..., Any], wrong: list[Any], message: str) -> None:
    with pytest.raises(InputError) as found:
        call(*wrong)
    assert str(found.value) == message


def test_terms_take_a_ruleset_or_its_name() -> None:
    assert Terms("Chinese rules", 7.5, 2) == Terms(RULESETS["chinese"], 7.5, handicap=2)
    assert Terms("chinese", 7.5, 2).total_komi == 9.5


def test_a_search_has_no_result_before_it_ran(bundled: Evaluator) -> None:
    search = TreeSearch.of_game(bundled, Game.empty(9), TreeOptions())
    for read in (search.result, search.ownership, search.policy):
        with pytest.raises(RuntimeError, match="expected a search first"):
            read()


def test_a_search_refuses_a_game_with_another_komi(bundled: Evaluator) -> None:
    search = TreeSearch.of_game(bundled, Game.empty(9, ruleset="chinese", komi=7), TreeOptions())
    expected = "expected a game by chinese rules, komi 7, handicap 0, as the search."
    with pytest.raises(InputError, match=f"{expected} Received: japanese rules, komi 57, handicap 0"):
        next(search.run(Game.empty(9, ruleset="japanese", komi=57), Limits(visits=1)))


def test_a_search_names_the_argument_that_is_of_another_type(bundled: Evaluator) -> None:
    game, options, limits = Game.empty(5), TreeOptions(), Limits(visits=1)
    search = TreeSearch.of_game(bundled, game, options)
    evaluator = "a model by name or an evaluator, such as Evaluator.load('fast')"
    calls: list[tuple[Callable[..., Any], list[Any], str]] = [
        (TreeSearch.of_game, [None, game, options], f"{evaluator}. Received: NoneType"),
        (TreeSearch.of_game, [bundled, BOARD, options], "a Game, such as Game.empty(9). Received: Position"),
        (TreeSearch.of_game, [bundled, game, limits], "TreeOptions(). Received: Limits"),
        (lambda *wrong: next(search.run(*wrong)), [BOARD, limits], "a Game, such as Game.empty(9). Received: Position"),
        (
            lambda *wrong: next(search.run(*wrong)),
            [game, None],
            "Limits, such as Limits(visits=800). Received: NoneType",
        ),
    ]
    for call, wrong, message in calls:
        with pytest.raises(TypeError) as found:
            call(*wrong)
        assert str(found.value) == f"expected {message}"


def test_errors_about_one_of_many_positions_have_its_number() -> None:
    positions = [Position.empty(5), Position.empty(9)]
    with pytest.raises(InputError, match=r"^positions\[1\]: dead J9: expected a vertex with a stone"):
        score_positions(positions, claims=[None, VertexClaims(dead=["J9"])])
    with pytest.raises(InputError, match=r"^positions\[1\]: komi must be"):
        score_positions(positions, komi=[0, 1000])
    with pytest.raises(TypeError, match=r"^positions\[1\]: expected a Position"):
        score_positions([positions[0], None])  # type: ignore[list-item]


NUMBERS: list[Any] = [
    True, False, np.True_, 10**400, -(10**400), 10**5000, 1e300, float("nan"), float("inf"), np.float32("-inf"),
    np.int64(7), np.float32(6.5), Fraction(13, 2), Fraction(10**400, 3), Decimal("6.5"), 1j, "6.5", b"7", None, [], {},
    np.array([7]),
]  # fmt: skip
GAME = read_game(EXAMPLES / "finished-9x9.sgf")
TAKE_KOMI: dict[str, Callable[[Any], Any]] = {
    "Terms": lambda komi: Terms("area", komi).total_komi,
    "Game": lambda komi: Game.empty(9, komi=komi).terms,
    "require_komi": require_komi,
    "read_komi": read_komi,
    "score_position": lambda komi: score_position(BOARD, komi=komi, ended=False).result,
    "score_positions": lambda komi: score_positions([BOARD], komi=[komi], ended=False),
    "ScoreOptions": lambda komi: ScoreOptions(komi=komi),
    "possible_terms": lambda komi: possible_terms(GAME, None, komi),
}
TAKE_WHOLE: dict[str, Callable[[Any], Any]] = {
    "handicap": lambda handicap: Terms("aga", 7, handicap).total_komi,
    "handicap of a position": lambda handicap: score_position(BOARD, handicap=handicap, ended=False),
    "side": Position.empty,
    "side of a game": Game.empty,
    "count": Game.empty(9).undo,
    "point": lambda point: gtp_name(point, 19),
    "move": BOARD.play,
    "move to score": lambda move: ScoreOptions(move=move),
    "symmetries": lambda symmetries: ScoreOptions(symmetries=symmetries),
    "ko": lambda ko: Position.from_stones(STONES, ko=ko),
    "to_move": lambda to_move: Position.from_stones(STONES, to_move=to_move),
    "prisoners": lambda prisoners: Position.from_stones(STONES, prisoners=(prisoners, 0)),
    "visits": lambda visits: Limits(visits=visits),
    "batch": lambda batch: TreeOptions(batch=batch),
    "width": lambda width: AlphaBetaOptions(width=width),
}


@pytest.mark.parametrize("name", TAKE_KOMI)
def test_any_komi_is_taken_or_gets_one_of_two_errors(name: str) -> None:
    for value in NUMBERS:
        check(TAKE_KOMI[name], value)
    with pytest.raises(InputError if name == "read_komi" else TypeError):
        TAKE_KOMI[name](True)
    with pytest.raises(InputError):
        TAKE_KOMI[name](10**400)


@pytest.mark.parametrize("name", TAKE_WHOLE)
def test_any_whole_number_is_taken_or_gets_one_of_two_errors(name: str) -> None:
    for value in NUMBERS:
        check(TAKE_WHOLE[name], value)
    with pytest.raises((InputError, TypeError)):
        TAKE_WHOLE[name](True)


def check(call: Callable[[Any], Any], value: Any) -> None:
    """Check that a call returns, or raises one line as InputError or TypeError."""
    try:
        call(value)
    except (InputError, TypeError) as error:
        assert "xpected" in str(error) or " must be " in str(error)
        assert "\n" not in str(error) and len(str(error)) < 250
