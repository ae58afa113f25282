"""A query: a game, the turns to analyze, how long, and what the answers hold."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

import numpy as np

from goban.coords import BLACK, EMPTY, MAX_SIDE, MIN_SIDE, WHITE, pass_point
from goban.errors import InputError, check_whole, cut, shown
from goban.game import Game, Move
from goban.json_fields import Fields, QueryError, at_field, colour_of, move_of, point_of
from goban.katago_rules import BONUSES, KataRules, read_komi, read_rules
from goban.position import Position
from goban.rulesets import handicap_moves
from ownership.search.search_options import ForbiddenMoves, ForbiddenPlies

INCLUDED: Final = (
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
)
PERSPECTIVES: Final = {"BLACK": BLACK, "WHITE": WHITE, "SIDETOMOVE": 0}
# The ranges are KataGo's; a number that is larger than this program needs is cut.
MOST_QUERY_VISITS: Final = 1 << 50
MOST_QUERY_SECONDS: Final = 1e20
_USED_VISITS: Final = 1_000_000_000
_MOST_PRIORITY: Final = (1 << 62) - 1
_DEEPEST: Final = 1_000_000_000
_LONGEST_VARIATION: Final = 1000
_SECONDS: Final = (0.001, 1_000_000.0)
_MOST_NOISE: Final = 5.0
_TEMPERATURES: Final = (0.01, 100.0)
_KOMI: Final = {"area": 7.5, "territory": 6.5}
_FORBIDDING: Final = {"avoidMoves": "avoid", "allowMoves": "allow"}


@dataclass(frozen=True)
class Defaults:
    """Values for what a query leaves out.

    Attributes:
        visits: of each search.
        seconds: of each search, at most; None for no limit.
        perspective: a value of PERSPECTIVES.
    """

    visits: int = 500
    seconds: float | None = None
    perspective: int = BLACK


@dataclass(frozen=True, eq=False)
class Query:
    """A query.

    Attributes:
        id: as the client sent it.
        game: with all its moves.
        turns: numbers of moves after which positions are analyzed, in the order of the query.
        priorities: of each turn; greater ones go first.
        visits, seconds: limits of each search.
        perspective: the player whose numbers are reported; 0 for the side to move.
        line_length: moves of a variation, at most.
        included: those of INCLUDED that the answers hold.
        forbidden: as for `TreeSearch.run`.
        every: seconds between two reports during the search; None for no reports.
        first: seconds until the first of them.
        noise, policy_temperature: as in `TreeOptions`.
        warnings: fields with what is wrong about them.
    """

    id: Any
    game: Game
    turns: tuple[int, ...]
    priorities: tuple[int, ...]
    visits: int
    seconds: float | None
    perspective: int
    line_length: int
    included: frozenset[str]
    forbidden: ForbiddenPlies | None
    every: float | None
    first: float
    noise: float
    policy_temperature: float
    warnings: tuple[tuple[str, str], ...]


def parse_query(values: Mapping[str, Any], defaults: Defaults, before: Game | None = None) -> Query:
    """Return the query of an object; raise QueryError.

    Args:
        values: the object.
        defaults: for what it leaves out.
        before: a game whose positions are shared as far as its moves are the same: clients ask for one move of a game
            after the other.
    """
    fields = Fields(values)
    identity = identity_of(fields)
    game = _game(fields, before)
    turns = _turns(fields, len(game.moves))
    priorities = dict(zip(turns, _priorities(fields, len(turns)), strict=True))
    settings = _settings(fields)
    every, first = _reports(fields)
    query = Query(
        id=identity,
        game=game,
        turns=tuple(priorities),
        priorities=tuple(priorities.values()),
        visits=_visits(fields, settings, defaults.visits),
        seconds=settings.number("maxTime", defaults.seconds, 0.0, MOST_QUERY_SECONDS),
        perspective=_perspective(settings, defaults),
        line_length=fields.whole("analysisPVLen", 15, 1, _LONGEST_VARIATION) + 1,
        included=frozenset(name for name in INCLUDED if fields.flag(name)),
        forbidden=_forbidden(fields, game.side),
        every=every,
        first=first,
        noise=min(1.0, settings.number("wideRootNoise", 0.0, 0.0, _MOST_NOISE) or 0.0),
        policy_temperature=_temperature(fields, settings),
        warnings=(),
    )
    ignored = [] if fields.number("rootFpuReductionMax", None, 0.0, 2.0) is None else ["rootFpuReductionMax"]
    fields.check_no_null()
    settings.check_no_null()
    return replace(query, warnings=_warnings([*fields.unknown(), *ignored], settings.unknown()))


def identity_of(fields: Fields, name: str = "id") -> str | int:
    """Return what names the answers to a query or action: a string, or as some clients send it a whole number."""
    identity = fields.get(name)
    if isinstance(identity, bool) or not isinstance(identity, str | int):
        raise QueryError(f"expected a string. Received: {shown(identity)}", name)
    return identity


def _settings(fields: Fields) -> Fields:
    settings = fields.get("overrideSettings")
    if settings is not None and not isinstance(settings, dict):
        raise QueryError(f"expected an object. Received: {shown(settings)}", "overrideSettings")
    return Fields(settings or {}, numbers_as_text=True)


def _visits(fields: Fields, settings: Fields, default: int) -> int:
    """Return the visits of the query itself, else those of its settings, else the default."""
    of_settings = settings.whole("maxVisits", default, 1, MOST_QUERY_VISITS)
    return min(_USED_VISITS, fields.whole("maxVisits", of_settings, 1, MOST_QUERY_VISITS))


def _temperature(fields: Fields, settings: Fields) -> float:
    name = "rootPolicyTemperature"
    return fields.number(name, settings.number(name, 1.0, *_TEMPERATURES), *_TEMPERATURES) or 1.0


def _reports(fields: Fields) -> tuple[float | None, float]:
    """Return the seconds between two reports during the search, None for no reports, and those until the first."""
    every = fields.number("reportDuringSearchEvery", None, *_SECONDS)
    first = fields.number("firstReportDuringSearchAfter", every, *_SECONDS)
    if first is None:
        return None, 0.0
    return every or math.inf, first


def _warnings(fields: Sequence[str], settings: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the fields at fault, and the warnings about unknown fields and settings."""
    names = [(name, "field", name) for name in fields] + [("overrideSettings", "setting", name) for name in settings]
    return tuple(
        (field, f"expected a {kind} of this engine. Received: {cut(name)}, which is ignored")
        for field, kind, name in names
    )


