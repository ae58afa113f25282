"""The count compared with the recorded score: reasons for a difference, and terms that the caller chose."""

import json
from dataclasses import replace

import pytest

from game_records.sgf import parse_game
from goban.counting.count_estimate import Count
from goban.counting.languages import LANGUAGES, language
from ownership.inference.evaluator import Evaluator
from ownership.scoring.record_comparison import RecordComparison
from ownership.scoring.score_csv import as_row
from ownership.scoring.score_games import record_terms, score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.vertex_claims import VertexClaims

# Black has 11 points more by area and 10 by territory; A1 is in Black's territory.
MOVES = """
;B[fd];W[cd];B[dc];W[cc];B[ed];W[gf];B[ef];W[hd];B[gg];W[hg];B[cg];W[fg];B[bf]
;W[gc];B[fb];W[gb];B[fc];W[fa];B[cb];W[da];B[eb];W[ea];B[ca];W[dh];B[ch];W[dg]
;B[df];W[eg];B[di];W[gh];B[ei];W[ge];B[fe];W[ga];B[db];W[ff];B[gi];W[hi];B[fi]
;W[gd];B[ci];W[fh];B[eh];W[];B[]"""
WHITES = "TW[ha:ia][hb:ib][hc:ic][id][he:ie][hf:if][gg][ig][hh:ih][ii]"
BLACKS = "TB[aa:ba][ab:bb][ac:cc][ec][ad:dd][ae:ee][af][cf][ag:bg][ah:bh][ai:bi]"
ONE_LESS = BLACKS.replace("[aa:ba]", "[aa]")
CHINESE = "RU[Chinese]KM[7]"


def scored(properties: str, evaluator: Evaluator, options: ScoreOptions | None = None, marks: str = "") -> ScoredGame:
    """Return the score of the game above with these properties of the record."""
    game = parse_game(f"(;SZ[9]{properties}{MOVES}{marks})".encode())
    [answer] = score_games([game], evaluator, options or ScoreOptions())
    assert isinstance(answer, ScoredGame)
    return answer


def contradiction(answer: ScoredGame) -> tuple[float, float] | None:
    assert isinstance(answer.estimate, Count)
    return answer.estimate.contradicts


def comparison(answer: ScoredGame) -> RecordComparison:
    assert answer.comparison is not None
    return answer.comparison


@pytest.mark.parametrize(
    ("properties", "reason", "end"),
    [
        ("KM[7]RE[B+4]", None, ", the same"),
        ("KM[7]RE[B+11]", "komi", "White 7 points more, exactly the komi"),
        ("KM[7]RE[B+18]", "twice the komi", "White 14 points more, exactly twice the komi"),
        ("KM[5.5]RE[B+11]", "komi", "White 5.5 points more, exactly the komi"),
        ("KM[-7]RE[B+11]", "komi", "Black 7 points more, exactly the komi"),
        ("KM[-7]RE[B+4]", "twice the komi", "Black 14 points more, exactly twice the komi"),
        ("KM[7]HA[2]AB[ai]RE[B+4]", "handicap", "White 2 points more, exactly White's points for handicap stones"),
    ],
)
def test_what_explains_a_difference_is_named_and_safe(
    properties: str, reason: str | None, end: str, bundled: Evaluator
) -> None:
    answer = scored(f"RU[Chinese]{properties}", bundled)
    assert as_text(answer).splitlines()[2].endswith(end)
    assert (comparison(answer).reason, as_json(answer)["difference_is"]) == (reason, reason)
    assert answer.estimate.safe and contradiction(answer) is None


@pytest.mark.parametrize(
    ("properties", "recorded", "counted"),
    [
        ("KM[0.5]RE[B+9.5]", 9.5, 10.5),  # twice such a komi may be a wrong count
        ("KM[0.5]RE[B+11.5]", 11.5, 10.5),
        ("KM[0.5]RE[B+11]", 11, 10.5),
        ("KM[1]RE[B+12]", 12, 10),
        ("KM[7]RE[W+3]", -3, 4),  # no one gives the komi twice
        ("KM[7]RE[W+10]", -10, 4),
        ("KM[-7]RE[B+25]", 25, 18),
        ("KM[7]RE[B+6]", 6, 4),
        ("KM[7]HA[2]AB[ai]RE[Draw]", 0, 2),
        ("KM[7]HA[2]AB[ai]RE[B+3]", 3, 2),
    ],
)
def test_what_explains_nothing_is_not_safe(
    properties: str, recorded: float, counted: float, bundled: Evaluator
) -> None:
    answer = scored(f"RU[Chinese]{properties}", bundled)
    assert comparison(answer) == RecordComparison(recorded, counted, answer.estimate.terms)
    assert contradiction(answer) == (recorded, counted) and not answer.estimate.safe
    assert "nothing explains the difference" in answer.estimate.trust


