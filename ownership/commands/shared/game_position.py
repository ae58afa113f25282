"""The game of a record up to a position, under the terms that the record most likely means."""

from dataclasses import replace

from game_records.assumed_terms import possible_terms
from game_records.record_errors import BadRecord
from game_records.record_sources import read_game
from goban.errors import InputError
from goban.game import Game
from ownership.commands.shared.game_arguments import with_warning
from ownership.scoring.score_games import with_move


def game_at(source: str, move: int | None) -> Game:
    """Return the game of a record up to the position after a number of moves, None for all; raise InputError."""
    record = with_move(with_warning(read_game(source)), move)
    if isinstance(record, BadRecord):
        raise InputError(str(record))
    terms = possible_terms(record)[0]
    return replace(record.as_game(move, terms.ruleset), komi=terms.komi)
