"""A query: a game, the turns to analyze, limits, and the fields of the answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final, TypeVar

import numpy as np

from goban.coords import BLACK, EMPTY, WHITE, pass_point
from goban.errors import FieldError, InputError, check_whole, cut, naming, shown
from goban.game import Game
from goban.handicap_stones import handicap_moves
from goban.json_request_fields import Fields, as_move, as_player, as_point
from goban.katago_rules import BONUSES, KataRules
from goban.move_notation import IndexedMove
from goban.position import Position
from ownership.katago_protocol import query_fields as rows
from ownership.katago_protocol.query_fields import DEFAULT_QUERY_VISITS, PERSPECTIVES
from ownership.search.forbidden_moves import ForbiddenMoves, ForbiddenPlies

_Number = TypeVar("_Number", int, float)

_USED_VISITS: Final = 1_000_000_000  # of a search, at most
_DEEPEST: Final = 1_000_000_000  # moves of a restriction, as KataGo's
_KOMI: Final = {"area": 7.5, "territory": 6.5}


@dataclass(frozen=True)
class Defaults:
    """Values for fields that a query leaves out.

    Attributes:
        visits: of each search.
        seconds: of each search, at most; None for no limit.
        perspective: a value of PERSPECTIVES.
    """

    visits: int = DEFAULT_QUERY_VISITS
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
        included: names of those fields of INCLUDED that the answers hold.
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
    forbidden: ForbiddenPlies | None
    every: float | None
    first: float
    noise: float
    policy_temperature: float
    warnings: tuple[tuple[str, str], ...]


def parse_query(values: Mapping[str, Any], defaults: Defaults, before: Game | None = None) -> Query:
    """Return the query of an object; raise FieldError.

    Args:
        values: the object.
        defaults: for what it leaves out.
        before: a game whose positions are shared as far as its moves are the same: clients ask for one move of a game
            after the other.
    """
    fields = Fields(values)
    identity = fields.read(rows.ID)
    game = _game(fields, before)
    turns = _turns(fields, len(game.indexed_moves))
    priorities = dict(zip(turns, _priorities(fields, len(turns)), strict=True))
    settings = Fields(fields.read(rows.SETTINGS))
    every, first = _reports(fields)
    query = Query(
        id=identity,
        game=game,
        turns=tuple(priorities),
        priorities=tuple(priorities.values()),
        visits=_visits(fields, settings, defaults.visits),
        seconds=_first_given(settings.read(rows.SET_SECONDS), defaults.seconds),
        perspective=_perspective(settings, defaults),
        line_length=fields.read(rows.LINE_LENGTH) + 1,
        included=frozenset(field.name for field in rows.INCLUDED if fields.read(field)),
        forbidden=_forbidden(fields, game.side),
        every=every,
        first=first,
        noise=min(1.0, settings.read(rows.SET_NOISE)),
        policy_temperature=_temperature(fields, settings),
        warnings=(),
    )
    ignored = [] if fields.read(rows.FPU_REDUCTION) is None else [rows.FPU_REDUCTION.name]
    fields.check_no_null()
    settings.check_no_null()
    return replace(query, warnings=_warnings([*fields.unknown(), *ignored], settings.unknown()))


def _first_given(*numbers: _Number | None) -> _Number | None:
    """Return the first number that is not None."""
    return next((number for number in numbers if number is not None), None)


def _visits(fields: Fields, settings: Fields, default: int) -> int:
    """Return the visits of the query, else of its settings, else the default."""
    of_settings = settings.read(rows.SET_VISITS)
    return min(_USED_VISITS, fields.read(rows.MAX_VISITS) or of_settings or default)


def _temperature(fields: Fields, settings: Fields) -> float:
    of_settings = settings.read(rows.SET_TEMPERATURE)
    return fields.read(rows.TEMPERATURE) or of_settings or 1.0


def _reports(fields: Fields) -> tuple[float | None, float]:
    """Return the seconds between two reports during the search, None for no reports, and those until the first."""
    every, first = fields.read(rows.REPORT_EVERY), fields.read(rows.FIRST_REPORT)
    if every is None and first is None:
        return None, 0.0
    return every or math.inf, first or every or 0.0


def _warnings(fields: Sequence[str], settings: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the fields at fault, and the warnings about unknown fields and settings."""
    names = [(name, "field", name) for name in fields] + [(rows.SETTINGS.name, "setting", name) for name in settings]
    return tuple(
        (field, f"expected a {kind} of this engine. Received: {cut(name)}, which is ignored")
        for field, kind, name in names
    )


def _game(fields: Fields, before: Game | None) -> Game:
    """Return the game with all its moves; raise FieldError."""
    side = _side(fields)
    ruleset, komi = _rules(fields)
    moves = _read_moves(fields.read(rows.QUERY_MOVES), side)
    pairs = fields.read(rows.INITIAL_STONES)
    with naming(rows.INITIAL_STONES.name):
        stones = [as_move(pair, side) for pair in pairs]
    start = _start(side, stones, _first_player(fields, side, stones, moves))
    game = Game(
        (start,), (), ruleset, _KOMI[ruleset.counting] if komi is None else komi, _handicap(side, stones, moves)
    )
    if before and before.start == game.start and before.ruleset.suicide == ruleset.suicide:
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(before.indexed_moves, moves, strict=False))))
        game = replace(game, positions=before.positions[: same + 1], indexed_moves=before.indexed_moves[:same])
    shared = len(game.indexed_moves)
    for number, (colour, point) in enumerate(moves[shared:], shared + 1):
        with naming(rows.QUERY_MOVES.name), naming(f"move {number}"):
            game = game.play(point, colour, superko=False)
    return game


