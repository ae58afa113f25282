"""Which games have occurred already, kept on disk so that memory stays small however many there are."""

import sqlite3

_CACHE_KIB = 1 << 16
_TABLE = "CREATE TABLE games (id INTEGER PRIMARY KEY, source TEXT NOT NULL) WITHOUT ROWID"


class SeenGames:
    """The ids of games, each with the source where it occurred first. Gone when it is closed, as is its file."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._database.execute(_TABLE)

    def first_source(self, game_id: str, source: str) -> str | None:
        """Return where a game of this id, 16 hexadecimal digits, occurred first; None if this is the first time."""
        number = int(game_id, 16) - (1 << 63)
        if self._database.execute("INSERT OR IGNORE INTO games VALUES (?, ?)", (number, source)).rowcount:
            return None
        row = self._database.execute("SELECT source FROM games WHERE id = ?", (number,)).fetchone()
        return str(row[0])

    def close(self) -> None:
        """Forget everything."""
        self._database.close()
