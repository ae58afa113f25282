"""The game of a record up to a position, under the terms that the record most likely means."""

from dataclasses import replace

from game_records.assumed_terms import possible_terms
from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from goban.errors import InputError
from goban.game import Game
from goban.rulesets import Ruleset
from ownership.scoring.score_games import with_move


def likely_game(
    record: GameRecord, move: int | None = None, rules: Ruleset | str | None = None, komi: float | None = None
) -> Game:
    """Return the game up to the position after a number of moves, None for all.

    `rules` and `komi` override the record's. Raises InputError if the record has no such move.
    """
    checked = with_move(record, move)
    if isinstance(checked, BadRecord):
        raise InputError(str(checked))
    terms = possible_terms(record, rules, komi)[0]
    return replace(record.as_game(move, terms.ruleset), ruleset=terms.ruleset, komi=terms.komi)