def _read_moves(pairs: Sequence[Any], side: int) -> list[IndexedMove]:
    moves: list[IndexedMove] = []
    for number, pair in enumerate(pairs, 1):
        with naming(rows.QUERY_MOVES.name), naming(f"move {number}"):
            moves.append(as_move(pair, side))
    return moves


def _side(fields: Fields) -> int:
    width, height = fields.read(rows.WIDTH), fields.read(rows.HEIGHT)
    if width != height:
        raise FieldError(rows.HEIGHT.name, f"expected a square board. Received: {width}x{height}")
    return width


def _rules(fields: Fields) -> KataRules:
    """Return the rules with the bonus for handicap stones and the komi of the query, which override their own."""
    rules, bonus, komi = fields.read(rows.QUERY_RULES), fields.read(rows.BONUS), fields.read(rows.QUERY_KOMI)
    if bonus is not None:
        rules = rules._replace(ruleset=replace(rules.ruleset, handicap_bonus=BONUSES[bonus]))
    return rules if komi is None else rules._replace(komi=komi)


def _first_player(fields: Fields, side: int, stones: list[IndexedMove], moves: list[IndexedMove]) -> int:
    first = fields.read(rows.FIRST_PLAYER)
    if first is not None:
        return first
    if moves:
        return moves[0][0]
    return WHITE if _handicap(side, stones, []) else BLACK


def _start(side: int, stones: list[IndexedMove], to_move: int) -> Position:
    board = np.zeros(side * side, np.int8)
    with naming(rows.INITIAL_STONES.name):
        for colour, point in stones:
            if point == pass_point(side) or board[point] != EMPTY:
                raise InputError("expected stones on different points")
            board[point] = colour
        return Position.from_stones(board.reshape(side, side), to_move)


def _handicap(side: int, stones: list[IndexedMove], moves: list[IndexedMove]) -> int:
    """Return the number of handicap stones: those set up, if several and all Black's, else Black's first moves."""
    if stones:
        return len(stones) if len(stones) > 1 and all(colour == BLACK for colour, _ in stones) else 0
    return handicap_moves(side, [colour for colour, _ in moves], [point for _, point in moves])


def _turns(fields: Fields, last: int) -> tuple[int, ...]:
    turns = fields.read(rows.TURNS) if rows.TURNS in fields else [last]
    with naming(rows.TURNS.name):
        if not turns:
            raise InputError(f"expected turns 0..{last}. Received: none")
        for turn in turns:
            if isinstance(turn, bool) or not isinstance(turn, int) or not 0 <= turn <= last:
                raise InputError(f"expected turns 0..{last}. Received: {shown(turn)}")
    return tuple(turns)


def _priorities(fields: Fields, turns: int) -> tuple[int, ...]:
    every = fields.read(rows.PRIORITY)
    if rows.PRIORITIES not in fields:
        return (every,) * turns
    for field, needed in ((rows.PRIORITY, "no"), (rows.TURNS, "also")):
        if (field in fields) != (needed == "also"):
            raise FieldError(rows.PRIORITIES.name, f"expected {needed} {field.name} in the same query")
    priorities = fields.read(rows.PRIORITIES)
    with naming(rows.PRIORITIES.name):
        if len(priorities) != turns:
            raise InputError(f"expected {turns} whole numbers, one for each turn. Received: {shown(priorities)}")
        return tuple(map(rows.PRIORITY.read, priorities))


def _perspective(settings: Fields, defaults: Defaults) -> int:
    name = settings.read(rows.SET_PERSPECTIVE)
    if name is None:
        return defaults.perspective
    if not isinstance(name, str) or name.upper() not in PERSPECTIVES:
        raise FieldError(rows.SETTINGS.name, f"expected {', '.join(PERSPECTIVES)}. Received: {shown(name)}")
    return PERSPECTIVES[name.upper()]


def _forbidden(fields: Fields, side: int) -> ForbiddenPlies | None:
    """Return the ply up to which moves are forbidden, from `avoidMoves` or `allowMoves`; None forbids nothing."""
    if rows.AVOID in fields and rows.ALLOW in fields:
        raise FieldError(rows.ALLOW.name, "expected avoidMoves or allowMoves. Received: both")
    forbidden = ForbiddenMoves(side)
    for field, key in ((rows.AVOID, "avoid"), (rows.ALLOW, "allow")):
        restrictions = fields.read(field)
        with naming(field.name):
            for restriction in restrictions:
                forbidden.add(key, *_restriction(restriction, side))
    return forbidden.plies


def _restriction(value: object, side: int) -> tuple[int, list[int], int]:
    """Return the colour, the points and the ply of an entry of `avoidMoves` or `allowMoves`."""
    if not isinstance(value, dict) or not value.keys() >= {"player", "moves", "untilDepth"}:
        raise InputError(f"expected objects of player, moves and untilDepth. Received: {shown(value)}")
    colour = as_player(value["player"])
    if not isinstance(value["moves"], list):
        raise InputError(f"expected moves as a list. Received: {shown(value['moves'])}")
    plies = check_whole(value["untilDepth"], 1, _DEEPEST)
    return colour, [as_point(vertex, side) for vertex in value["moves"]], plies
