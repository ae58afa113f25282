"""A query: a game, the turns to analyze, how long, and what the answers hold."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, MAX_SIDE, MIN_SIDE, WHITE, pass_point
from goban.errors import InputError, cut, shown
from goban.game import Game
from goban.position import Position
from goban.rulesets import Ruleset
from ownership.analysis.fields import Fields, QueryError, colour_of, move_of, point_of
from ownership.analysis.rules import BONUSES, named_rules, rules_of, uncounted

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
_IGNORED: Final = ("rootFpuReductionMax", "includeNoResultValue")
_MOST_KOMI: Final = 400
_MOST: Final = 1_000_000_000
_DEEPEST: Final = 10_000
_KOMI: Final = {"area": 7.5, "territory": 6.5}


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
        forbidden: int16 (2, N*N + 1), as for `TreeSearch.run`.
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
    forbidden: NDArray[np.int16] | None
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
    identity = fields.get("id")
    fields.get("action")
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise QueryError(f"expected a string. Received: {shown(identity)}", "id")
    game = _game(fields, before)
    turns = _turns(fields, len(game.moves))
    priorities = dict(zip(turns, _priorities(fields, len(turns)), strict=True))
    settings = _settings(fields)
    every = fields.number("reportDuringSearchEvery", None, 0.001, _MOST)
    first = fields.number("firstReportDuringSearchAfter", every, 0.001, _MOST)
    seconds = settings.number("maxTime", defaults.seconds, 0.001, _MOST)
    temperature = fields.number("rootPolicyTemperature", 1.0, 0.01, 100)
    temperature = settings.number("rootPolicyTemperature", temperature, 0.01, 100)
    query = Query(
        identity,
        game,
        tuple(priorities),
        tuple(priorities.values()),
        settings.whole("maxVisits", fields.whole("maxVisits", defaults.visits, 1, _MOST), 1, _MOST),
        seconds,
        _perspective(settings, defaults),
        fields.whole("analysisPVLen", 15, 0, _DEEPEST) + 1,
        frozenset(name for name in INCLUDED if fields.flag(name)),
        _forbidden(fields, game.side),
        every,
        first or 0.0,
        min(1.0, settings.number("wideRootNoise", 0, 0, 100) or 0.0),
        temperature or 1.0,
        (),
    )
    return replace(query, warnings=_warnings(fields, settings))


def _settings(fields: Fields) -> Fields:
    settings = fields.get("overrideSettings")
    if settings is not None and not isinstance(settings, dict):
        raise QueryError(f"expected an object. Received: {shown(settings)}", "overrideSettings")
    return Fields(settings or {})


def _warnings(fields: Fields, settings: Fields) -> tuple[tuple[str, str], ...]:
    ignored = [name for name in _IGNORED if fields.get(name) is not None]
    unknown = [*fields.unknown(), *ignored]
    rules = fields.get("rules")
    left_out = uncounted(rules) if isinstance(rules, str | dict) else ""
    named = f"{rules} rules" if isinstance(rules, str) else "these rules"
    return (
        *([("rules", f"{named} are counted without {left_out}")] if left_out else []),
        *((name, f"expected a field of this engine. Received: {cut(name)}, which is ignored") for name in unknown),
        *(
            ("overrideSettings", f"expected a setting of this engine. Received: {cut(name)}, which is ignored")
            for name in settings.unknown()
        ),
    )


def _game(fields: Fields, before: Game | None) -> Game:
    """Return the game with all its moves; raise QueryError."""
    side = _side(fields)
    ruleset = _rules(fields)
    komi = fields.number("komi", _KOMI[ruleset.counting], -_MOST_KOMI, _MOST_KOMI)
    assert komi is not None
    moves: list[tuple[int, int]] = []
    for number, each in enumerate(fields.items("moves"), 1):
        with _naming_move(number):
            moves.append(move_of(each, side, "moves"))
    stones = [move_of(each, side, "initialStones") for each in fields.items("initialStones")]
    game = Game((_start(fields, side, stones, moves),), (), ruleset, komi, _handicap(stones))
    if before and before.start == game.start and before.ruleset.suicide == ruleset.suicide:
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before.moves, moves, strict=False))))
        game = replace(game, positions=before.positions[: same + 1], moves=before.moves[:same])
    shared = len(game.moves)
    for number, (colour, point) in enumerate(moves[shared:], shared + 1):
        with _naming_move(number):
            game = game.play(point, colour, superko=False)
    return game


@contextmanager
def _naming_move(number: int) -> Iterator[None]:
    """Raise a QueryError, which begins with the number of a move, for an InputError in the block."""
    try:
        yield
    except InputError as error:
        raise QueryError(f"move {number}: {error}", "moves") from None


def _side(fields: Fields) -> int:
    width = fields.whole("boardXSize", 0, 0, _MOST)
    height = fields.whole("boardYSize", 0, 0, _MOST)
    for name, size in (("boardXSize", width), ("boardYSize", height)):
        if not MIN_SIDE <= size <= MAX_SIDE:
            raise QueryError(f"expected a board size {MIN_SIDE}..{MAX_SIDE}. Received: {size or 'nothing'}", name)
    if width != height:
        raise QueryError(f"expected a square board. Received: {width}x{height}", "boardYSize")
    return width


def _rules(fields: Fields) -> Ruleset:
    value = fields.get("rules")
    bonus = fields.get("whiteHandicapBonus")
    try:
        if not isinstance(value, str | dict):
            raise InputError(f"expected a name or an object. Received: {shown(value)}")
        ruleset = named_rules(value) if isinstance(value, str) else rules_of(value)
    except InputError as error:
        raise QueryError(str(error), "rules") from None
    if bonus is None:
        return ruleset
    if str(bonus) not in BONUSES:
        raise QueryError(f"expected {', '.join(BONUSES)}. Received: {shown(bonus)}", "whiteHandicapBonus")
    return replace(ruleset, handicap_bonus=BONUSES[str(bonus)])  # type: ignore[arg-type]


def _start(fields: Fields, side: int, stones: list[tuple[int, int]], moves: list[tuple[int, int]]) -> Position:
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
        to_move = WHITE if _handicap(stones) else BLACK
    try:
        return Position.from_stones(board.reshape(side, side), to_move)
    except InputError as error:
        raise QueryError(str(error), "initialStones") from None


def _handicap(stones: list[tuple[int, int]]) -> int:
    """Return how many handicap stones there are: the first stones, if at least two and all Black's."""
    return len(stones) if len(stones) > 1 and all(colour == BLACK for colour, _ in stones) else 0


