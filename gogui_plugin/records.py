"""The finished game that the engine knows: what happened in the end, and the next one in a folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from goban.counting.estimate import Estimate
from goban.position import Position
from gogui_plugin.gtp import GtpError
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord, read_games


@dataclass(frozen=True, eq=False)
class Record:
    """A loaded game, and how it ended according to the model: every point has an owner, 0 for nobody."""

    game: GameRecord

    @cached_property
    def hashes(self) -> list[int]:
        """The Zobrist hash of the stones after each number of moves."""
        return [position.hash for position in self.game.positions()]

    @cached_property
    def last(self) -> Position:
        """The position at the end."""
        return self.game.position()

    def plies(self, position: Position, played: int) -> int:
        """Return after how many moves of the game the stones stand like this, best `played`; raise GtpError."""
        if self.game.side == position.side:
            if played < len(self.hashes) and self.hashes[played] == position.hash:
                return played
            if position.hash in self.hashes:
                return self.hashes.index(position.hash)
        raise GtpError(f"expected a position of the loaded game, {self.game.source}. Received: another position")

    def summary(self) -> str:
        """Return file, size, result and players in one line, the names last: a status line may cut them off."""
        game = self.game
        handicap = f", handicap {game.handicap}" if game.handicap else ""
        return (
            f"{PurePath(game.source).name}: {game.side}x{game.side}, komi {game.komi:g}{handicap}, "
            f"{len(game.moves)} moves, result {game.result.text or 'unknown'}, "
            f"{game.black or 'Black'} - {game.white or 'White'}"
        )


def read_record(path: str) -> Record:
    """Return the first game of a file; raise GtpError if there is none that can be used."""
    if not Path(path).is_file():
        raise GtpError(f"cannot load file: expected a file. Received: {path}")
    found = next(read_games([Path(path)]), None)
    if isinstance(found, GameRecord):
        return Record(found)
    raise GtpError(f"cannot load file: {found or f'{path}: no game'}")


class Library:
    """The games below a folder, one after the other, beginning again after the last."""

    def __init__(self, folder: Path | None) -> None:
        """Look at nothing yet."""
        self._folder = folder
        self._games: Iterator[GameRecord | BadRecord] = iter(())

    def next(self) -> Record:
        """Return the next game that can be used; raise GtpError if there is none in the folder."""
        if self._folder is None:
            raise GtpError("expected a folder of games. Received: none; start the engine with --games FOLDER")
        for games in (self._games, read_games([self._folder])):
            self._games = games
            found = next((game for game in games if isinstance(game, GameRecord)), None)
            if found is not None:
                return Record(found)
        raise GtpError(f"expected games in {self._folder}. Received: none that can be used")


def accuracy(ownership: NDArray[np.float32], final: Estimate) -> tuple[float, float, int]:
    """Return the share of decided points whose owner is foreseen, the Brier score, and how many are decided."""
    decided = final.owner != 0
    count = int(decided.sum())
    if count == 0:
        return 0.0, 0.0, 0
    hits = (ownership > 0) == (final.owner > 0)
    squared = np.square((ownership - final.owner) / 2)
    return float(hits[decided].mean()), float(squared[decided].mean()), count
