"""Safe means safe: a count that depends on the next move, a ko or missing moves is never safe."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records.game_record import GameRecord
from game_records.record_sources import read_game
from game_records.sgf import parse_game
from goban.coords import gtp_names, parse_gtp
from goban.counting.count_estimate import Count
from goban.counting.estimate import Estimate
from goban.counting.estimate_position import estimate
from goban.counting.expectation import Expectation
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_position import score_position
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.vertex_claims import VertexClaims
from tests.support.boards import ATARI_BESIDE_A_DAME
from tests.support.paths import ROOT
from tests.support.reading import TWO_STONES

# Black's corner, A4 and C2, lives by B3 and dies by it (exhaustive search, GNU Go).
CORNER_BY_NEXT_MOVE = """
. . . . . . . . . . . . .
X X . . . . . . . . . . .
O X X X X X . . X X X . .
O O O O O O X X O X O X .
. . . . . . O O O O O X .
O O . . . . . . . . O X .
X X O . . . . . . . . O X
X O . O O X X X . . O O X
X O O X X X O O . . O X X
X X O O X . . . . . O X .
. . X O . O . . O O X . .
X O X X O O . . . O X . X
. O . X X O . . . O O X .
"""
CORNER_KO_FOR_LIFE = """
. . . . . . . . . . . . .
X X . . . . . . . . . . .
O X X X X X . . X X X . .
O O O O O O X X O X O X .
. . . . . . O O O O O X .
O O . . . . . . . . O X .
X X O . . . . . . . . O X
X O . O O X X X . . O O X
X O O X X X O O . . O X X
X X O O X . . . . . O X .
. X X O . O . . O O X . .
. O X X O O . . . O X . X
O . . X X O . . . O O X .
"""
# Once Black plays E6, White has to fill D5.
ONE_DAME = ATARI_BESIDE_A_DAME.replace(". . O . X X X . .", ". . . O . X X . .").replace("O O O X .", "O O X . .")
ONE_DAME = ONE_DAME.replace(". . . O X X X . .", ". . . O X X . . .")
# White cannot play both D6 and D4, and so has to fill E5.
CANNOT_PLAY_BOTH = """
. . . X O . . . .
. . . X O . . . .
. . . X O . . . .
. . X . O O . . .
. . X O . O . . .
. . X . O X O . .
. . . X X X O . .
. . . . X X O O .
. . . . . X O . .
"""
# White cannot fill its false eyes without dying.
SEKI_TWO_FALSE_EYES = """
. X . O X . . . .
O X O O X . X . .
. O . O X X X X X
O O O X X . . . .
X X X X . X . X .
. . . . . . . . .
X X X X X X X X X
. . . . . . . . .
X X X X X X X X .
"""
SEKI_OF_THREE = """
. O . X . O . O X
O O O X O O O O X
X X X O O X X X X
. . X X X X . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
SEKI_TWO_DAME = """
X . O X . . . . .
X . O X . . . . .
X X O X . . . X .
O O X X . . . . .
O . O O X X . . .
. O . . O . . . .
. . . O . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def turned(diagram: str) -> list[Position]:
    """Return the position of a diagram as drawn, with its colours swapped, and on its side."""
    stones = Position.from_diagram(diagram).stones
    return [Position.from_stones(each) for each in (stones, -stones, stones.T)]


@pytest.mark.parametrize(
    ("diagram", "points"),
    [(CORNER_BY_NEXT_MOVE, ["A4", "C2"]), (CORNER_KO_FOR_LIFE, ["A4"]), (TWO_STONES, ["C5", "C4"])],
)
def test_what_the_next_move_or_a_ko_decides_is_not_safe(diagram: str, points: list[str], bundled: Evaluator) -> None:
    for rules in ("chinese", "japanese"):
        answer = score_position(Position.from_diagram(diagram), rules, 7.5, evaluator=bundled)
        assert answer.finished and not answer.safe
        assert set(points) <= {*gtp_names(answer.unsettled), *gtp_names(answer.doubt >= 0.5)}
    for position in turned(diagram):
        assert not score_position(position, "chinese", 7.5, evaluator=bundled).safe


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_a_chain_in_atari_beside_a_dame_is_not_safe(rules: str, bundled: Evaluator) -> None:
    for position in turned(ATARI_BESIDE_A_DAME):
        answer = score_position(position, rules, 0, evaluator=bundled)
        assert answer.finished and not answer.safe
        assert [(doubt.kind, len(doubt.points)) for doubt in answer.reasons] == [("next move", 3)]


@pytest.mark.parametrize(("diagram", "result", "point"), [(ONE_DAME, "B+4", "D5"), (CANNOT_PLAY_BOTH, "B+1", "E5")])
def test_dame_that_decide_an_eye_are_named_by_a_protective_move(
    diagram: str, result: str, point: str, bundled: Evaluator
) -> None:
    answer = score_position(Position.from_diagram(diagram), "japanese", 0, evaluator=bundled)
    assert answer.safe and answer.result == result
    assert isinstance(answer, Count) and gtp_names(answer.teire) == [point] and answer.protective_points == -1


def test_no_protective_move_is_named_that_kills_a_group_in_seki(bundled: Evaluator) -> None:
    for position, result in zip(turned(SEKI_TWO_FALSE_EYES), ("B+33", "W+33", "B+33"), strict=True):
        answer = score_position(position, "japanese", 0, evaluator=bundled)
        assert answer.safe and answer.result == result
        assert not answer.teire.any() and answer.seki.sum() == 11


def test_two_stones_short_of_liberties_owe_a_protective_move(bundled: Evaluator) -> None:
    answer = score_position(Position.from_diagram(TWO_STONES), "japanese", 0.5, evaluator=bundled)
    assert gtp_names(answer.teire) == ["D4"]


@pytest.mark.parametrize(
    ("diagram", "seki", "result"),
    [
        (SEKI_OF_THREE, ["B9", "D9", "F9", "H9", "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "D7", "E7"], "B+43.5"),
        (SEKI_TWO_DAME, ["A9", "C9", "A8", "C8", "A7", "B7", "C7"], None),
    ],
)
def test_sekis_that_reading_finds(diagram: str, seki: list[str], result: str | None, bundled: Evaluator) -> None:
    answer = score_position(Position.from_diagram(diagram), "chinese", 7.5, evaluator=bundled)
    assert answer.finished and not answer.dead.any()
    assert gtp_names(answer.seki) == seki
    assert result in (None, answer.result)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.3, 1))
def test_a_safe_count_depends_on_no_move(seed: int, sure: float) -> None:
    chance = np.random.default_rng(seed)
    game = Position.empty(7)
    for point in chance.permutation(49).tolist():
        if game.is_legal(point):
            game = game.play(point)
    ownership = (chance.choice([-1, 1], (7, 7)) * chance.uniform(sure, 1, (7, 7))).astype(np.float32)
    answer = estimate(game, ownership, Terms(RULESETS["area"], 0.5), ended=True, unsettled=chance.random((7, 7)) < 0.1)
    assert not (answer.safe and answer.unsettled.any())


@pytest.mark.parametrize(
    ("record", "low", "high"),
    [
        (b"(;SZ[19]KM[7.5]RU[chinese];B[pd];W[])", 3, 17),
        (b"(;SZ[19]RU[AGA]KM[0.5];B[pd];W[];B[dp];W[])", 13, 27),
        (b"(;SZ[9]KM[7]RU[chinese]AB[ee])", -14, 20),
        (b"(;SZ[9]KM[7]RU[chinese]AB[cc][gg][cg];B[];W[])", 0, 60),
        (b"(;SZ[13]KM[7.5]RU[chinese]PL[W]AW[dd][jj])", -45, 0),
    ],
)
def test_a_board_of_one_colour_is_estimated(record: bytes, low: float, high: float, bundled: Evaluator) -> None:
    [scored] = score_games([parse_game(record)], bundled)
    assert isinstance(scored, ScoredGame)
    assert not scored.estimate.finished and not scored.estimate.safe
    assert low <= scored.estimate.score <= high


FINISHED = b"""(;SZ[9]KM[7]RU[Chinese]RE[%b]
;B[fd];W[cd];B[dc];W[cc];B[ed];W[gf];B[ef];W[hd];B[gg];W[hg];B[cg];W[fg];B[bf]
;W[gc];B[fb];W[gb];B[fc];W[fa];B[cb];W[da];B[eb];W[ea];B[ca];W[dh];B[ch];W[dg]
;B[df];W[eg];B[di];W[gh];B[ei];W[ge];B[fe];W[ga];B[db];W[ff];B[gi];W[hi];B[fi]
;W[gd];B[ci];W[fh];B[eh];W[];B[])"""


def scored(game: GameRecord, evaluator: Evaluator) -> Estimate:
    """Return the estimate of the end of a record."""
    [answer] = score_games([game], evaluator)
    assert isinstance(answer, ScoredGame)
    return answer.estimate


def test_a_recorded_score_without_the_last_moves_counts_nothing(bundled: Evaluator) -> None:
    whole = parse_game(FINISHED % b"B+4")
    assert scored(whole, bundled).result == "B+4"
    cut = replace(whole, move_points=whole.move_points[:-14], move_colours=whole.move_colours[:-14])
    answer = scored(cut, bundled)
    assert isinstance(answer, Expectation) and answer.lacks_moves and not answer.safe
    assert "lack its last moves" in answer.trust


def test_a_recorded_score_that_the_board_has_counts_it_though_moves_may_be_left(bundled: Evaluator) -> None:
    whole = parse_game(FINISHED % b"B+4")
    answer = scored(replace(whole, move_points=whole.move_points[:-7], move_colours=whole.move_colours[:-7]), bundled)
    assert (answer.result, answer.state) == ("B+4", "confirmed")
    assert answer.reasons[0].kind == "moves left", "the board alone does not show it"


def test_a_count_that_the_record_contradicts_is_not_safe(bundled: Evaluator) -> None:
    answer = scored(parse_game(FINISHED % b"W+9"), bundled)
    assert not answer.safe
    assert "W+9" in answer.trust and "B+4" in answer.trust


def test_marks_on_an_unfinished_game_edit_its_estimate(bundled: Evaluator) -> None:
    position = Position.from_diagram("\n".join([". . . . . . . . ."] * 9)).play("D4").play("F6").play("F4").play("D6")
    before = score_position(position, "chinese", 7, ended=False, evaluator=bundled)
    after = score_position(position, "chinese", 7, ended=False, claims=VertexClaims(dead=["D6"]), evaluator=bundled)
    assert not after.finished and "leads" in after.verdict
    assert after.dead.flat[parse_gtp("D6", 9)]
    assert after.score > before.score
    np.testing.assert_array_equal(after.ownership[:3, 6:], before.ownership[:3, 6:])


@pytest.mark.parametrize("claims", [VertexClaims(dead=["R10"]), VertexClaims(alive=["R10"]), VertexClaims()])
def test_marks_do_not_end_a_middle_game(claims: VertexClaims, bundled: Evaluator) -> None:
    game = read_game(str(ROOT / "examples" / "middlegame-19x19.sgf"))
    [answer] = score_games([game], bundled, ScoreOptions(claims=claims))
    assert isinstance(answer, ScoredGame)
    assert not answer.estimate.finished and "leads" in answer.estimate.verdict
    again = score_position(game.position(), "chinese", game.komi or 0, ended=False, claims=claims, evaluator=bundled)
    assert not again.finished


def test_marks_count_a_game_of_which_only_the_passes_are_missing(bundled: Evaluator) -> None:
    whole = parse_game(FINISHED.replace(b"RE[%b]", b""))
    cut = replace(whole, move_points=whole.move_points[:-2], move_colours=whole.move_colours[:-2])
    [answer] = score_games([cut], bundled, ScoreOptions(claims=VertexClaims(dead=["C7"])))
    assert isinstance(answer, ScoredGame)
    assert (answer.estimate.result, answer.estimate.safe) == ("B+4", True)
