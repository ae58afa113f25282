"""From ownership to dead stones, owners, points, certainty."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, gtp_name, gtp_names
from goban.counting.claims import Claims
from goban.counting.estimate_position import estimate
from goban.counting.expectation import Expectation
from goban.counting.expected_score import Forecast, score_deviation
from goban.position import Position
from goban.rulesets import RULESETS, Ruleset, Terms
from ownership.inference.evaluator import Evaluator
from ownership.players.move_ranking import last_ranking, rank
from ownership.players.player_interface import Turn
from ownership.scoring.score_games import score_games
from ownership.scoring.scored_game import ScoredGame, ScoreOptions

AREA, TERRITORY = RULESETS["area"], RULESETS["territory"]

FINISHED = """
. X O . .
X X O O .
. X O X .
X X O O O
. X X O .
"""
# Who owns each point of it: b w certain, ? neutral.
OWNED = """
b b w w w
b b w w w
b b w w w
b b w w w
b b b w w
"""
DAME = """
. X . O .
X X . O O
. X . O .
X X . O O
. X . O .
"""
DAME_OWNED = """
b b ? w w
b b ? w w
b b ? w w
b b ? w w
b b ? w w
"""


def owned(text: str, certainty: float = 0.97) -> NDArray[np.float32]:
    """Return the ownership of a drawing with b for Black's, w for White's and ? for neutral points."""
    value = {"b": certainty, "w": -certainty, "?": 0.0}
    return np.array([[value[mark] for mark in line.split()] for line in text.split("\n") if line], np.float32)


def dead(answer_dead: NDArray[np.bool_]) -> list[str]:
    return [gtp_name(point, len(answer_dead)) for point in np.flatnonzero(answer_dead).tolist()]


@pytest.mark.parametrize(
    ("rules", "black", "white", "result"),
    [
        (AREA, 11, 14 + 0.5, "W+3.5"),  # Black: 8 stones and 3 eyes; White: 8 stones, 5 points and the dead stone
        (TERRITORY, 3 + 2, 6 + 1 + 0.5, "W+2.5"),  # and 2 white prisoners; the dead stone counts twice
    ],
)
def test_a_finished_game_is_counted(rules: Ruleset, black: float, white: float, result: str) -> None:
    position = Position.from_stones(Position.from_diagram(FINISHED).stones, prisoners=(2, 0))
    answer = estimate(position, owned(OWNED), Terms(rules, 0.5))
    assert answer.finished
    assert dead(answer.dead) == ["D3"]
    assert (answer.black, answer.white, answer.result) == (black, white, result)
    np.testing.assert_array_equal(answer.owner, np.sign(owned(OWNED)))


def test_a_chain_is_dead_or_alive_as_a_whole() -> None:
    ownership = owned(OWNED)
    ownership[0, 2] = 0.9  # one white stone out of eight that the network gets wrong
    answer = estimate(Position.from_diagram(FINISHED), ownership, Terms(AREA, 0))
    assert dead(answer.dead) == ["D3"]
    assert answer.owner[0, 2] == -1


def test_a_group_that_the_next_move_decides_makes_the_count_unsafe() -> None:
    position = Position.from_diagram("\n".join([". . . X O . . . ."] * 9))
    black, ownership = position.stones > 0, owned("\n".join(["b b b b w w w w w"] * 9), 0.82)
    safe, unsafe = (
        estimate(position, ownership, Terms(AREA, 0), ended=True, unsettled=points) for points in (None, black)
    )
    assert (safe.doubt[black] > 0).all()
    np.testing.assert_array_equal(unsafe.unsettled, black)
    assert (safe.result, safe.safe, unsafe.result, unsafe.safe) == ("W+9", True, "W+9", False)
    assert safe.decided[black].all() and not unsafe.decided[black].any()


def test_what_is_proved_depends_on_no_move() -> None:
    everything = np.ones((5, 5), np.bool_)
    answer = estimate(Position.from_diagram(FINISHED), np.sign(owned(OWNED)), Terms(AREA, 0), unsettled=everything)
    assert not answer.unsettled[Position.from_diagram(FINISHED).stones != 0].any()


def test_dame_are_neutral() -> None:
    answer = estimate(Position.from_diagram(DAME), owned(DAME_OWNED), Terms(AREA, 0), ended=True)
    assert answer.finished
    np.testing.assert_array_equal(answer.owner, np.sign(owned(DAME_OWNED)))
    assert answer.result == "0"


def test_an_area_with_a_gap_in_its_wall_is_divided() -> None:
    position = Position.from_diagram(DAME.replace(". X . O .\nX X . O O", ". X . . .\nX X . . .", 1))
    answer = estimate(position, owned(DAME_OWNED, 0.99), Terms(AREA, 0), ended=True)
    np.testing.assert_array_equal(answer.owner, np.sign(owned(DAME_OWNED)))
    assert gtp_names(answer.gaps) == ["C5", "C4"]
    assert (answer.result, answer.safe) == ("0", False)


def test_white_is_paid_for_handicap_stones() -> None:
    answer = estimate(Position.from_diagram(FINISHED), owned(OWNED), Terms(RULESETS["chinese"], 0.5, 3))
    assert (answer.white, answer.result) == (17.5, "W+6.5")


@pytest.mark.parametrize(
    ("rules", "to_move", "score"),
    [(AREA, 1, -6.5), (TERRITORY, 1, -7), (TERRITORY, -1, -6)],
)
def test_an_open_game_gives_an_expectation(rules: Ruleset, to_move: int, score: float) -> None:
    answer = estimate(Position.from_stones(np.zeros((9, 9)), to_move), np.zeros((9, 9), np.float32), Terms(rules, 6.5))
    assert not answer.finished
    assert answer.score == score
    assert not answer.decided.any()
    assert not answer.owner.any()
    assert isinstance(answer, Expectation)
    low, high = answer.interval
    assert low < score < high
    assert 0 < answer.black_wins < 0.5


def test_expected_territory_is_area_less_the_stones_played() -> None:
    stones = Position.from_diagram(FINISHED).stones
    position = Position.from_stones(stones, prisoners=(5, 3))
    ownership = np.random.default_rng(1).uniform(-0.7, 0.7, (5, 5)).astype(np.float32)
    area, territory = (estimate(position, ownership, Terms(rules, 6.5)) for rules in (AREA, TERRITORY))
    played = [(stones == 1).sum() + 3, (stones == -1).sum() + 5]
    assert not territory.finished
    assert territory.score == pytest.approx(area.score - (played[0] - played[1]) - 0.5, abs=1e-4)


@pytest.mark.parametrize(("certainty", "finished"), [(1.0, True), (0.85, True), (0.6, False)])
def test_doubt_keeps_a_game_open(certainty: float, finished: bool) -> None:
    assert estimate(Position.from_diagram(FINISHED), owned(OWNED, certainty), Terms(AREA, 0)).finished is finished


def test_the_surer_the_narrower() -> None:
    assert score_deviation(np.ones((5, 5), np.float32)) == 0
    assert score_deviation(owned(OWNED, 0.9)) < score_deviation(owned(OWNED, 0.5))
    open_, sure = (owned(OWNED, certainty) for certainty in (0.5, 0.6))
    wide, narrow = (estimate(Position.from_diagram(FINISHED), each, Terms(AREA, 0)) for each in (open_, sure))
    assert isinstance(wide, Expectation) and isinstance(narrow, Expectation)
    assert narrow.interval[1] - narrow.interval[0] < wide.interval[1] - wide.interval[0]


def test_a_count_has_no_interval_and_no_chance_to_win() -> None:
    answer = estimate(Position.from_diagram(FINISHED), np.sign(owned(OWNED)), Terms(AREA, 0))
    assert (answer.finished, answer.interval, answer.black_wins) == (True, None, None)
    assert answer.wins_for(BLACK) == 0 and answer.wins_for(WHITE) == 1, "for players"


def test_a_models_own_deviation_goes_before_the_formula() -> None:
    position, ownership = Position.from_diagram(FINISHED), owned(OWNED, 0.6)
    forecasts = [Forecast(deviation=points) for points in (1.0, 10.0)]
    sure, unsure = (estimate(position, ownership, Terms(AREA, 0), forecast=each) for each in forecasts)
    assert (sure.deviation, unsure.deviation) == (1.0, 10.0)
    assert isinstance(sure, Expectation) and isinstance(unsure, Expectation)
    assert sure.score == unsure.score == estimate(position, ownership, Terms(AREA, 0)).score
    assert unsure.interval[0] < sure.interval[0] < sure.score < sure.interval[1] < unsure.interval[1]
    assert sure.black_wins < unsure.black_wins < 0.5


@pytest.mark.parametrize(("rules", "points"), [(AREA, 25 + 6.5), (TERRITORY, None)])
def test_a_models_own_lead_is_the_score_while_the_game_goes_on(rules: Ruleset, points: float | None) -> None:
    position, terms = Position.from_diagram(FINISHED), Terms(rules, 6.5)
    forecast = Forecast(lead=-3.0, deviation=5.0, wins=0.3)
    answer = estimate(position, owned(OWNED, 0.6), terms, forecast=forecast)
    assert answer.score == pytest.approx(-3)
    assert answer.black_wins == 0.3
    by_sum = estimate(position, owned(OWNED, 0.6), terms)
    assert answer.black + answer.white == pytest.approx(by_sum.black + by_sum.white)
    assert points is None or answer.black + answer.white == pytest.approx(points)
    counted = estimate(position, owned(OWNED), terms, forecast=forecast)
    assert counted.score == estimate(position, owned(OWNED), terms).score
    assert counted.black_wins is None


def test_a_lead_is_no_larger_than_the_board() -> None:
    answer = estimate(Position.from_diagram(FINISHED), owned(OWNED, 0.6), Terms(AREA, 6.5), forecast=Forecast(lead=-40))
    assert (answer.black, answer.white) == pytest.approx((0, 31.5))


def test_claims_change_a_lead_as_much_as_the_owners() -> None:
    position, dead = Position.from_diagram(FINISHED), np.zeros((5, 5), np.bool_)
    dead[:, :2] = position.stones[:, :2] == BLACK
    nothing = np.zeros_like(dead)
    none, claims = Claims(nothing, nothing, nothing), Claims(dead, nothing, nothing)
    by_sum, by_lead = (
        [
            estimate(position, owned(OWNED, 0.6), Terms(AREA, 0), forecast=forecast, claims=each)
            for each in (None, none, claims)
        ]
        for forecast in (Forecast(deviation=4), Forecast(lead=1.25, deviation=4, wins=0.9))
    )
    assert by_lead[0].score == by_lead[1].score == pytest.approx(1.25)
    assert by_lead[2].score == pytest.approx(1.25 + by_sum[2].score - by_sum[0].score)
    assert by_sum[2].score < by_sum[0].score - 10
    assert [each.claimed for each in by_lead] == [False, False, True]
    assert by_lead[2].wins_for(BLACK) < 0.1 < by_lead[0].wins_for(BLACK) == 0.9


def test_points_beside_a_chain_that_is_claimed_to_be_dead_change_sides_as_sure_as_before() -> None:
    position, dead = (
        Position.from_diagram(". X . O . / . X . O . / . X . O . / . X . O . / . X . O ."),
        np.zeros((5, 5), np.bool_),
    )
    dead[:, 1] = True
    nothing, forecast = np.zeros_like(dead), Forecast(deviation=4)
    black = np.full((5, 5), 0.6, np.float32)
    answer = estimate(position, black, Terms(AREA, 0), forecast=forecast, claims=Claims(dead, nothing, nothing))
    assert answer.ownership[2].tolist() == pytest.approx([-0.6, -1, -0.6, 0.6, 0.6])


def test_scores_and_candidates_have_the_models_own_deviation(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    game = parse_game(b"(;SZ[5];B[cc];W[bb];B[dd])")
    [scored] = score_games([game], evaluator, ScoreOptions(symmetries=1))
    assert isinstance(scored, ScoredGame)
    position = game.position()
    ranking = last_ranking(rank(Turn(game.as_game()), evaluator), lambda: False)
    [now] = evaluator.evaluate([position])
    assert scored.estimate.deviation == ranking.estimate.deviation == now.deviation
    for candidate in ranking.candidates:
        [after] = evaluator.evaluate([position.play(candidate.point)])
        assert candidate.deviation == after.deviation


def test_the_bundled_model_detects_a_finished_board(bundled: Evaluator) -> None:
    position = Position.from_diagram(
        """
        . . X O . . . . .
        . X X O . . X . .
        X . X O O . . . .
        . X X X O . . O .
        X X . X O . O . .
        . . X O O O . . .
        . X X X O . . O .
        . . O X X O O . .
        . . . . X X O . .
        """
    )
    ownership = bundled.ownership([position], 8)[0]
    assert dead(estimate(position, ownership, Terms(AREA, 0), ended=True).dead) == ["G8", "C2"]
