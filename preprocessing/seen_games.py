"""The games that a run has met, by which copies of a game are found: an index on disk, as they may be millions."""

import sqlite3

_CACHE_KIB = 1 << 16
_TABLE = """CREATE TABLE games
    (opening INTEGER, moves BLOB, source TEXT NOT NULL, PRIMARY KEY (opening, moves)) WITHOUT ROWID"""
_BESIDE = (
    "SELECT moves, source FROM games WHERE opening = ? AND moves <= ? ORDER BY moves DESC LIMIT 1",
    "SELECT moves, source FROM games WHERE opening = ? AND moves >= ? ORDER BY moves LIMIT 1",
)


class SeenGames:
    """The courses of games, each with the source where it occurred first. Gone when it is closed, as is its file."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._database.execute(_TABLE)
        self._database.execute("BEGIN")  # never committed: a transaction a game would write its changes to the disk

    def first_source(self, course: tuple[str, bytes], source: str) -> str | None:
        """Return where a game of this `GameRecord.course`, or of one that begins it or goes on from it, occurred first.

        None if this is the first time. Of the kept games none goes on from another, so a game that goes on from one is
        next to it in their order.
        """
        opening, moves = int(course[0], 16) - (1 << 63), course[1]
        for query in _BESIDE:
            found = self._database.execute(query, (opening, moves)).fetchone()
            if found and (moves.startswith(found[0]) or found[0].startswith(moves)):
                return str(found[1])
        self._database.execute("INSERT INTO games VALUES (?, ?, ?)", (opening, moves, source))
        return None

    def close(self) -> None:
        """Forget everything."""
        self._database.close()
