"""What clients ask: a record with a choice of position, terms and claims, or what is to be added to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from game_records.game_record import MAX_MOVES, GameRecord
from game_records.node_marks import LONGEST_LABEL, label_value
from game_records.record_errors import RecordError
from game_records.registered_formats import parse_record
from goban.coords import BLACK, WHITE, parse_gtp, pass_point, sgf_name
from goban.counting.languages import language
from goban.errors import InputError, check_whole, naming, parse_object, shown, suggestion
from goban.game import Game
from goban.json_request_fields import Fields, as_fields, as_move, as_point
from goban.rulesets import Ruleset, find_rules, wrong_rules
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.scoring.likely_game import likely_game
from ownership.scoring.scored_game import ScoreOptions
from ownership.scoring.vertex_claims import VertexClaims
from ownership.server import request_fields as rows
from ownership.server.kept_records import SOURCE, first_game
from ownership.server.request_limits import MOST_POINTS
from ownership.server.shared_record import AddedLine, Sharing

_Others = TypeVar("_Others")


def read_score_request(body: bytes) -> tuple[GameRecord, ScoreOptions]:
    """Return the game of a JSON object, and how to score it; raise InputError, which names the field at fault."""
    game, options = _request(body, lambda fields: replace(_at_move(fields), claims=_claims(fields)))
    return _with_position(game, options), options


@dataclass(frozen=True)
class ReviewRequest:
    """A game to review, its SGF, the terms, and the visits of each search; one with an illegal move ends before it."""

    game: GameRecord
    record: bytes
    options: ScoreOptions
    visits: int


def read_review_request(body: bytes) -> ReviewRequest:
    """Return the review that a JSON object asks for; raise InputError."""
    game, (data, options, visits) = _request(
        body, lambda fields: (fields.read(rows.SGF), _terms(fields), fields.read(rows.VISITS))
    )
    return ReviewRequest(game, parse_record(data, SOURCE)[1], options, visits)


def read_search_request(body: bytes) -> tuple[GameRecord, ScoreOptions, int]:
    """Return the game of a JSON object, the position to search and the visits; raise InputError."""
    game, (options, visits) = _request(body, lambda fields: (_at_move(fields), fields.read(rows.VISITS)))
    return _with_position(game, options), options, visits


def read_explain_request(body: bytes) -> tuple[Game, int, int]:
    """Return the game of a JSON object up to a position, a point of its board, and the visits; raise InputError."""
    record, (options, vertex, visits) = _request(
        body, lambda fields: (_at_move(fields), fields.read(rows.VERTEX), fields.read(rows.GROUP_SEARCH))
    )
    game = _game_at(record, options)
    with naming(rows.VERTEX.name):
        return game, parse_gtp(vertex, game.side), visits


def read_stakes_request(body: bytes) -> tuple[Game, Game | None, int]:
    """Return the game of a JSON object up to a position, the game up to the next move, None for none, and symmetries.

    Raises InputError.
    """
    record, options = _request(body, _at_move)
    game = _game_at(record, options)
    following = len(game.indexed_moves) + 1
    has_next = following <= len(record.move_points)
    return game, _game_at(record, replace(options, move=following)) if has_next else None, options.symmetries


def _game_at(record: GameRecord, options: ScoreOptions) -> Game:
    return likely_game(_with_position(record, options), options.move, options.rules, options.komi)


def read_record_request(body: bytes) -> tuple[GameRecord, bytes, Sharing]:
    """Return the game of a JSON object, its SGF, and what is to be added to it; raise InputError."""
    fields = Fields(parse_object(body))
    game, record = parse_record(fields.read(rows.SGF), SOURCE)
    rules = _ruleset(fields.read(rows.NEW_RULES))
    sharing = Sharing(
        lines=tuple(_line(line, game) for line in fields.read(rows.LINES)),
        rules=None if rules is None else rules.name,
        komi=fields.read(rows.NEW_KOMI),
        result=fields.read(rows.RESULT),
        to_move=fields.read(rows.TO_MOVE),
    )
    _refuse_unknown(fields)
    return game, record, sharing


def _line(value: object, game: GameRecord) -> AddedLine:
    """Return a line of moves, {"after": 4, "moves": [["B", "Q16"]], "territory": {"TB": [], "TW": []}}."""
    with naming(rows.LINES.name):
        line = as_fields(value, rows.LINE_FIELDS, "objects with after, moves, territory, comments and marks")
    with naming(rows.AFTER.name):
        after = check_whole(line.read(rows.AFTER), 0, len(game.move_points))
    pairs, territory, comments = map(line.read, (rows.LINE_MOVES, rows.LINE_TERRITORY, rows.LINE_COMMENTS))
    marks = line.read(rows.LINE_MARKS)
    with naming(rows.LINES.name):
        if len(pairs) > MAX_MOVES:
            raise InputError(f"expected {MAX_MOVES} moves at most. Received: {len(pairs)}")
        moves = tuple(as_move(pair, game.side) for pair in pairs)
    for field, said in ((rows.LINE_COMMENTS, comments), (rows.LINE_MARKS, marks)):
        with naming(field.name):
            check_whole(max(said, default=0), 0, after + len(moves))
    return AddedLine(
        after,
        moves,
        None if territory is None else _territory(territory, game.side),
        comments,
        {ply: _marks(each, game.side) for ply, each in marks.items()},
    )


def _marks(value: object, side: int) -> dict[str, list[str]]:
    """Return the values of SGF properties of {"TR": ["C5"], "LB": [["D4", "A"]]}, by their names."""
    with naming(rows.LINE_MARKS.name):
        fields = (*rows.SHAPE_MARKS, rows.LABEL_MARKS)
        marked = as_fields(value, fields, '{"TR": ["C5"], "LB": [["D4", "A"]]}')
    found = {
        field.name: [sgf_name(point, side) for point in _points(marked.read(field), side)] for field in rows.SHAPE_MARKS
    }
    with naming(rows.LINE_MARKS.name):
        labels = [_label(each) for each in marked.read(rows.LABEL_MARKS)]
    points = _points([vertex for vertex, _ in labels], side)
    values = [label_value(point, text, side) for point, (_, text) in zip(points, labels, strict=True)]
    return found | {rows.LABEL_MARKS.name: values}


def _label(value: object) -> tuple[str, str]:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str) and 0 < len(value[1]) <= LONGEST_LABEL:
        return value[0], value[1]
    raise InputError(f'expected labels such as ["D4", "A"]. Received: {shown(value)}')


def _territory(value: object, side: int) -> dict[int, tuple[int, ...]]:
    """Return the points of {"TB": [...], "TW": [...]} by colour."""
    with naming(rows.LINES.name):
        marked = as_fields(value, rows.MARKED, '{"TB": ["A1"], "TW": []}')
    return {
        colour: _points(marked.read(field), side) for colour, field in zip((BLACK, WHITE), rows.MARKED, strict=True)
    }


def _points(vertices: Sequence[object], side: int) -> tuple[int, ...]:
    with naming(rows.LINES.name):
        points = tuple(as_point(vertex, side) for vertex in vertices[: MOST_POINTS + 1])
        if len(points) > MOST_POINTS or pass_point(side) in points:
            raise InputError(f"expected at most {MOST_POINTS} points of the board. Received: a pass, or more")
    return points


def _request(body: bytes, read: Callable[[Fields], _Others]) -> tuple[GameRecord, _Others]:
    """Return the game of a JSON object and what `read` makes of its other fields; set the language of the answer.

    Raises InputError.
    """
    fields = Fields(parse_object(body))
    data, others, prisoners = fields.read(rows.SGF), read(fields), _prisoners(fields)
    language.set(fields.read(rows.LANGUAGE))
    _refuse_unknown(fields)
    game = first_game(data)
    return (game if prisoners is None else replace(game, prisoners=prisoners)), others


def _prisoners(fields: Fields) -> tuple[int, int] | None:
    captured = fields.read(rows.PRISONERS)
    return None if captured is None else (captured.read(rows.BLACK_CAPTURED), captured.read(rows.WHITE_CAPTURED))


def _refuse_unknown(fields: Fields) -> None:
    """Raise InputError for a field that was not read."""
    if unknown := fields.unknown():
        raise InputError(f"unknown field {shown(unknown[0])}{suggestion(unknown[0], fields.known)}")


def _with_position(game: GameRecord, options: ScoreOptions) -> GameRecord:
    """Return a game; raise RecordError if it has an illegal move before the position."""
    if game.illegal_move and (options.move is None or options.move > len(game.move_points)):
        most = len(game.move_points)
        raise RecordError(SOURCE, "illegal move", f"{game.illegal_move}; a move up to {most} can be scored")
    return game


def _at_move(fields: Fields) -> ScoreOptions:
    return replace(_terms(fields), move=fields.read(rows.MOVE))


def _terms(fields: Fields) -> ScoreOptions:
    symmetries = fields.read(rows.SYMMETRIES_READ)
    rules, komi = _ruleset(fields.read(rows.RULES)), fields.read(rows.KOMI)
    return ScoreOptions(rules=rules, komi=komi, symmetries=symmetries, second_judge=SECOND_JUDGE)


def _ruleset(name: object) -> Ruleset | None:
    if name is None:
        return None
    if not isinstance(name, str):
        raise wrong_rules(shown(name))
    return find_rules(name)


def _claims(fields: Fields) -> VertexClaims | None:
    """Return the players' claims, even none, if any of the fields is there."""
    dead, alive, seki = map(fields.read, (rows.DEAD, rows.ALIVE, rows.SEKI))
    if dead is None and alive is None and seki is None:
        return None
    return VertexClaims(dead or (), alive or (), seki or ())
