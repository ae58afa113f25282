"""The fields of a query and its settings: each is declared once, with its range, its meaning and its reader."""

from typing import Any, Final

from goban.coords import BLACK, MAX_SIDE, MIN_SIDE, WHITE
from goban.errors import InputError, check_whole, shown
from goban.json_request_fields import (
    Field,
    as_given,
    as_list,
    as_player,
    choice_field,
    flag_field,
    list_field,
    number_field,
    or_text,
    whole_field,
)
from goban.json_schema import MOVE_PAIRS, NUMBER, VERTICES, WHOLE, array, choice, object_of
from goban.katago_rules import BONUSES, KataRules, read_komi, read_rules
from goban.rulesets import MAX_KOMI

PERSPECTIVES: Final = {"BLACK": BLACK, "WHITE": WHITE, "SIDETOMOVE": 0}
DEFAULT_QUERY_VISITS: Final = 500
# The ranges are KataGo's; a number that is larger than this program needs is cut.
_MOST_PRIORITY: Final = (1 << 62) - 1
_MOST_VISITS: Final = 1 << 50
_MOST_SECONDS: Final = 1e20
_LONGEST_LINE: Final = 1000
_SECONDS: Final = (0.001, 1_000_000.0)
_RESTRICTIONS: Final = array(object_of({"player": choice("B", "W"), "moves": VERTICES, "untilDepth": WHOLE}))


def _identity(value: object) -> str | int:
    """Return a string, or as some clients send it a whole number; raise InputError."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"expected a string. Received: {shown(value)}")
    return value


def _moves(value: object) -> list[Any]:
    if value is None:
        raise InputError("expected a list, empty for no moves. Received: nothing")
    return as_list(value)


def _rules(value: object) -> KataRules:
    if not isinstance(value, str | dict):
        raise InputError(f"expected a name, a string of KataGo's or an object. Received: {shown(value)}")
    return read_rules(value)


def _side(value: object) -> int:
    try:
        return check_whole(value, MIN_SIDE, MAX_SIDE)
    except InputError:
        raise InputError(f"expected a board size {MIN_SIDE}..{MAX_SIDE}. Received: {shown(value)}") from None


def _settings(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"expected an object. Received: {shown(value)}")
    return value


_SIDE: Final = {**WHOLE, "minimum": MIN_SIDE, "maximum": MAX_SIDE}

ID: Final = Field(
    "id", {"type": ["string", "integer"]}, "names the answers, which come in any order", _identity, required=True
)
TERMINATE_ID: Final = ID._replace(name="terminateId")
QUERY_MOVES: Final = Field(
    "moves",
    MOVE_PAIRS,
    "the game, pairs of a colour and a point: `Q16`, or `(15,3)`, column and row from the top left",
    _moves,
    required=True,
)
INITIAL_STONES: Final = list_field(
    "initialStones",
    MOVE_PAIRS,
    "stones before the first move; two or more, all Black's, or first moves of Black's, are a handicap",
)
FIRST_PLAYER: Final[Field[int | None]] = Field("initialPlayer", choice("B", "W"), "who moves first", as_player)
QUERY_RULES: Final = Field(
    "rules",
    {"type": ["string", "object"]},
    "a name, KataGo's object, or its string such as `koSIMPLEscoreAREAtaxNONEsui0whbN`; rules with a button, a tax on"
    " groups or points in seki are refused; situational superko counts as positional",
    _rules,
    required=True,
)
BONUS: Final = choice_field("whiteHandicapBonus", tuple(BONUSES), "overrides the bonus of the rules", None)
QUERY_KOMI: Final[Field[float | None]] = Field(
    "komi",
    {**NUMBER, "minimum": -MAX_KOMI, "maximum": MAX_KOMI, "multipleOf": 0.5},
    "overrides the komi of the rules; [by default](counting.md#rules-and-komi) 7.5 or 6.5",
    read_komi,
)
WIDTH: Final = Field("boardXSize", _SIDE, "the side of the board", _side, required=True)
HEIGHT: Final = Field("boardYSize", _SIDE, "the same", _side, required=True)
TURNS: Final = list_field(
    "analyzeTurns", array(WHOLE), "the positions after these numbers of moves, by default the last"
)
PRIORITY: Final = whole_field("priority", -_MOST_PRIORITY, _MOST_PRIORITY, "greater numbers go first", 0)
PRIORITIES: Final = list_field("priorities", array(WHOLE), "the same for each turn")
MAX_VISITS: Final = whole_field(
    "maxVisits", 1, _MOST_VISITS, f"of each search, by default {DEFAULT_QUERY_VISITS}", None
)
SETTINGS: Final = Field(
    "overrideSettings",
    object_of({}),
    "settings, whose numbers may be strings; the query's own fields override them",
    _settings,
    {},
)
TEMPERATURE: Final = number_field(
    "rootPolicyTemperature", 0.01, 100.0, "of the network's probabilities of the first move, by default 1", None
)
FPU_REDUCTION: Final = number_field("rootFpuReductionMax", 0.0, 2.0, "ignored, with a warning", None)
LINE_LENGTH: Final = whole_field("analysisPVLen", 1, _LONGEST_LINE, "moves of a variation after its first", 15)
INCLUDED: Final = (
    flag_field("includeOwnership", "who owns each point"),
    flag_field("includeOwnershipStdev", "its standard deviation over the searched positions"),
    flag_field("includeMovesOwnership", "who owns each point after each move"),
    flag_field("includeMovesOwnershipStdev", "its standard deviation"),
    flag_field("includePolicy", "the network's probability of each move"),
    flag_field("includePVVisits", "visits of each move of a variation"),
    flag_field("includeNoResultValue", "always 0"),
)
AVOID: Final = list_field("avoidMoves", _RESTRICTIONS, "lists of `player`, `moves` and `untilDepth`")
ALLOW: Final = list_field("allowMoves", _RESTRICTIONS, "the only moves to search, in the same form, once for a player")
REPORT_EVERY: Final = number_field("reportDuringSearchEvery", *_SECONDS, "seconds between reports of a search", None)
FIRST_REPORT: Final = number_field("firstReportDuringSearchAfter", *_SECONDS, "seconds until the first of them", None)
QUERY_FIELDS: Final = (
    *(ID, QUERY_MOVES, INITIAL_STONES, FIRST_PLAYER, QUERY_RULES, BONUS, QUERY_KOMI, WIDTH, HEIGHT),
    *(TURNS, PRIORITY, PRIORITIES, MAX_VISITS, SETTINGS, TEMPERATURE, FPU_REDUCTION, LINE_LENGTH, *INCLUDED),
    *(AVOID, ALLOW, REPORT_EVERY, FIRST_REPORT),
)
"""The fields of a query, as docs/protocols.md lists them."""

SET_VISITS: Final = or_text(MAX_VISITS)
SET_SECONDS: Final = or_text(
    number_field("maxTime", 0.0, _MOST_SECONDS, "seconds of each search, by default without a limit", None)
)
SET_PERSPECTIVE: Final[Field[Any]] = Field(
    "reportAnalysisWinratesAs",
    choice(*PERSPECTIVES),
    "the side of the numbers in answers, by default Black",
    as_given,
)
SET_TEMPERATURE: Final = or_text(TEMPERATURE)
SET_NOISE: Final = or_text(number_field("wideRootNoise", 0.0, 5.0, "widens the search at the first move", 0.0))
SETTING_FIELDS: Final = (SET_VISITS, SET_SECONDS, SET_PERSPECTIVE, SET_TEMPERATURE, SET_NOISE)
"""The fields of `overrideSettings`, as docs/protocols.md lists them."""
