"""What Python and Jupyter show of records, games and scored games."""

from ownership import Evaluator, Game, read_game, score_game
from tests.support.paths import EXAMPLES

RECORD = str(EXAMPLES / "finished-9x9.sgf")


def test_a_record_a_game_and_a_scored_game_are_shown_in_a_line(bundled: Evaluator) -> None:
    record = read_game(RECORD)
    assert repr(record) == f"<GameRecord {RECORD}: 9x9, 45 moves, B+4.0>"
    assert repr(score_game(record, bundled)) == f"<ScoredGame {RECORD} after 45 moves: B+4 by chinese rules, confirmed>"
    game = Game.empty(9, ruleset="chinese", komi=7.0).play("E5")
    assert repr(game) == "<Game 9x9, 1 move, White to move, chinese rules, komi 7>"


def test_jupyter_shows_the_board_of_each(bundled: Evaluator) -> None:
    record = read_game(RECORD)
    for shown in (record, score_game(record, bundled), Game.empty(9).play("E5")):
        picture = shown._repr_svg_()
        assert picture.startswith("<svg") and picture.count("<circle") >= 1