def _turns(fields: Fields, last: int) -> tuple[int, ...]:
    turns = fields.items("analyzeTurns") or [last]
    for turn in turns:
        if isinstance(turn, bool) or not isinstance(turn, int) or not 0 <= turn <= last:
            raise QueryError(f"expected turns 0..{last}. Received: {shown(turn)}", "analyzeTurns")
    return tuple(turns)


def _priorities(fields: Fields, turns: int) -> tuple[int, ...]:
    every = fields.whole("priority", 0, -_MOST, _MOST)
    each = fields.items("priorities")
    if not each:
        return (every,) * turns
    if len(each) != turns or not all(isinstance(number, int) and abs(number) <= _MOST for number in each):
        raise QueryError(f"expected {turns} whole numbers, one for each turn. Received: {shown(each)}", "priorities")
    return tuple(each)


def _perspective(settings: Fields, defaults: Defaults) -> int:
    name = settings.get("reportAnalysisWinratesAs")
    if name is None:
        return defaults.perspective
    if not isinstance(name, str) or name.upper() not in PERSPECTIVES:
        raise QueryError(f"expected {', '.join(PERSPECTIVES)}. Received: {shown(name)}", "overrideSettings")
    return PERSPECTIVES[name.upper()]


def _forbidden(fields: Fields, side: int) -> NDArray[np.int16] | None:
    """Return the ply up to which moves are forbidden, from `avoidMoves` and `allowMoves`; None forbids nothing."""
    forbidden = np.zeros((2, side * side + 1), np.int16)
    for name in ("avoidMoves", "allowMoves"):
        for each in fields.items(name):
            if not isinstance(each, dict):
                raise QueryError(f"expected objects. Received: {shown(each)}", name)
            part = Fields(each)
            row = forbidden[0 if colour_of(part.get("player"), name) == BLACK else 1]
            points = [point_of(vertex, side, name) for vertex in part.items("moves")]
            chosen = np.isin(np.arange(len(row)), points)
            mask = chosen if name == "avoidMoves" else ~chosen
            row[mask] = np.maximum(row[mask], part.whole("untilDepth", 1, 1, _DEEPEST))
    return forbidden if forbidden.any() else None
