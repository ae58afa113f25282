"""What clients send: records with a choice of position, terms and claims, checked field by field."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Final, TypeVar

from game_records.game_record import MAX_MOVES, GameRecord
from game_records.record_errors import RecordError
from game_records.registered_formats import parse_record
from game_records.sgf_collection import split_games
from goban.coords import BLACK, WHITE, pass_point
from goban.counting.languages import LANGUAGES, language
from goban.errors import InputError, parse_object, shown, suggestion
from goban.json_fields import Fields, QueryError, colour_of, move_of, point_of
from goban.rulesets import MAX_KOMI, Ruleset, find_rules, wrong_rules
from ownership.review.searched_positions import DEFAULT_VISITS
from ownership.scoring.score_games import ScoreOptions
from ownership.scoring.score_position import SYMMETRIES, VertexClaims
from ownership.server.live_review import MOST_LIVE_VISITS
from ownership.server.shared_record import Line, Sharing

SOURCE: Final = "game"  # what messages call a record without a name
MOST_LISTED: Final = 1000  # games of a file
_MOST_KEPT: Final = 4 << 20  # bytes of records' texts
_MAX_POINTS: Final = 625
_MAX_PRISONERS: Final = 9999
_MAX_LINES: Final = 1000
_LONGEST_RESULT: Final = 100

_Others = TypeVar("_Others")


class KeptRecords:
    """Reads records, and keeps those that were read last, as a client sends the same game for each position.

    Args:
        parse: reads the text of a record.
        most: bytes of all texts that are kept.
    """

    def __init__(self, parse: Callable[[bytes], GameRecord], most: int = _MOST_KEPT) -> None:
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


parse = KeptRecords(lambda data: parse_record(data, SOURCE)[0])
"""Return the first game, or the board, in a record in any format, as `parse_record` does."""


def games_of_file(data: bytes, name: str) -> tuple[int, Iterator[GameRecord | RecordError]]:
    """Return the number of games in a file and the first MOST_LISTED, or why they cannot be used; at least one."""
    games = _games(data)
    return len(games), (_read(games, name, number) for number in range(1, min(len(games), MOST_LISTED) + 1))


def game_of_file(data: bytes, name: str, number: int) -> tuple[GameRecord, bytes]:
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


def read_request(body: bytes) -> tuple[GameRecord, ScoreOptions]:
    """Return the game of a JSON object, and how to score it; raise InputError, which names the field at fault."""
    game, options = _request(body, _options)
    return _with_position(game, options), options


def read_review(body: bytes) -> tuple[GameRecord, bytes, ScoreOptions, int]:
    """Return the game of a JSON object, its SGF, the terms of its review and the visits of each search.

    A game with an illegal move ends before it. Raises InputError.
    """
    game, (data, options, visits) = _request(body, lambda fields: (_text(fields), _terms(fields), _visits(fields)))
    return game, parse_record(data, SOURCE)[1], options, visits


def read_search(body: bytes) -> tuple[GameRecord, ScoreOptions, int]:
    """Return the game of a JSON object, the position to search and the visits; raise InputError."""
    game, (options, visits) = _request(body, lambda fields: (_at_move(fields), _visits(fields)))
    return _with_position(game, options), options, visits


def read_sharing(body: bytes) -> tuple[GameRecord, bytes, Sharing]:
    """Return the game of a JSON object, its SGF, and what is to be added to it; raise InputError."""
    fields = Fields(parse_object(body))
    with _of_fields(fields):
        data = _text(fields)
        game, record = parse_record(data, SOURCE)
        rules, to_move = _ruleset(fields.get("rules")), fields.get("to_move")
        sharing = Sharing(
            lines=_lines(fields, game),
            rules=None if rules is None else rules.name,
            komi=fields.number("komi", None, -MAX_KOMI, MAX_KOMI),
            result=_result(fields),
            to_move=None if to_move is None else colour_of(to_move, "to_move"),
        )
    return game, record, sharing


def _lines(fields: Fields, game: GameRecord) -> tuple[Line, ...]:
    lines = fields.items("lines")
    if len(lines) > _MAX_LINES:
        raise QueryError(f"expected {_MAX_LINES} lines at most. Received: {len(lines)}", "lines")
    return tuple(_line(value, game) for value in lines)


def _line(value: object, game: GameRecord) -> Line:
    """Return a line of moves, {"after": 4, "moves": [["B", "Q16"]], "territory": {"TB": [], "TW": []}}."""
    if not isinstance(value, dict) or value.keys() - {"after", "moves", "territory"}:
        raise QueryError(f"expected objects with after, moves and territory. Received: {shown(value)}", "lines")
    fields = Fields(value)
    after, moves, marks = fields.whole("after", 0, 0, len(game.moves)), fields.items("moves"), fields.get("territory")
    if len(moves) > MAX_MOVES:
        raise QueryError(f"expected {MAX_MOVES} moves at most. Received: {len(moves)}", "lines")
    read = tuple(move_of(move, game.side, "lines") for move in moves)
    return Line(after, read, None if marks is None else _marks(marks, game.side))


def _marks(value: object, side: int) -> dict[int, tuple[int, ...]]:
    """Return the points of {"TB": [...], "TW": [...]} by colour."""
    if not isinstance(value, dict) or value.keys() - {"TB", "TW"}:
        raise QueryError(f'expected {{"TB": ["A1"], "TW": []}}. Received: {shown(value)}', "lines")
    marked = Fields(value)
    return {colour: _points(marked.items(name), side) for name, colour in (("TB", BLACK), ("TW", WHITE))}


def _points(vertices: list[object], side: int) -> tuple[int, ...]:
    points = tuple(point_of(vertex, side, "lines") for vertex in vertices[: _MAX_POINTS + 1])
    if len(points) > _MAX_POINTS or pass_point(side) in points:
        raise QueryError(f"expected at most {_MAX_POINTS} points of the board. Received: a pass, or more", "lines")
    return points


def _result(fields: Fields) -> str:
    result = fields.get("result")
    if result is not None and (not isinstance(result, str) or len(result) > _LONGEST_RESULT):
        raise QueryError(f"expected a result such as B+4. Received: {shown(result)}", "result")
    return result or ""


def _request(body: bytes, read: Callable[[Fields], _Others]) -> tuple[GameRecord, _Others]:
    """Return the game of a JSON object and what `read` makes of its other fields; set the language of the answer.

    Raises InputError.
    """
    fields = Fields(parse_object(body))
    with _of_fields(fields):
        data, found, prisoners = _text(fields), read(fields), _prisoners(fields)
        language.set(_language(fields))
    game = parse(data)
    return (game if prisoners is None else replace(game, prisoners=prisoners)), found


@contextmanager
def _of_fields(fields: Fields) -> Iterator[None]:
    """Raise InputError, which names the field, for a QueryError in the block, and for a field that was not read."""
    try:
        yield
    except QueryError as error:
        raise InputError(f"{error.field}: {error}") from None
    if unknown := fields.unknown():
        raise InputError(f"unknown field {shown(unknown[0])}{suggestion(unknown[0], fields.known)}")


def _text(fields: Fields) -> bytes:
    text = fields.get("sgf")
    if not isinstance(text, str):
        raise QueryError(f"expected a record as a string. Received: {shown(text)}", "sgf")
    return text.encode("utf-8", "replace")


def _with_position(game: GameRecord, options: ScoreOptions) -> GameRecord:
    """Return a game; raise RecordError if it has an illegal move before the position."""
    if game.illegal_move and (options.move is None or options.move > len(game.moves)):
        most = len(game.moves)
        raise RecordError(SOURCE, "illegal move", f"{game.illegal_move}; a move up to {most} can be scored")
    return game


def _prisoners(fields: Fields) -> tuple[int, int] | None:
    """Return the prisoners of Black and White before the first move, None for those of the record."""
    value = fields.get("prisoners")
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() - {"black", "white"}:
        raise QueryError(f'expected {{"black": 3, "white": 0}}. Received: {shown(value)}', "prisoners")
    each = Fields(value)
    return each.whole("black", 0, 0, _MAX_PRISONERS), each.whole("white", 0, 0, _MAX_PRISONERS)


def _language(fields: Fields) -> str:
    name = fields.get("language")
    if name is None:
        return LANGUAGES[0]
    if name not in LANGUAGES:
        raise QueryError(f"expected one of {', '.join(LANGUAGES)}. Received: {shown(name)}", "language")
    return str(name)


def _options(fields: Fields) -> ScoreOptions:
    return replace(_at_move(fields), claims=_claims(fields))


def _at_move(fields: Fields) -> ScoreOptions:
    return replace(_terms(fields), move=None if fields.get("move") is None else fields.whole("move", 0, 0, MAX_MOVES))


def _terms(fields: Fields) -> ScoreOptions:
    symmetries = fields.whole("symmetries", SYMMETRIES, 1, SYMMETRIES)
    if symmetries not in (1, SYMMETRIES):
        raise QueryError(f"expected 1 or {SYMMETRIES}. Received: {symmetries}", "symmetries")
    return ScoreOptions(
        rules=_ruleset(fields.get("rules")),
        komi=fields.number("komi", None, -MAX_KOMI, MAX_KOMI),
        symmetries=symmetries,
    )


def _visits(fields: Fields) -> int:
    return fields.whole("visits", DEFAULT_VISITS, 1, MOST_LIVE_VISITS)


def _ruleset(name: object) -> Ruleset | None:
    if name is None:
        return None
    if not isinstance(name, str):
        raise wrong_rules(shown(name))
    return find_rules(name)


def _claims(fields: Fields) -> VertexClaims | None:
    """Return the players' claims, even none, if any of the fields is there."""
    marked = {name: _vertices(fields, name) for name in ("dead", "alive", "seki") if fields.get(name) is not None}
    return VertexClaims(**marked) if marked else None


def _vertices(fields: Fields, name: str) -> tuple[str, ...]:
    vertices = fields.items(name)
    if len(vertices) > _MAX_POINTS:
        raise QueryError(f"expected {_MAX_POINTS} vertices at most. Received: {len(vertices)}", name)
    for vertex in vertices:
        if not isinstance(vertex, str):
            raise QueryError(f"expected vertices such as D4. Received: {shown(vertex)}", name)
    return tuple(vertices)
