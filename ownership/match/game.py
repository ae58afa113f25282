"""One game between two players, from the opening to its end."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import numpy as np

from goban.clock import Clock
from goban.coords import BLACK, WHITE, opponent, pass_point
from goban.counting.score import format_result
from goban.errors import InputError
from goban.position import IllegalMove, Position
from ownership.match.conditions import Conditions
from ownership.match.referee import Referee, Undecided
from ownership.players.base import RESIGN, Move, Player, Turn
from ownership.players.external import ExternalPlayer
from ownership.players.gtp_client import GtpFailure, GtpTimeout
from preprocessing.records.game import GameRecord
from preprocessing.records.properties import parse_result


class Ending(StrEnum):
    """How a game ended: both passed, or it grew too long, and was counted; the player to move lost; or it is void."""

    PASSES = "passes"
    LENGTH = "length"
    RESIGNED = "resigned"
    ILLEGAL = "illegal"
    CRASH = "crash"
    TIME = "time"
    UNDECIDED = "undecided"


_LETTERS: Final = {BLACK: "B", WHITE: "W"}
_SUFFIX: Final = {Ending.RESIGNED: "R", Ending.ILLEGAL: "F", Ending.CRASH: "F", Ending.TIME: "T"}


class Stopped(Exception):
    """The match is to end now."""


@dataclass(frozen=True, eq=False)
class Played:
    """A game that was played.

    winner: BLACK, WHITE or 0 for a draw and a void game. detail: what went wrong. seconds, longest: what the players
    needed for all their moves and at most for one, thought: how many they were asked for; by colour.
    """

    game: GameRecord
    winner: int
    ending: Ending
    detail: str
    seconds: Mapping[int, float]
    longest: Mapping[int, float]
    thought: Mapping[int, int]


class _Lost(Exception):
    """The player of `colour` has lost; `ending` and `detail` as in `Played`."""

    def __init__(self, colour: int, ending: Ending, detail: str = "") -> None:
        super().__init__(ending)
        self.colour = colour
        self.ending = ending
        self.detail = detail


@dataclass
class _Table:
    """The game as it goes on: positions, moves and clocks."""

    conditions: Conditions
    number: int
    positions: list[Position]
    moves: list[Move] = field(default_factory=list)
    clocks: dict[int, Clock] = field(default_factory=dict)
    times: dict[int, list[float]] = field(default_factory=lambda: {BLACK: [], WHITE: []})

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def ended(self) -> bool:
        passing = pass_point(self.conditions.side)
        return [point for _, point in self.moves[-2:]] == [passing, passing]

    def turn(self) -> Turn:
        colour, conditions = self.position.to_move, self.conditions
        return Turn(
            self.position,
            frozenset(position.hash for position in self.positions),
            len(self.moves),
            conditions.ruleset,
            conditions.komi,
            conditions.handicap,
            clock=self.clocks[colour],
            number=self.number,
            start=self.positions[0],
            moves=tuple(self.moves),
        )

    def play(self, point: int) -> None:
        """Play a move; raise IllegalMove."""
        position, rules = self.position, self.conditions.ruleset
        after = position.play(point, suicide=rules.suicide)
        repeats = point != pass_point(position.side) and after.hash in {each.hash for each in self.positions}
        if rules.superko and repeats:
            raise IllegalMove(point, position.to_move, position.side, "it repeats an earlier position")
        self.moves.append((position.to_move, point))
        self.positions.append(after)


def play_game(
    players: Mapping[int, Player],
    names: Mapping[int, str],
    conditions: Conditions,
    opening: Sequence[Move],
    referee: Referee,
    *,
    number: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game to its end and let the referee count it.

    Args: `players` and their `names` by colour; `opening`, the first moves; `number`, of the game, for players who
    play by chance; `stopped`, asked before every move and by players who think long. Raises Stopped once it says so.
    """
    table = _Table(conditions, number, [conditions.start()])
    table.clocks = dict.fromkeys((BLACK, WHITE), conditions.clock())
    for _, point in opening:
        table.play(point)
    lost = None
    try:
        for colour, player in players.items():
            _get_ready(table, player, colour)
        while not table.ended and len(table.moves) < conditions.longest:
            if stopped():
                raise Stopped
            _move(table, players[table.position.to_move], stopped)
    except _Lost as error:
        lost = error
    return _result(table, names, lost, referee)


def _get_ready(table: _Table, player: Player, colour: int) -> None:
    """Let a program start and set up the game before its clock runs; raise _Lost if it cannot."""
    if isinstance(player, ExternalPlayer):
        try:
            player.get_ready(table.turn())
        except GtpFailure as error:
            raise _Lost(colour, Ending.CRASH, str(error)) from None


def _move(table: _Table, player: Player, stopped: Callable[[], bool]) -> None:
    """Let a player move; raise _Lost if that ends the game."""
    colour = table.position.to_move
    began = time.monotonic()
    try:
        point = player.choose(table.turn(), stopped)
    except GtpTimeout as error:
        raise _Lost(colour, Ending.TIME, str(error)) from None
    except GtpFailure as error:
        if stopped():
            raise Stopped from None
        raise _Lost(colour, Ending.CRASH, str(error)) from None
    except InputError as error:
        raise _Lost(colour, Ending.ILLEGAL, str(error)) from None
    took = time.monotonic() - began
    table.times[colour].append(took)
    clock = table.clocks[colour]
    if not clock.unlimited and took > clock.remaining:
        raise _Lost(colour, Ending.TIME, f"{took:.2f} s for a move, {clock.remaining:.2f} s were left")
    table.clocks[colour] = clock.after(took)
    if point == RESIGN:
        raise _Lost(colour, Ending.RESIGNED)
    try:
        table.play(point)
    except IllegalMove as error:
        raise _Lost(colour, Ending.ILLEGAL, str(error)) from None


def _result(table: _Table, names: Mapping[int, str], lost: _Lost | None, referee: Referee) -> Played:
    record = _record(table, names)
    times = table.times
    ending = lost.ending if lost else Ending.PASSES if table.ended else Ending.LENGTH
    detail = lost.detail if lost else ""
    if lost:
        winner = opponent(lost.colour)
        text = f"{_LETTERS[winner]}+{_SUFFIX[lost.ending]}"
    else:
        try:
            margin = referee.margin(record)
            winner, text = int(np.sign(margin)), format_result(margin)
        except Undecided as error:
            winner, text, ending, detail = 0, "Void", Ending.UNDECIDED, str(error)
    return Played(
        replace(record, result=parse_result(text)),
        winner,
        ending,
        detail,
        {colour: sum(times[colour]) for colour in times},
        {colour: max(times[colour], default=0.0) for colour in times},
        {colour: len(times[colour]) for colour in times},
    )


def _record(table: _Table, names: Mapping[int, str]) -> GameRecord:
    conditions, start = table.conditions, table.positions[0]
    colours, points = zip(*table.moves, strict=True) if table.moves else ((), ())
    return GameRecord(
        source="match",
        side=conditions.side,
        setup=start.stones.ravel(),
        to_move=start.to_move,
        moves=np.array(points, np.int16),
        colours=np.array(colours, np.int8),
        komi=conditions.komi,
        handicap=conditions.handicap,
        rules=conditions.rules,
        result=parse_result(""),
        black=names[BLACK],
        white=names[WHITE],
    )
