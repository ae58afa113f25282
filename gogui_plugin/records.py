"""Game records that the user loads into the engine."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

from goban.position import Position
from gogui_plugin.gtp import GtpError
from preprocessing.plurals import plural
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord, read_games


@dataclass(frozen=True, eq=False)
class LoadedGame:
    """A finished game that the user loaded, to compare positions on the board with."""

    record: GameRecord

    @cached_property
    def hashes(self) -> list[int]:
        """The Zobrist hash of the stones after each number of moves."""
        return [position.hash for position in self.record.positions()]

    def plies(self, position: Position, played: int) -> int:
        """Return the number of moves after which the record has these stones, preferably `played`.

        Raises:
            GtpError: the record never has them.
        """
        if self.record.side == position.side:
            if played < len(self.hashes) and self.hashes[played] == position.hash:
                return played
            if position.hash in self.hashes:
                return self.hashes.index(position.hash)
        raise GtpError(f"expected a position of the loaded game, {self.record.source}. Received: another position")

    def summary(self) -> str:
        """Return file, size, result and players in one line, the names last: a status line may cut them off."""
        record = self.record
        handicap = f", handicap {record.handicap}" if record.handicap else ""
        cut = " and breaks off" if record.broken_off else ""
        return (
            f"{PurePath(record.source).name}: {record.side}x{record.side}, komi {record.komi:g}{handicap}, "
            f"{plural(len(record.moves), 'move')}{cut}, result {record.result.text or 'unknown'}, "
            f"{record.black or 'Black'} - {record.white or 'White'}"
        )


def load_game(path: str) -> LoadedGame:
    """Return the first game of a file, as GUIs show it of a collection; raise GtpError if it cannot be used."""
    if not Path(path).is_file():
        raise GtpError(f"cannot load file: expected a file. Received: {path}")
    found = next(read_games([Path(path)]), None)
    if isinstance(found, GameRecord):
        return LoadedGame(found)
    raise GtpError(f"cannot load file: {found or f'{path}: no game'}")


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
