"""What hangs on the life of groups."""

import json

import numpy as np
import pytest

from goban.coords import gtp_name, parse_gtp
from goban.game import Game
from goban.position import Position
from ownership.cli import main
from ownership.explaining.stakes import GroupStake, stakes, stone_groups
from ownership.inference.evaluator import Evaluator
from tests.support.paths import EXAMPLES

UNSETTLED_CORNER = """
. . . O X . . . .
O O O O X . . . .
X X X X X . X . .
. . . . . X O X X
. . X . X O O O O
. X . X O . . . .
. X X O O . O . .
X . X O . O . . .
. X X O . . . . .
"""


def game_of(diagram: str) -> Game:
    position = Position.from_diagram(diagram.strip())
    stones = {point: int(colour) for point, colour in enumerate(position.flat) if colour}
    return Game.empty(9, ruleset="chinese").with_setup(stones, position.to_move)


def found_in(diagram: str) -> list[GroupStake]:
    return stakes(Evaluator.load("default"), game_of(diagram))


def test_most_hangs_on_the_unsettled_group() -> None:
    first, *others = found_in(UNSETTLED_CORNER)
    assert (first.colour, sorted(gtp_name(point, 9) for point in first.points)) == (-1, ["A8", "B8", "C8", "D8", "D9"])
    assert 0.1 < first.unsure <= 0.5 and 10 < first.worth < 24, "its 5 stones and 3 points count twice"
    assert all(first.at_stake > 2 * each.at_stake for each in others)
    assert sum(len(each.points) for each in (first, *others)) == np.count_nonzero(
        game_of(UNSETTLED_CORNER).position.stones
    )


def test_chains_that_share_a_liberty_are_one_group() -> None:
    position = Position.from_diagram("X . X . .\n. . . . .\n. . O . .\n. O . . .\n. . . . X")
    groups = [
        sorted(gtp_name(point, 5) for point in np.flatnonzero(group).tolist()) for group in stone_groups(position)
    ]
    assert sorted(groups) == [["A5", "C5"], ["B2", "C3"], ["E1"]]


def test_prisoners_count_where_the_rules_count_them() -> None:
    game = game_of(UNSETTLED_CORNER)
    territory = Game.empty(9, ruleset="japanese").with_setup(
        {point: int(colour) for point, colour in enumerate(game.position.flat) if colour}, 1
    )
    area, other = (stakes(Evaluator.load("default"), each)[0] for each in (game, territory))
    assert area.points == other.points
    assert other.worth == pytest.approx(area.worth, abs=4)


def test_an_empty_board_has_nothing_at_stake() -> None:
    assert stakes(Evaluator.load("fast"), Game.empty(9)) == []


def test_the_line_of_a_group() -> None:
    corner = tuple(parse_gtp(vertex, 9) for vertex in ("A8", "B8"))
    stake = GroupStake(9, -1, corner, 16.4, 0.7)
    assert stake.text == "White's A8, 2 stones: 16 points, 30% in danger"
    assert GroupStake(9, 1, corner[:1], 1.2, 0.25).text == "Black's A8, 1 stone: 1 point, 25% to live"
    assert stake.at_stake == pytest.approx(0.3 * 16.4)


def test_the_command_lists_groups(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["explain", str(EXAMPLES / "finished-9x9.sgf"), "--move", "24", "--model", "fast"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 2 <= len(lines) <= 10 and all("point" in line for line in lines)
    assert main([*arguments, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert [each["at_stake"] for each in values] == sorted((each["at_stake"] for each in values), reverse=True)
    assert lines[0].startswith(f"{values[0]['colour']}'s {values[0]['group'][0]}, ")
