"""The games of a folder that the engine goes through."""

from collections.abc import Iterator
from pathlib import Path

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.record_sources import read_games
from gogui_plugin.gtp import GtpError
from gogui_plugin.loaded_record import LoadedGame


class Library:
    """The games below a folder, in order; the first one follows the last."""

    def __init__(self, folder: Path | None) -> None:
        """Keep the folder; it is read with the first game."""
        self._folder = folder
        self._games: Iterator[GameRecord | BadRecord] = iter(())

    def next(self) -> LoadedGame:
        """Return the next game that can be used; raise GtpError if the folder has none."""
        if self._folder is None:
            raise GtpError("expected a folder of games. Received: none; start the engine with --games FOLDER")
        for games in (self._games, read_games([self._folder])):
            self._games = games
            found = next((game for game in games if isinstance(game, GameRecord)), None)
            if found is not None:
                return LoadedGame(found)
        raise GtpError(f"expected games in {self._folder}. Received: none that can be used")
