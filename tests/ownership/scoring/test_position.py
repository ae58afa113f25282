"""One scorer: a position alone, and the same position at the end of its record."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.record_sources import read_game, read_games
from game_records.result_property import parse_result
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, gtp_names
from goban.counting.count_estimate import Count
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Ruleset, Terms
from ownership.inference.evaluator import Evaluator
from ownership.scoring.assessment import assess, set_up
from ownership.scoring.score_games import ScoredGame, ScoreOptions, score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.score_position import score_position, score_positions
from ownership.scoring.score_text import as_text
from ownership.scoring.vertex_claims import VertexClaims
from preprocessing.gnugo import GnuGo
from tests.support.paths import ROOT

FINISHED = """
. X O . .
X X O O .
. X O X .
X X O O O
. X X O .
"""


@pytest.mark.parametrize(
    ("claims", "result"),
    [
        (VertexClaims(), "W+4.5"),  # Black has 3 points, White 6 and a dead stone
        (VertexClaims(alive=["D3"]), "W+1.5"),  # the point beside it is neutral
        (VertexClaims(seki=["D3", "C5"]), "B+2.5"),  # the right side, which both touch, is neutral, as the eye in seki
        (VertexClaims(dead=["c5"]), "B+23.5"),  # then D3 lives
    ],
)
def test_claims_are_counted(claims: VertexClaims, result: str, bundled: Evaluator) -> None:
    position = Position.from_diagram(FINISHED)
    assert score_position(position, "japanese", 0.5, claims=claims, evaluator=bundled).result == result


INVADED = """
. . . . X O . . .
. X . . X O . O .
. . . . X O . . .
. . O . X O . . .
. . . . X O . O .
. . . . X O . . .
. X . . X O . . .
. . . . X O . O .
. . . . X O . . .
"""


@pytest.mark.parametrize(
    ("claims", "neutral", "result"),
    [
        (None, [], "B+9"),
        (VertexClaims(alive=["C6"]), ["C7", "B6", "D6", "C5"], "B+3"),
        (VertexClaims(seki=["C6"]), None, "W+26"),
    ],
)
def test_a_stone_that_lives_in_territory_costs_the_points_beside_it_and_one_in_seki_all(
    claims: VertexClaims | None, neutral: list[str] | None, result: str, bundled: Evaluator
) -> None:
    position = Position.from_diagram(INVADED)
    answer = score_position(position, "chinese", 0, claims=claims, evaluator=bundled)
    territory = (position.stones == 0) & (np.arange(9) < 4)
    assert gtp_names(territory & (answer.owner == 0)) == (gtp_names(territory) if neutral is None else neutral)
    assert answer.result == result
    assert answer.safe == (claims is None)


def test_claimed_seki_is_shown(bundled: Evaluator) -> None:
    claims = VertexClaims(seki=["D3", "C5"])
    answer = score_position(Position.from_diagram(FINISHED), "japanese", 0.5, claims=claims, evaluator=bundled)
    assert answer.seki[2, 3]
    assert answer.seki[0, 2]
    assert not (answer.seki & answer.dead).any()


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (
            VertexClaims(dead=["C5"], alive=["C4"]),
            "dead C5: expected one mark for each chain. Received: alive C4",
        ),
        (VertexClaims(seki=["E5"]), "seki E5: expected a vertex with a stone. Received: an empty point"),
    ],
)
def test_impossible_claims(claims: VertexClaims, message: str) -> None:
    with pytest.raises(InputError, match=message):
        claims.on(Position.from_diagram(FINISHED))


def test_claims_are_lists() -> None:
    with pytest.raises(InputError, match=r"dead: expected a list of vertices\. Received: 'B5'"):
        VertexClaims(dead="B5")
    with pytest.raises(TypeError, match=r"alive: expected vertices such as D4\. Received: 12"):
        VertexClaims(alive=[12])  # type: ignore[list-item]


@pytest.mark.parametrize("komi", [float("nan"), 1e9, -401])
def test_an_impossible_komi_is_refused(komi: float) -> None:
    message = r"komi must be -400\.\.400 points"
    with pytest.raises(InputError, match=message):
        score_position(Position.empty(5), "chinese", komi)
    with pytest.raises(InputError, match=message):
        score_positions([Position.empty(5)], "chinese", komi)


def test_rules_are_a_name_or_a_ruleset(bundled: Evaluator) -> None:
    position = Position.from_diagram(FINISHED)
    by_name = score_position(position, "Chinese", 0.5, handicap=2, evaluator=bundled)
    by_ruleset = score_position(position, RULESETS["chinese"], 0.5, handicap=2, evaluator=bundled)
    assert by_name.result == by_ruleset.result
    assert by_name.terms == by_ruleset.terms
    with pytest.raises(InputError, match=r"rules must be one of .* Received: house rules"):
        score_position(position, "house rules", evaluator=bundled)


@pytest.mark.parametrize("komi", ["6", None, [6.5]])
def test_a_komi_that_is_no_number_is_named(komi: Any, bundled: Evaluator) -> None:
    message = rf"expected komi as a number of points\. Received: {type(komi).__name__} "
    with pytest.raises(TypeError, match=message):
        score_position(Position.empty(5), "chinese", komi, evaluator=bundled)
    with pytest.raises(TypeError, match=r"expected claims such as VertexClaims\(dead=\['D4'\]\)\. Received: dict"):
        score_position(Position.empty(5), claims={"dead": ["D4"]})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected an Evaluator, such as Evaluator\.load\('fast'\)\. Received: str"):
        score_position(Position.empty(5), evaluator="fast")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"handicap must be at least 0\. Received: -5"):
        score_position(Position.empty(5), handicap=-5)
    with pytest.raises(TypeError, match=r"expected komi as a number of points\. Received: str '6'"):
        score_positions([Position.empty(5)], "chinese", "6", evaluator=bundled)  # type: ignore[arg-type]


def test_an_estimate_shows_its_board(bundled: Evaluator) -> None:
    shown = repr(score_position(Position.from_diagram(FINISHED), "Japanese", 0.5, evaluator=bundled)).splitlines()
    assert shown[0].startswith("<W+4.5 by japanese rules, komi 0.5, ")
    assert shown[4].startswith(" 3 + X O x - ")
    draw = score_position(Position.from_diagram(FINISHED), "Japanese", -4, evaluator=bundled)
    assert repr(draw).startswith("<draw by japanese rules, komi -4, ")


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("finished*.sgf")), ids=lambda path: path.stem)
def test_at_the_end_the_side_to_move_does_not_matter(path: Path, bundled: Evaluator) -> None:
    for game in games(path):
        position = game.position()
        one, other = (
            score_position(each, evaluator=bundled) for each in (position, set_up(position, -position.to_move))
        )
        np.testing.assert_allclose(one.ownership, other.ownership, atol=1e-6)
        assert (one.result, one.safe) == (other.result, other.safe)
        assert one.deviation == pytest.approx(other.deviation)


def test_the_mean_counts_and_a_chain_that_the_next_move_decides_is_unsettled(bundled: Evaluator) -> None:
    position = Position.from_diagram("""
