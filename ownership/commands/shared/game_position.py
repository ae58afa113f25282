"""The game of a record that a command names, up to a position."""

from game_records.record_sources import read_game
from goban.game import Game
from ownership.commands.shared.game_arguments import with_warning
from ownership.scoring.likely_game import likely_game


def game_at(source: str, move: int | None) -> Game:
    """Return the game of a record up to the position after a number of moves, None for all; raise InputError."""
    return likely_game(with_warning(read_game(source)), move)
