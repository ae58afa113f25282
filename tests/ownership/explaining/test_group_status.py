"""How groups live and die, with either side first."""

import json
from pathlib import Path

import pytest

from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from ownership.cli import main
from ownership.explaining.explanation_text import end_text, status_text
from ownership.explaining.group_status import GroupStatus, explain_group
from ownership.explaining.moves_near_group import near_group
from ownership.inference.evaluator import Evaluator
from tests.support.paths import EXAMPLES

STRAIGHT_THREE = """
. . . O X . . . .
O O O O X . . . .
X X X X X . . . .
. . . . . . X . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
TWO_POINTS = """
. . O X . . . . .
O O O X . . . . .
X X X X . . . . .
. . . . . . X . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
TWO_EYES = """
. O . O X . . . .
O O O O X . . . .
X X X X X . . . .
. . . . . . X . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""

FOUR_IN_THE_CORNER = """
. . O X . . . . .
. O O X . . . . .
. O X X . . . . .
O O X . . . . . .
X X X . . . X . .
. . . . . . . . .
. . X . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


KO_IN_THE_CORNER = FOUR_IN_THE_CORNER.replace(". . O X", ". X O X", 1).replace(". O O X", "X O O X", 1)


def explained(
    diagram: str, vertex: str, to_move: int = BLACK, model: str | Path = "fast", second: str | None = None
) -> GroupStatus:
    game = Game.empty(9, ruleset="chinese")
    position = Position.from_diagram(diagram.strip(), to_move)
    stones = {point: int(colour) for point, colour in enumerate(position.flat) if colour}
    game = game.with_setup(stones, to_move)
    return explain_group(Evaluator.load(model), game, parse_gtp(vertex, 9), 60, second=second)


def vertices(points: tuple[int, ...]) -> list[str]:
    return [gtp_name(point, 9) for point in points]


def test_three_points_in_a_row_are_unsettled_and_both_sides_play_the_middle() -> None:
    status = explained(STRAIGHT_THREE, "D8")
    assert status.status == "unsettled"
    assert (status.attacked.outcome, status.defended.outcome) == ("captured", "lives")
    assert (vertices(status.attacked.moves)[0], vertices(status.defended.moves)[0]) == ("B9", "B9")
    assert status.attacked.end.proof == "captured"


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_one_eye_of_two_points_is_captured_with_either_side_first(to_move: int) -> None:
    status = explained(TWO_POINTS, "A8", to_move)
    assert (status.status, status.lines[0].first) == ("dead", WHITE)
    assert {status.attacked.end.proof, status.defended.end.proof} == {"captured"}
    position = status.game.position
    for line in status.lines:
        game = status.game.with_player(line.first).play_all(_turns(line.first, line.moves))
        assert game.position.stones.flat[parse_gtp("A8", 9)] != WHITE
    assert position == status.game.position


def test_two_eyes_live_without_a_move() -> None:
    status = explained(TWO_EYES, "D8")
    assert status.status == "alive"
    assert status.attacked.moves == status.defended.moves == ()
    assert status.attacked.end.proof == "lives unconditionally"
    assert status_text(status) == (
        "White's B9 (6 stones) is alive\n\nBlack first: lives unconditionally\n\nWhite first: lives unconditionally"
    )


def test_a_line_names_its_ko() -> None:
    attacked = explained(FOUR_IN_THE_CORNER, "C8").attacked
    assert vertices(attacked.moves)[:3] == ["A8", "A9", "B9"]
    assert attacked.ko == parse_gtp("A9", 9)
    assert end_text(attacked, 9).endswith(" by the ko at A9")


def test_a_group_that_lives_only_by_taking_a_ko_is_in_ko() -> None:
    status = explained(KO_IN_THE_CORNER, "C8")
    assert (status.attacked.outcome, status.defended.outcome) == ("captured", "lives")
    assert vertices(status.defended.moves)[0] == "A9"
    assert [line.ko for line in status.lines] == [parse_gtp("B9", 9), None]
    assert status.status == "ko"
    assert status_text(status).startswith("White's C9 (6 stones) lives or dies by a ko\n\nWhite first: A9")


def test_a_second_model_searches_where_it_expects_another_fate(small_model: Path) -> None:
    assert explained(TWO_POINTS, "A8", model=small_model).lines != explained(TWO_POINTS, "A8").lines
    assert explained(TWO_POINTS, "A8", model=small_model, second="fast").lines == explained(TWO_POINTS, "A8").lines
    assert explained(TWO_POINTS, "A8", second="default").lines == explained(TWO_POINTS, "A8").lines


def test_an_empty_point_has_no_group() -> None:
    with pytest.raises(InputError, match="expected a point with a stone"):
        explained(TWO_EYES, "A9")


def test_moves_near_a_group_are_empty_points_beside_it_and_beside_weak_chains_around() -> None:
    position = Position.from_diagram(TWO_EYES.strip())
    near = {gtp_name(point, 9) for point in near_group(position, parse_gtp("D8", 9)).nonzero()[0].tolist()}
    assert {"A9", "C9", "F8", "F9"} <= near
    assert near.isdisjoint({"B9", "D9", "J9", "A1"})


def test_the_command_prints_lines_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(EXAMPLES / "finished-9x9.sgf")
    assert main(["explain", game, "C7", "--model", "fast", "--visits", "50"]) == 0
    first, _, line, header, *_ = capsys.readouterr().out.splitlines()
    assert first == "White's C7 (2 stones) is dead"
    assert line.startswith("White first: ") and ": captured" in line
    assert header.split() == list("ABCDEFGHJ")
    assert main(["explain", game, "C7", "--model", "fast", "--visits", "50", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["group"], found["colour"], found["status"]) == (["C7", "C6"], "White", "dead")
    assert [each["first"] for each in found["lines"]] == ["White", "Black"]


@pytest.mark.parametrize(("vertex", "why"), [("Z9", "expected a vertex"), ("A1", "expected a point with a stone")])
def test_a_wrong_vertex_is_one_line(vertex: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(EXAMPLES / "finished-9x9.sgf"), vertex]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and "VERTEX: " in lines[0] and why in lines[0]


def _turns(first: int, moves: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(first if number % 2 == 0 else -first, move) for number, move in enumerate(moves)]
