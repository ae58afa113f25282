"""The games of a file that a client sends: all of them, or one by its number."""

from collections.abc import Iterator, Sequence

from game_records.game_record import GameRecord
from game_records.record_errors import RecordError
from game_records.registered_formats import parse_record
from game_records.sgf_collection import split_games
from goban.errors import InputError
from ownership.server.request_limits import MOST_LISTED


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