@pytest.mark.parametrize(
    ("rules", "black", "white", "score", "reason"),
    [
        ("Chinese", BLACKS, WHITES, "B+4", None),
        ("Chinese", BLACKS, WHITES, "W+9", None),  # the marks give the count
        ("Chinese", ONE_LESS, WHITES, "B+3", "territory marks"),
        ("Chinese", ONE_LESS, WHITES + "[ba]", "B+2", "territory marks"),
        ("Chinese", ONE_LESS, WHITES, "B+2", None),
        ("Japanese", ONE_LESS, WHITES, "B+2", "territory marks"),
        ("Japanese", BLACKS, WHITES.replace("[ii]", ""), "B+4", "territory marks"),
        ("Japanese", BLACKS, WHITES, "B+5", None),
    ],
)
def test_marks_explain_only_the_score_that_they_give(
    rules: str, black: str, white: str, score: str, reason: str | None, bundled: Evaluator
) -> None:
    answer = scored(f"RU[{rules}]KM[7]RE[{score}]", bundled, marks=black + white)
    found = comparison(answer)
    assert found.reason == reason
    assert answer.estimate.safe is (reason is not None or not found.difference)


def test_claims_are_never_contradicted(bundled: Evaluator) -> None:
    answer = scored(f"{CHINESE}RE[W+9]", bundled, ScoreOptions(claims=VertexClaims(dead=["C7"])))
    assert contradiction(answer) is None and comparison(answer).difference == 13


CHOSEN = [
    (ScoreOptions(komi=5.5), "B+5.5"),
    (ScoreOptions(komi=6), "B+5"),
    (ScoreOptions(rules="japanese"), "B+3"),
    (ScoreOptions(rules="japanese", komi=0), "B+10"),
]


@pytest.mark.parametrize(("options", "result"), CHOSEN)
@pytest.mark.parametrize("properties", [CHINESE, "RU[Chinese]", "KM[7]"])
def test_the_records_own_terms_are_compared(
    properties: str, options: ScoreOptions, result: str, bundled: Evaluator
) -> None:
    answer = scored(f"{properties}RE[B+4.0]", bundled, options)
    own = comparison(answer).terms
    assert (answer.estimate.result, answer.estimate.safe) == (result, True)
    assert (own.ruleset.counting, own.komi, comparison(answer).difference) == ("area", 7, 0)
    line = f"Recorded result: B+4.0, the same by the record's terms ({own.ruleset.name} rules, komi 7)"
    assert as_text(answer).splitlines()[2] == line
    values = json.loads(json.dumps(as_json(answer)))
    assert (values["difference"], values["record_terms"]) == (0, {"rules": own.ruleset.name, "komi": 7})
    assert as_row(answer)["difference"] == "0"
    assert record_terms(answer.game, bundled, options) == answer.estimate.terms


@pytest.mark.parametrize("options", [ScoreOptions(komi=7), ScoreOptions(rules="japanese", komi=6)])
def test_terms_that_give_the_recorded_score_are_compared_themselves(options: ScoreOptions, bundled: Evaluator) -> None:
    answer = scored("RE[B+4]", bundled, options)
    assert comparison(answer).terms == answer.estimate.terms
    assert as_text(answer).splitlines()[2] == "Recorded result: B+4, the same"
    assert as_json(answer)["record_terms"] is None


def test_a_difference_by_the_records_own_terms_is_explained_or_not_safe(bundled: Evaluator) -> None:
    komi = ScoreOptions(komi=0.5)
    explained, unexplained = (scored(f"{CHINESE}RE[{score}]", bundled, komi) for score in ("B+11", "B+5"))
    assert (comparison(explained).reason, explained.estimate.safe) == ("komi", True)
    assert as_text(explained).splitlines()[2] == (
        "Recorded result: B+11; this count gives White 7 points more, exactly the komi "
        "by the record's terms (chinese rules, komi 7)"
    )
    assert (contradiction(unexplained), unexplained.estimate.safe) == ((5, 4), False)
    assert "the record says B+5, this count by its terms B+4, and" in unexplained.estimate.trust


def test_a_record_that_lacks_its_passes_is_counted_by_any_terms(bundled: Evaluator) -> None:
    game = parse_game(f"(;SZ[9]{CHINESE}RE[B+4]{MOVES})".encode())
    cut = replace(game, move_points=game.move_points[:-7], move_colours=game.move_colours[:-7])
    [answer] = score_games([cut], bundled, ScoreOptions(komi=0.5))
    assert isinstance(answer, ScoredGame)
    assert (answer.estimate.result, answer.estimate.finished, comparison(answer).difference) == ("B+10.5", True, 0)


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_names_both_scores(name: str, bundled: Evaluator) -> None:
    answer = scored(f"{CHINESE}RE[W+9]", bundled)
    language.set(name)
    try:
        assert "W+9" in answer.estimate.trust and "B+4" in answer.estimate.trust
    finally:
        language.set(LANGUAGES[0])