. X X O .
X X O O O
X O O . O
O O . O O
. O O O .
""")
    [found] = assess(bundled, [position], [True], 8, [Terms(RULESETS["chinese"], 0.5)])
    pair = [bundled.evaluate([set_up(position, colour)], 4)[0].ownership for colour in (BLACK, WHITE)]
    np.testing.assert_allclose(found.prediction.ownership, sum(pair) / 2, atol=1e-6)
    means = [position.chain_means(each) for each in pair]
    np.testing.assert_array_equal(found.unsettled, np.abs(means[0] - means[1]) >= 0.5)


def games(path: Path) -> list[GameRecord]:
    return [game for game in read_games([path]) if isinstance(game, GameRecord)]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("finished*.sgf")), ids=lambda path: path.stem)
def test_a_position_scores_as_its_game(path: Path, bundled: Evaluator) -> None:
    for game in games(path):
        [scored] = score_games([game], bundled, ScoreOptions())
        assert isinstance(scored, ScoredGame)
        terms = scored.estimate.terms
        answer = score_position(game.position(), terms.ruleset, terms.komi, handicap=terms.handicap, evaluator=bundled)
        assert (answer.result, answer.safe, answer.interval) == (
            scored.estimate.result,
            scored.estimate.safe,
            scored.estimate.interval,
        )


def test_a_record_with_a_counted_result_and_no_passes_scores_as_its_position(bundled: Evaluator) -> None:
    [game] = games(ROOT / "examples" / "finished-19x19.sgf")
    cut = replace(game, moves=game.moves[:-2], colours=game.colours[:-2])
    [scored] = score_games([cut], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    answer = score_position(cut.position(), game.rules, game.komi, ended=None, evaluator=bundled)
    assert (answer.result, answer.interval) == (scored.estimate.result, scored.estimate.interval)


@pytest.mark.parametrize("ended", [True, None, False])
def test_a_game_that_breaks_off_is_not_counted_however_it_ends(ended: bool | None, bundled: Evaluator) -> None:
    position = Position.empty(9).play(40)
    assert not score_position(position, "japanese", 6.5, ended=ended, evaluator=bundled).finished
    moves = "B[ee];W[];B[]" if ended else "B[ee]"
    result = "B+3.5" if ended is None else "?"
    game = parse_game(f"(;SZ[9]RU[Japanese]KM[6.5]RE[{result}];{moves})".encode())
    [scored] = score_games([game], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert not scored.estimate.finished
    reason = "the record seems to lack its last moves" if ended is None else "8"
    assert f"Not finished: {reason}" in as_text(scored) and "'s win rate " in as_text(scored)


@pytest.mark.parametrize(("result", "finished"), [("B+9", True), ("B+40", False)])
def test_a_count_far_off_a_record_without_passes_is_no_count(result: str, finished: bool, bundled: Evaluator) -> None:
    text = Path("examples/finished-9x9.sgf").read_bytes().replace(b";W[];B[])", b")")
    [scored] = score_games([parse_game(text.replace(b"B+4.0", result.encode()))], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert (scored.estimate.finished, scored.estimate.safe) == (finished, False)
    assert ("the record seems to lack its last moves" in as_text(scored)) is not finished


DRAWN = (". X O . / X X O O / . X O . / X X O O", ". O . / O O O / . O .", ". . . . / . X . . / . . O . / . . . .")


def test_many_positions_score_as_each_of_them(bundled: Evaluator) -> None:
    positions = [Position.from_diagram(text) for text in DRAWN]
    together = score_positions(positions, "chinese", 1.5, evaluator=bundled)
    alone = [score_position(position, "chinese", 1.5, evaluator=bundled) for position in positions]
    assert [as_json(answer) for answer in together] == [as_json(answer) for answer in alone]
    assert [answer.result for answer in together[:2]] == ["W+1.5", "W+10.5"]
    assert score_positions([], evaluator=bundled) == []


def test_rules_and_komi_of_each_position(bundled: Evaluator) -> None:
    positions = [Position.from_diagram(DRAWN[0]), Position.from_diagram(DRAWN[1]), Position.from_diagram(DRAWN[0])]
    rules: list[str | Ruleset] = ["chinese", "japanese", RULESETS["aga"]]
    komi = (0.5, 1, 7)
    stones = [0, 0, 3]
    together = score_positions(iter(positions), rules, komi, handicap=stones, evaluator=bundled)
    alone = [
        score_position(position, name, points, handicap=count, evaluator=bundled)
        for position, name, points, count in zip(positions, rules, komi, stones, strict=True)
    ]
    assert together[2].terms == Terms(RULESETS["aga"], 7, 3)
    assert [as_json(answer) for answer in together] == [as_json(answer) for answer in alone]
    with pytest.raises(InputError, match=r"expected komi for all, or one for each of 3 positions\. Received: 2"):
        score_positions(positions, komi=[0.5, 1], evaluator=bundled)
    with pytest.raises(InputError, match="expected rules for all"):
        score_positions(positions, ["chinese"], evaluator=bundled)
    with pytest.raises(TypeError, match="expected a ruleset or its name"):
        score_positions(positions, None, evaluator=bundled)  # type: ignore[arg-type]


def test_claims_of_each_position(bundled: Evaluator) -> None:
    position, komi = read_game(str(ROOT / "examples" / "finished-9x9.sgf")).position(), 7
    claims = [VertexClaims(alive=["C7"]), None, VertexClaims(seki=["C7"])]
    together = score_positions([position] * 3, "chinese", komi, claims=claims, evaluator=bundled)
    alone = [score_position(position, "chinese", komi, claims=each, evaluator=bundled) for each in claims]
    assert [as_json(answer) for answer in together] == [as_json(answer) for answer in alone]
    assert len({answer.result for answer in together[:2]}) == 2


def test_numbers_of_numpy_become_json(bundled: Evaluator) -> None:
    position = Position.from_stones(np.array([[0, 1], [1, 1]], np.float64))
    answer = score_position(position, "aga", np.float32(0.5), handicap=np.int64(2), evaluator=bundled)  # type: ignore[arg-type]
    assert json.loads(json.dumps(as_json(answer)))["komi"] == 0.5
    assert answer.terms == Terms(RULESETS["aga"], 0.5, 2)


def test_stones_that_are_no_position_are_a_type_error(bundled: Evaluator) -> None:
    rows = [[0, 1], [2, 0]]
    message = r"expected a Position, such as Position\.from_stones\(rows\) makes\. Received: list"
    for call in (
        lambda: score_position(rows, evaluator=bundled),  # type: ignore[arg-type]
        lambda: score_positions([rows], evaluator=bundled),  # type: ignore[list-item]
        lambda: bundled.evaluate([rows]),  # type: ignore[list-item]
    ):
        with pytest.raises(TypeError, match=message):
            call()


@pytest.mark.parametrize(("name", "left", "safe"), [("finished-9x9", 2, True), ("finished-19x19", 20, False)])
def test_a_game_that_breaks_off_is_safe_only_if_the_model_passes(
    name: str, left: int, safe: bool, bundled: Evaluator
) -> None:
    [game] = games(ROOT / "examples" / f"{name}.sgf")
    cut = replace(game, moves=game.moves[:-left], colours=game.colours[:-left], result=parse_result(""))
    [scored] = score_games([cut], bundled, ScoreOptions())
    assert isinstance(scored, ScoredGame)
    assert scored.estimate.finished
    assert scored.estimate.safe is safe
    assert ("Not safe to count: moves may be left" in as_text(scored)) is not safe


@pytest.mark.parametrize("move", range(0, 160, 20))
def test_the_points_of_an_expected_score_differ_by_it(move: int, bundled: Evaluator) -> None:
    [scored] = score_games(games(ROOT / "examples" / "finished-19x19.sgf"), bundled, ScoreOptions(move, symmetries=1))
    assert isinstance(scored, ScoredGame)
    [line] = [line for line in as_text(scored).splitlines() if line.startswith("Expected")]
    black, white = map(float, re.findall(r"\d+\.\d\b", line))
    assert round(black - white, 1) == round(scored.estimate.score, 1), line
    assert line.endswith(" with komi, less the stones that each still plays")
    assert as_json(scored.estimate)["before_further_stones"]


def test_the_points_of_an_expected_score_by_area_are_those_of_the_end(bundled: Evaluator) -> None:
    chosen = ScoreOptions(60, "chinese", symmetries=1)
    [scored] = score_games(games(ROOT / "examples" / "finished-19x19.sgf"), bundled, chosen)
    assert isinstance(scored, ScoredGame)
    [line] = [line for line in as_text(scored).splitlines() if line.startswith("Expected")]
    black, white = map(float, re.findall(r"\d+\.\d\b", line))
    assert line.endswith(" with komi") and black + white - scored.estimate.komi == pytest.approx(361, abs=0.2)
    assert not as_json(scored.estimate)["before_further_stones"]


def test_an_estimate_as_json(bundled: Evaluator) -> None:
    values = as_json(score_position(Position.from_diagram(DRAWN[0]), evaluator=bundled))
    assert json.loads(json.dumps(values)) == values
    assert values["owner"] == ["XXOO"] * 4
    assert (values["rules"], values["komi"], values["result"]) == ("area", 6.5, "W+6.5")
    assert values["verdict"] == "White wins by 6.5"
    assert values["trust"].startswith("Safe to count")


def test_what_marks_change_besides_is_named_and_not_safe(bundled: Evaluator) -> None:
    record = read_game(str(ROOT / "examples" / "finished-9x9.sgf"))
    position = record.position()
    plain = score_position(position, "chinese", 7, evaluator=bundled)
    confirmed = score_position(position, "chinese", 7, claims=VertexClaims(dead=["C7"]), evaluator=bundled)
    changed = score_position(position, "chinese", 7, claims=VertexClaims(seki=["C7"]), evaluator=bundled)
    assert plain.safe
    assert confirmed.safe
    assert confirmed.result == plain.result
    assert not changed.safe
    assert {"C9", "F5"} <= set(gtp_names(changed.also_changed))
    assert "C7" not in gtp_names(changed.also_changed)


@pytest.mark.parametrize("claims", [VertexClaims(dead=["R10"]), VertexClaims(alive=["R10"])])
def test_marks_in_a_middle_game_do_not_finish_it(claims: VertexClaims, bundled: Evaluator) -> None:
    position = read_game(str(ROOT / "examples" / "middlegame-19x19.sgf")).position()
    marked = score_position(position, "chinese", 7.5, claims=claims, evaluator=bundled)
    assert not marked.safe
    assert marked.also_changed.any() == bool(claims.alive)
    assert marked.trust.endswith("does not look finished.")


def test_a_game_that_goes_on_has_the_same_expected_score_whether_or_not_it_is_called_ended(bundled: Evaluator) -> None:
    position = Position.empty(9).play("E5")
    one, other = (score_position(position, ended=ended, evaluator=bundled) for ended in (True, False))
    assert not one.finished
    assert one.score == other.score
    np.testing.assert_array_equal(one.ownership, other.ownership)


@pytest.mark.parametrize(("rules", "komi"), [("chinese", 7.5), ("japanese", 6.5)])
def test_the_expected_score_is_the_lead_of_a_model_that_predicts_it(rules: str, komi: float) -> None:
    position, evaluator = read_game(str(ROOT / "examples" / "middlegame-19x19.sgf")).position(), Evaluator.load("play")
    [prediction] = evaluator.evaluate([position], 8, Terms(RULESETS[rules], komi))
    answer = score_position(position, rules, komi, ended=False, evaluator=evaluator)
    assert answer.score == pytest.approx(prediction.lead)
    assert answer.black_wins == prediction.win_rate


def test_a_side_that_has_all_the_stones_is_ahead_by_no_more_than_these_are_worth() -> None:
    """Its lead would be that of a game in which the other side is to move."""
    position = Position.empty(9).play("E5").play("PASS")
    answer = score_position(position, "area", 7, ended=False, evaluator=Evaluator.load("play"))
    assert 0 < answer.score < 40


def test_protective_moves_are_named_and_deducted_where_the_record_has_them(bundled: Evaluator) -> None:
    text = """(;SZ[9]RU[Japanese]KM[0.5]RE[W+17.5]
        AB[ca][bb][cb][cc][dd][ce][bf][cf][cg][ch][ci][bc]
        AW[da][db][dc][ec][fb][fd][de][ee][df][ef][dg][gb][gc][ge][fg][gg][dh][di][eh][hd];B[];W[])"""
    for recorded, line in (
        ("W+17.5", "Protective moves, deducted as in the record: Black at C6. Without them W+16.5"),
        ("W+16.5", "Protective moves left once the dame are filled: Black at C6. With them W+17.5"),
    ):
        game = parse_game(text.replace("W+17.5", recorded).encode(), "game.sgf")
        [scored] = score_games([game], bundled, ScoreOptions())
        assert isinstance(scored, ScoredGame)
        assert scored.estimate.result == recorded
        assert isinstance(scored.estimate, Count) and scored.estimate.counted.result == recorded
        assert line in as_text(scored).splitlines()


class Referee(GnuGo):
    """GNU Go, with an answer that is drawn."""

    def finish(self, game: GameRecord) -> NDArray[np.int8]:
        return Position.from_diagram(FINISHED_BY_GNUGO).stones

    def version(self) -> str:
        return "GNU Go 3.8"


UNSETTLED = """
. . . O X . . . .
O O O O X . . X .
X X X X X X . . X
. X . . . . X X .
X X X X X X X X X
O O O O O O O O O
. . O O O . . . .
. . O X O . O . .
. O . . . O . . .
"""
FINISHED_BY_GNUGO = """
. O . O X . . . .
O O O O X . . X .
X X X X X X . . X
. X . . . . X X .
X X X X X X X X X
O O O O O O O O O
. . O O O . . . .
. . O X . . O . .
. O X X X . . . .
"""


@pytest.mark.parametrize(("claims", "dead"), [(None, ["D2"]), (VertexClaims(alive=["D2"]), [])])
def test_gnugo_decides_whole_boards_where_the_scores_differ(claims: VertexClaims | None, dead: list[str]) -> None:
    evaluator, position = Evaluator.load("fast"), Position.from_diagram(UNSETTLED)
    game = replace(parse_game(b"(;SZ[9]RU[Chinese]KM[7];B[];W[])", "game"), setup=position.stones.ravel())
    [model] = score_games([game], evaluator, ScoreOptions(claims=claims))
    [both] = score_games([game], evaluator, ScoreOptions(claims=claims, referee=Referee()))
    assert isinstance(model, ScoredGame) and isinstance(both, ScoredGame)
    assert gtp_names(model.estimate.dead) == ["D9", "A8", "B8", "C8", "D8", *dead]
    assert not both.estimate.dead.any(), "with D2 dead the score would be neither the model's nor GNU Go's"
    assert both.results == (model.estimate.result, both.estimate.result)
    changed = "GNU Go 3.8 changed: White's D9 (alive)" if claims else "The model alone counts B+2, GNU Go 3.8 alone W+9"
    assert changed in as_text(both).splitlines()
    assert (both.estimate.second_opinion, both.estimate.safe) == ("GNU Go 3.8", False)
    np.testing.assert_array_equal(both.estimate.ownership, model.estimate.ownership)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"komi": float("nan")}, InputError, r"komi must be -400\.\.400 points\. Received: nan"),
        ({"komi": "7"}, TypeError, "expected komi as a number of points"),
        ({"symmetries": 4}, InputError, r"symmetries must be 1 or 8\. Received: 4"),
        ({"move": "3"}, TypeError, r"expected move as a whole number\. Received: str '3'"),
    ],
)
def test_options_of_scoring_are_checked(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ScoreOptions(**wrong)


def test_names_of_files_are_no_records() -> None:
    with pytest.raises(TypeError, match=r"expected records from read_games\. Received: str 'game\.sgf'"):
        list(score_games(["game.sgf"]))  # type: ignore[list-item]
