"""A dead group in doubt is settled where a search captures it with either side first."""

import numpy as np

from game_records.game_record import GameRecord
from game_records.result_property import Result
from goban.coords import parse_gtp
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.scoring.captured_groups import CAPTURE_VISITS, captured_stones
from ownership.scoring.score_games import score_game
from ownership.scoring.score_position import score_position
from ownership.scoring.scored_game import ScoreOptions
from tests.support.boards import ATARI_BESIDE_A_DAME

UNKNOWN = Result(0, None, "unknown", "")

# Black's three stones on the G file die, but reading small areas does not show it.
DEAD_INSIDE = """
. O X O O . . . .
. X X X O X . . .
. . X O O X . . .
. X . X O . X . O
. . X X O . X . O
. . X O O O X . .
. . X O . . O O .
. . X X O O . . .
. . X O O . . . .
"""


def _passed_out(diagram: str) -> Game:
    game = Game((Position.from_diagram(diagram),), ruleset=RULESETS["chinese"], komi=7.0)
    return game.play("pass").play("pass")


def test_a_capture_makes_the_count_safe(bundled: Evaluator) -> None:
    record = GameRecord.of_game(_passed_out(DEAD_INSIDE), "dead-inside", UNKNOWN)
    alone, searched = (
        score_game(record, bundled, ScoreOptions(second_judge="play", capture_visits=visits)).estimate
        for visits in (0, CAPTURE_VISITS)
    )
    assert [doubt.text for doubt in alone.reasons] == ["Black's G6 (3 stones, 18 points) may live"]
    assert (alone.state, searched.state) == ("unsafe", "safe")
    assert searched.score == alone.score and not searched.in_doubt


def test_only_the_stones_in_doubt_are_captured(bundled: Evaluator) -> None:
    game = _passed_out(DEAD_INSIDE)
    count = score_position(game.position, "chinese", 7.0, evaluator=bundled)
    captured = captured_stones(bundled, game, count, CAPTURE_VISITS)
    assert captured is not None
    group = game.position.chain_at(parse_gtp("G6", 9))
    assert group is not None and set(np.flatnonzero(captured)) == set(group.points)


def test_what_depends_on_the_next_move_is_not_searched(bundled: Evaluator) -> None:
    game = _passed_out(ATARI_BESIDE_A_DAME)
    count = score_position(game.position, "chinese", 0.0, evaluator=bundled, second_judge=None)
    assert {doubt.kind for doubt in count.reasons} == {"next move"}
    assert captured_stones(bundled, game, count, CAPTURE_VISITS) is None
