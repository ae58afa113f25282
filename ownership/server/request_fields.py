"""The fields of requests to the web server: each is declared once, with its range, its meaning and its reader."""

import re
from typing import Any, Final

from game_records.game_record import MAX_MOVES
from game_records.node_marks import LABELS, SHAPES
from goban.counting.languages import LANGUAGES
from goban.errors import InputError, check_whole, shown
from goban.json_request_fields import (
    Field,
    Fields,
    as_fields,
    as_given,
    as_list,
    as_player,
    choice_field,
    list_field,
    number_field,
    request_schema,
    whole_field,
)
from goban.json_schema import MOVE_PAIRS, PLAYER, STRING, VERTICES, WHOLE, array, example, fixed
from goban.rulesets import MAX_KOMI, RULESETS
from ownership.explaining.group_status import VISITS as GROUP_VISITS
from ownership.review.searched_positions import DEFAULT_VISITS
from ownership.scoring.assessment import SCORE_SYMMETRIES
from ownership.server.request_limits import LARGEST_VISITS, LONGEST_RESULT, MOST_LINES, MOST_POINTS, MOST_PRISONERS


def _record(value: object) -> bytes:
    if not isinstance(value, str):
        raise InputError(f"expected a record as a string. Received: {shown(value)}")
    return value.encode("utf-8", "replace")


def _vertices(value: object) -> tuple[str, ...]:
    vertices = as_list(value)
    if len(vertices) > MOST_POINTS:
        raise InputError(f"expected {MOST_POINTS} vertices at most. Received: {len(vertices)}")
    for vertex in vertices:
        if not isinstance(vertex, str):
            raise InputError(f"expected vertices such as D4. Received: {shown(vertex)}")
    return tuple(vertices)


def _vertex(value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"expected a vertex such as D4. Received: {shown(value)}")
    return value


def _symmetries(value: object) -> int:
    symmetries = check_whole(value, 1, SCORE_SYMMETRIES)
    if symmetries not in (1, SCORE_SYMMETRIES):
        raise InputError(f"expected 1 or {SCORE_SYMMETRIES}. Received: {symmetries}")
    return symmetries


def _lines(value: object) -> list[Any]:
    lines = as_list(value)
    if len(lines) > MOST_LINES:
        raise InputError(f"expected {MOST_LINES} lines at most. Received: {len(lines)}")
    return lines


def _by_number(value: object, kind: type, expected: str) -> dict[int, Any]:
    """Return what is said about positions, each of a kind, by number of moves."""
    if not isinstance(value, dict) or not all(
        re.fullmatch(r"[0-9]{1,5}", key) and isinstance(each, kind) for key, each in value.items()
    ):
        raise InputError(f"expected {expected}. Received: {shown(value)}")
    return {int(key): each for key, each in value.items()}


def _comments(value: object) -> dict[int, str]:
    return _by_number(value, str, 'texts by number of moves, such as {"4": "better C5"}')


def _position_marks(value: object) -> dict[int, Any]:
    return _by_number(value, dict, 'marks by number of moves, such as {"4": {"TR": ["C5"], "LB": [["D4", "A"]]}}')