def _game(fields: Fields, before: Game | None) -> Game:
    """Return the game with all its moves; raise QueryError."""
    side = _side(fields)
    ruleset, komi = _rules(fields)
    if komi is None:
        komi = _KOMI[ruleset.counting]
    moves = _moves(fields, side)
    stones = [move_of(each, side, "initialStones") for each in fields.items("initialStones")]
    game = Game((_start(fields, side, stones, moves),), (), ruleset, komi, _handicap(side, stones, moves))
    if before and before.start == game.start and before.ruleset.suicide == ruleset.suicide:
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before.moves, moves, strict=False))))
        game = replace(game, positions=before.positions[: same + 1], moves=before.moves[:same])
    shared = len(game.moves)
    for number, (colour, point) in enumerate(moves[shared:], shared + 1):
        with _naming_move(number):
            game = game.play(point, colour, superko=False)
    return game


def _moves(fields: Fields, side: int) -> list[Move]:
    if fields.get("moves") is None:
        raise QueryError("expected a list, empty for no moves. Received: nothing", "moves")
    moves: list[Move] = []
    for number, each in enumerate(fields.items("moves"), 1):
        with _naming_move(number):
            moves.append(move_of(each, side, "moves"))
    return moves


@contextmanager
def _naming_move(number: int) -> Iterator[None]:
    """Raise a QueryError, which begins with the number of a move, for an InputError in the block."""
    try:
        yield
    except InputError as error:
        raise QueryError(f"move {number}: {error}", "moves") from None


def _side(fields: Fields) -> int:
    width, height = (_size(fields, name) for name in ("boardXSize", "boardYSize"))
    if width != height:
        raise QueryError(f"expected a square board. Received: {width}x{height}", "boardYSize")
    return width


def _size(fields: Fields, name: str) -> int:
    try:
        return check_whole(fields.get(name), MIN_SIDE, MAX_SIDE)
    except InputError:
        received = shown(fields.get(name))
        raise QueryError(f"expected a board size {MIN_SIDE}..{MAX_SIDE}. Received: {received}", name) from None


def _rules(fields: Fields) -> KataRules:
    """Return the rules with the bonus for handicap stones and the komi of the query, which go before their own."""
    value, bonus, komi = fields.get("rules"), fields.get("whiteHandicapBonus"), fields.get("komi")
    with at_field("rules"):
        if not isinstance(value, str | dict):
            raise InputError(f"expected a name, a string of KataGo's or an object. Received: {shown(value)}")
        rules = read_rules(value)
    if bonus is not None:
        if not isinstance(bonus, str) or bonus not in BONUSES:
            raise QueryError(f"expected one of {', '.join(BONUSES)}. Received: {shown(bonus)}", "whiteHandicapBonus")
        rules = rules._replace(ruleset=replace(rules.ruleset, handicap_bonus=BONUSES[bonus]))
    if komi is not None:
        with at_field("komi"):
            rules = rules._replace(komi=read_komi(komi))
    return rules


