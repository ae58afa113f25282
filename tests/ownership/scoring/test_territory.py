"""The territory that records mark, compared with the count."""

import pytest

from game_records.sgf import parse_game
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_json import as_json
from ownership.scoring.score_text import as_text
from ownership.scoring.scored_game import ScoredGame, ScoreOptions

# + + + X O - -
# + X + X O O -
# + + o X O - O      C5 is dead.
# X X X X O O -
# O O O O O - -
# - - - - - - -
# - O - - - O -
BOARD = "SZ[7]RU[Japanese]KM[0.5]AB[da][bb][db][dc][ad][bd][cd][dd]"
BOARD += "AW[cc][ea][eb][fb][ec][gc][ed][fd][ae][be][ce][de][ee][bg][fg]"
BLACK = "TB[aa:ca][ab][cb][ac:cc]"
WHITE = "TW[fa:ga][gb][fc][gd][fe:ge][af:gf][ag][cg:eg][gg]"


def scored(marks: str, evaluator: Evaluator, moves: str = ";B[];W[]", move: int | None = None) -> ScoredGame:
    game = parse_game(f"(;{BOARD}{moves}{marks})".encode())
    [answer] = score_games([game], evaluator, ScoreOptions(move=move))
    assert isinstance(answer, ScoredGame)
    return answer


WHITES = "F7 G7 G6 F5 G4 F3 G3 A2 B2 C2 D2 E2 F2 G2 A1 C1 D1 E1 G1"


@pytest.mark.parametrize(
    ("marks", "line", "points"),
    [
        (BLACK + WHITE, "Territory in the record (TB, TW): the same", ""),
        (BLACK + WHITE + "[ea]", "Territory in the record (TB, TW): the same", ""),
        (
            BLACK.replace("[ac:cc]", "[ac:bc]") + WHITE,
            "Territory in the record (TB, TW) differs: White's C5 is alive there, dead here",
            "C5",
        ),
        (
            BLACK + WHITE.replace("[ag]", "") + "[aa]",
            "Territory in the record (TB, TW) differs: other owners of A7 A1",
            "A7 A1",
        ),
        (
            BLACK,
            "Territory in the record (TB, TW) differs: other owners of F7 G7 G6 F5 G4 F3 G3\n"
            "    A2 B2 C2 D2 E2 F2 G2 A1 C1 D1 E1 G1",
            WHITES,
        ),
    ],
)
def test_points_that_the_record_gives_to_another_side_are_named(
    marks: str, line: str, points: str, bundled: Evaluator
) -> None:
    answer = scored(marks, bundled)
    assert as_text(answer).endswith(line)
    assert as_json(answer)["territory_differs"] == points.split()


@pytest.mark.parametrize(("marks", "move"), [("", None), (BLACK + WHITE, 1)])
def test_only_marks_of_the_end_are_compared(marks: str, move: int | None, bundled: Evaluator) -> None:
    answer = scored(marks, bundled, move=move)
    assert "TB" not in as_text(answer)
    assert as_json(answer)["territory_differs"] is None


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (
            "(;SZ[9]HA[2]RU[Japanese]KM[0];W[ee])",
            "Assumed: 2 handicap stones on the usual points, as the record does not place them",
        ),
        (
            "(;SZ[9]HA[0]RU[Chinese]KM[0];B[cc];B[gg];B[cg];W[ee])",
            "Assumed: a handicap of 3, as the record begins with that many moves by Black",
        ),
    ],
)
def test_a_handicap_that_the_record_leaves_open_is_named(record: str, line: str, bundled: Evaluator) -> None:
    [answer] = score_games([parse_game(record.encode())], bundled, ScoreOptions())
    assert isinstance(answer, ScoredGame)
    assert line in as_text(answer).splitlines()
    assert as_json(answer)["assumed"] == ["handicap"]