def _result(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_RESULT:
        raise InputError(f"expected a result such as B+4. Received: {shown(value)}")
    return value


def _claimed(name: str, meaning: str) -> Field[tuple[str, ...] | None]:
    return Field(name, VERTICES, meaning, _vertices)


BLACK_CAPTURED: Final = whole_field("black", 0, MOST_PRISONERS, "stones that Black had captured", 0)
WHITE_CAPTURED: Final = whole_field("white", 0, MOST_PRISONERS, "stones that White had captured", 0)
SGF: Final = Field(
    "sgf",
    STRING,
    "the record [in any format](records.md), or a position with `AB` and `AW`; only the first game is read",
    _record,
    required=True,
)
MOVE: Final = whole_field("move", 0, MAX_MOVES, "number of moves played, by default all", None)
RULES: Final[Field[Any]] = Field(
    "rules",
    {**STRING, "examples": list(RULESETS)},
    "by default the record's, else [assumed](counting.md#rules-and-komi); all spellings are read",
    as_given,
)
KOMI: Final = number_field("komi", -MAX_KOMI, MAX_KOMI, "points for White, by default the record's, else assumed", None)
DEAD: Final = _claimed(
    "dead", "dead chains, each by the vertex of one stone; with marks, even none, the position is counted"
)
ALIVE: Final = _claimed("alive", "living chains")
SEKI: Final = _claimed("seki", "chains in seki")
PRISONERS: Final[Field[Fields | None]] = Field(
    "prisoners",
    request_schema((BLACK_CAPTURED, WHITE_CAPTURED)),
    'such as `{"black": 3, "white": 1}`, captured before the first move; by default the record\'s',
    lambda value: as_fields(value, (BLACK_CAPTURED, WHITE_CAPTURED), '{"black": 3, "white": 0}'),
)
SYMMETRIES_READ: Final = Field(
    "symmetries",
    {**WHOLE, "enum": [1, SCORE_SYMMETRIES], "default": SCORE_SYMMETRIES},
    "of the board to average over; 1 is faster",
    _symmetries,
    SCORE_SYMMETRIES,
)
LANGUAGE: Final = choice_field(
    "language",
    LANGUAGES,
    "of `verdict` and `trust`, and of the page of a report",
    LANGUAGES[0],
)
VISITS: Final = whole_field("visits", 1, LARGEST_VISITS, "of each search", DEFAULT_VISITS)
VERTEX: Final = Field("vertex", STRING, "a stone of the group", _vertex, required=True)
GROUP_SEARCH: Final = whole_field(
    "visits", 1, LARGEST_VISITS, "for the first move of each line, a quarter for each further move", GROUP_VISITS
)

AFTER: Final[Field[Any]] = Field(
    "after", {**WHOLE, "minimum": 0}, "moves of the game before the line, by default 0", as_given, 0
)
LINE_MOVES: Final = list_field("moves", MOVE_PAIRS, "the moves of the line; the game itself has none")
MARKED: Final = tuple(list_field(name, VERTICES, "points to mark") for name in ("TB", "TW"))
LINE_TERRITORY: Final[Field[Any]] = Field(
    "territory",
    request_schema(MARKED),
    "points to mark at the end of the line, by default the record's",
    as_given,
)
LINE_COMMENTS: Final[Field[dict[int, str]]] = Field(
    "comments",
    {"type": "object", "additionalProperties": STRING},
    "texts by number of moves, each in place of the comment on that position",
    _comments,
    {},
)
SHAPE_MARKS: Final = tuple(list_field(name, VERTICES, "points to mark") for name in SHAPES)
LABEL_MARKS: Final = list_field(LABELS, array(fixed(example("D4"), example("A"))), "points and what to write on them")
LINE_MARKS: Final[Field[dict[int, Any]]] = Field(
    "marks",
    {"type": "object", "additionalProperties": request_schema((*SHAPE_MARKS, LABEL_MARKS))},
    "marks by number of moves, each in place of those on that position",
    _position_marks,
    {},
)
LINE_FIELDS: Final = (AFTER, LINE_MOVES, LINE_TERRITORY, LINE_COMMENTS, LINE_MARKS)
LINES: Final = Field(
    "lines",
    array(request_schema(LINE_FIELDS)),
    "variations: moves of the game `after` which each begins, its `moves`, and `territory` to mark at its end, such as"
    ' `{"TB": ["A1"], "TW": []}`, `comments` and `marks` by number of moves; a line without moves is the game itself',
    _lines,
    (),
)
NEW_RULES: Final = RULES._replace(meaning="to write instead of the record's")
NEW_KOMI: Final = KOMI._replace(meaning="to write instead of the record's")
RESULT: Final = Field("result", STRING, "to write if the record has none", _result, "")
TO_MOVE: Final[Field[int | None]] = Field("to_move", PLAYER, "whose turn it is, in a position without moves", as_player)

_ANSWER: Final = (PRISONERS, SYMMETRIES_READ, LANGUAGE)
SCORE_FIELDS: Final = (SGF, MOVE, RULES, KOMI, DEAD, ALIVE, SEKI, *_ANSWER)
REVIEW_FIELDS: Final = (SGF, VISITS, RULES, KOMI, *_ANSWER)
SEARCH_FIELDS: Final = (SGF, MOVE, VISITS, RULES, KOMI, *_ANSWER)
EXPLAIN_FIELDS: Final = (SGF, VERTEX, MOVE, GROUP_SEARCH, RULES, KOMI, *_ANSWER)
STAKES_FIELDS: Final = (SGF, MOVE, RULES, KOMI, *_ANSWER)
RECORD_FIELDS: Final = (SGF, LINES, NEW_RULES, NEW_KOMI, RESULT, TO_MOVE)