def _start(fields: Fields, side: int, stones: list[Move], moves: list[Move]) -> Position:
    board = np.zeros(side * side, np.int8)
    for colour, point in stones:
        if point == pass_point(side) or board[point] != EMPTY:
            raise QueryError("expected stones on different points", "initialStones")
        board[point] = colour
    first = fields.get("initialPlayer")
    if first is not None:
        to_move = colour_of(first, "initialPlayer")
    elif moves:
        to_move = moves[0][0]
    else:
        to_move = WHITE if _handicap(side, stones, []) else BLACK
    try:
        return Position.from_stones(board.reshape(side, side), to_move)
    except InputError as error:
        raise QueryError(str(error), "initialStones") from None


def _handicap(side: int, stones: list[Move], moves: list[Move]) -> int:
    """Return the number of handicap stones: those set up, if several and all Black's, else Black's first moves."""
    if stones:
        return len(stones) if len(stones) > 1 and all(colour == BLACK for colour, _ in stones) else 0
    return handicap_moves(side, [colour for colour, _ in moves], [point for _, point in moves])


def _turns(fields: Fields, last: int) -> tuple[int, ...]:
    turns = fields.items("analyzeTurns") if "analyzeTurns" in fields else [last]
    if not turns:
        raise QueryError(f"expected turns 0..{last}. Received: none", "analyzeTurns")
    for turn in turns:
        if isinstance(turn, bool) or not isinstance(turn, int) or not 0 <= turn <= last:
            raise QueryError(f"expected turns 0..{last}. Received: {shown(turn)}", "analyzeTurns")
    return tuple(turns)


def _priorities(fields: Fields, turns: int) -> tuple[int, ...]:
    every = fields.whole("priority", 0, -_MOST_PRIORITY, _MOST_PRIORITY)
    if "priorities" not in fields:
        return (every,) * turns
    for name, beside in (("priority", "no"), ("analyzeTurns", "also")):
        if (name in fields) != (beside == "also"):
            raise QueryError(f"expected {beside} {name} beside it", "priorities")
    each = fields.items("priorities")
    if len(each) != turns:
        raise QueryError(f"expected {turns} whole numbers, one for each turn. Received: {shown(each)}", "priorities")
    with at_field("priorities"):
        return tuple(check_whole(number, -_MOST_PRIORITY, _MOST_PRIORITY) for number in each)


def _perspective(settings: Fields, defaults: Defaults) -> int:
    name = settings.get("reportAnalysisWinratesAs")
    if name is None:
        return defaults.perspective
    if not isinstance(name, str) or name.upper() not in PERSPECTIVES:
        raise QueryError(f"expected {', '.join(PERSPECTIVES)}. Received: {shown(name)}", "overrideSettings")
    return PERSPECTIVES[name.upper()]


def _forbidden(fields: Fields, side: int) -> ForbiddenPlies | None:
    """Return the ply up to which moves are forbidden, from `avoidMoves` or `allowMoves`; None forbids nothing."""
    if "avoidMoves" in fields and "allowMoves" in fields:
        raise QueryError("expected avoidMoves or allowMoves. Received: both", "allowMoves")
    forbidden = ForbiddenMoves(side)
    for name, key in _FORBIDDING.items():
        for each in fields.items(name):
            colour, points, plies = _restriction(each, side, name)
            with at_field(name):
                forbidden.add(key, colour, points, plies)
    return forbidden.plies


def _restriction(value: object, side: int, name: str) -> tuple[int, list[int], int]:
    """Return the colour, the points and the ply of an entry of `avoidMoves` or `allowMoves`."""
    if not isinstance(value, dict) or not value.keys() >= {"player", "moves", "untilDepth"}:
        raise QueryError(f"expected objects of player, moves and untilDepth. Received: {shown(value)}", name)
    colour = colour_of(value["player"], name)
    if not isinstance(value["moves"], list):
        raise QueryError(f"expected moves as a list. Received: {shown(value['moves'])}", name)
    with at_field(name):
        plies = check_whole(value["untilDepth"], 1, _DEEPEST)
    return colour, [point_of(vertex, side, name) for vertex in value["moves"]], plies
