"""Records that clients send: the games of a file, and those that were read last, which are kept."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Final

from game_records.game_record import GameRecord
from game_records.record_sources import parse_record
from game_records.sgf import RecordError
from game_records.text import split_games
from goban.errors import InputError
from ownership.server.request_limits import MOST_KEPT, MOST_LISTED

SOURCE: Final = "game"  # what messages call a record without a name


class KeptRecords:
    """Reads records, and keeps those that were read last, as a client sends the same game for each position.

    Args:
        parse: reads the text of a record.
        most: bytes of all texts that are kept.
    """

    def __init__(self, parse: Callable[[bytes], GameRecord], most: int = MOST_KEPT) -> None:
        self._parse, self._most = parse, most
        self._records: OrderedDict[bytes, GameRecord] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def __call__(self, data: bytes) -> GameRecord:
        """Return the record of a text; raise what `parse` raises."""
        with self._lock:
            if (known := self._records.get(data)) is not None:
                self._records.move_to_end(data)
                return known
        found = self._parse(data)
        with self._lock:
            if data not in self._records:
                self._records[data] = found
                self._size += len(data)
            while self._size > self._most:
                oldest, _ = self._records.popitem(last=False)
                self._size -= len(oldest)
        return found


first_game = KeptRecords(lambda data: parse_record(data, SOURCE)[0])
"""Return the first game, or the board, in a record in any format, as `parse_record` does."""


def file_games(data: bytes, name: str) -> tuple[int, Iterator[GameRecord | RecordError]]:
    """Return the number of games in a file and the first MOST_LISTED, or why they cannot be used; at least one."""
    games = _games(data)
    return len(games), (_read(games, name, number) for number in range(1, min(len(games), MOST_LISTED) + 1))


def file_game(data: bytes, name: str, number: int) -> tuple[GameRecord, bytes]:
    """Return a game of a file by its number from 1, and its SGF; raise InputError."""
    games = _games(data)
    most = min(len(games), MOST_LISTED)
    if number > most:
        raise InputError(f"{name}: expected the number of a game, 1..{most}. Received: {number}")
    return parse_record(games[number - 1], _source(games, name, number))


def _games(data: bytes) -> list[bytes]:
    return list(split_games([data])) or [data]


def _read(games: Sequence[bytes], name: str, number: int) -> GameRecord | RecordError:
    try:
        return parse_record(games[number - 1], _source(games, name, number))[0]
    except RecordError as error:
        return error


def _source(games: Sequence[bytes], name: str, number: int) -> str:
    return name if len(games) == 1 else f"{name}#{number}"
