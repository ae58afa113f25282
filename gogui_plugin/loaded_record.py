"""Game records that the user loads into the engine."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

from game_records.assumed_terms import assumed_terms
from game_records.game_record import GameRecord
from game_records.record_sources import read_games
from goban.errors import plural
from goban.game import Game
from goban.position import Position
from goban.rulesets import Terms
from gogui_plugin.gtp import GtpError


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

    def begins(self, game: Game) -> bool:
        """Return whether the record begins with a game in progress."""
        record, played = self.record, len(game.indexed_moves)
        if record.side != game.side or record.to_move != game.start.to_move or played > len(record.move_points):
            return False
        moves = zip(record.move_colours[:played].tolist(), record.move_points[:played].tolist(), strict=True)
        return game.indexed_moves == tuple(moves) and bool((record.setup == game.start.stones.ravel()).all())

    def summary(self, terms: Terms) -> str:
        """Return file, terms, size, result and players in one line, the names last: a status line may cut them off."""
        record = self.record
        cut = " and breaks off" if record.broken_off else ""
        return (
            f"{PurePath(record.source).name}: {terms_text(terms, assumed_terms(record))}, {record.side}x{record.side}, "
            f"{plural(len(record.move_points), 'move')}{cut}, result {record.result.text or 'unknown'}, "
            f"{record.black or 'Black'} - {record.white or 'White'}"
        )


def terms_text(terms: Terms, assumed: Collection[str]) -> str:
    """Return rules, komi and handicap in a line, with "(assumed)" after each that the record leaves open."""
    parts = {"rules": f"{terms.ruleset.name} rules", "komi": f"komi {terms.komi:g}"}
    if terms.handicap or "handicap" in assumed:
        parts["handicap"] = f"handicap {terms.handicap}"
    return ", ".join(f"{text} (assumed)" if name in assumed else text for name, text in parts.items())


def load_game(path: str) -> LoadedGame:
    """Return the first game of a file, as GUIs show it of a collection; raise GtpError if it cannot be used."""
    if not Path(path).is_file():
        raise GtpError(f"cannot load file: expected a file. Received: {path}")
    found = next(read_games([Path(path)]), None)
    if isinstance(found, GameRecord):
        return LoadedGame(found)
    raise GtpError(f"cannot load file: {found or f'{path}: no game'}")
