"""Answers with scores: the JSON of a position, and the page of a game."""

from dataclasses import replace
from typing import Any, Final

from game_records.game_record import GameRecord
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import game_page
from ownership.scoring.score_games import score_game
from ownership.scoring.score_json import as_board_json
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import timeline
from ownership.server.request_limits import MOST_REPORTED
from ownership.server.threaded_work import Interrupted, WorkEndedError

_AT_A_TIME: Final = 8


def score_answer(game: GameRecord, evaluator: Evaluator, options: ScoreOptions) -> dict[str, Any]:
    """Return the JSON of `ownership score`, with the stones of all points; raise InputError."""
    return as_board_json(score_game(game, evaluator, options))


def report_answer(game: GameRecord, evaluator: Evaluator, options: ScoreOptions, interrupted: Interrupted) -> str:
    """Return the page of a game of at most MOST_REPORTED moves, whose last position respects the claims.

    Raises InputError, or WorkEndedError once `interrupted` returns True. The positions are scored a few at a time, so
    that other users need not wait for all of them.
    """
    if len(game.move_points) > MOST_REPORTED:
        raise InputError(f"expected {MOST_REPORTED} moves at most in a report. Received: {len(game.move_points)}")
    plain, plies = replace(options, claims=None, move=None), range(len(game.move_points) + 1)
    scored: list[ScoredGame] = []
    for start in plies[::_AT_A_TIME]:
        if interrupted():
            raise WorkEndedError
        scored += timeline(game, evaluator, plain, plies[start : start + _AT_A_TIME])
    *before, end = scored
    if options.claims is not None:
        end = score_game(game, evaluator, replace(options, move=None))
    return game_page([*before, end])
