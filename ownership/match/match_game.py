"""One game between two players, from the opening to the count."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban.clock import Clock
from goban.coords import BLACK, WHITE, colour_letter, opponent
from goban.counting.counted_score import format_result
from goban.errors import InputError
from goban.game import Game
from goban.move_notation import IndexedMove
from goban.position import IllegalMove
from ownership.match.match_conditions import Conditions
from ownership.match.referee import Referee, Undecided
from ownership.players.external_player import ExternalPlayer
from ownership.players.gtp_client import GtpFailure, GtpTimeout
from ownership.players.player_interface import RESIGN, Player, Turn


class Ending(StrEnum):
    """How a game ended: counted after two passes or at its greatest length, lost by the player to move, or void."""

    PASSES = "passes"
    LENGTH = "length"
    RESIGNED = "resigned"
    ILLEGAL = "illegal"
    CRASH = "crash"
    TIME = "time"
    UNDECIDED = "undecided"


_SUFFIX: Final = {Ending.RESIGNED: "R", Ending.ILLEGAL: "F", Ending.CRASH: "F", Ending.TIME: "T"}


class Stopped(Exception):
    """The match is to end now."""


@dataclass(frozen=True, eq=False)
class PlayedGame:
    """A game that was played.

    Attributes:
        game: the record, with its result.
        ending: how it ended.
        detail: what went wrong.
        times: seconds for each move that the player chose, by colour.
    """

    game: GameRecord
    ending: Ending
    detail: str
    times: Mapping[int, Sequence[float]]


class _GameLost(Exception):
    """The player of `colour` has lost; `ending` and `detail` as in `PlayedGame`."""

    def __init__(self, colour: int, ending: Ending, detail: str = "") -> None:
        super().__init__(ending)
        self.colour = colour
        self.ending = ending
        self.detail = detail


@dataclass
class _TimedGame:
    """A game in progress with the clocks of both players.

    Attributes:
        game: the game so far.
        number: of the game.
        clocks: by colour.
        times: seconds for each move, by colour.
    """

    game: Game
    number: int
    clocks: dict[int, Clock]
    times: dict[int, list[float]] = field(default_factory=lambda: {BLACK: [], WHITE: []})

    @property
    def mover(self) -> int:
        return self.game.position.to_move

    def turn(self) -> Turn:
        return Turn(self.game, self.clocks[self.mover], number=self.number)


def play_game(
    players: Mapping[int, Player],
    names: Mapping[int, str],
    conditions: Conditions,
    opening: Sequence[IndexedMove],
    referee: Referee,
    *,
    number: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> PlayedGame:
    """Play a game to its end and let the referee count it.

    Args:
        players: by colour.
        names: of the players, by colour.
        conditions: board, rules and times.
        opening: the first moves.
        referee: counts the game.
        number: of the game, for players who play by chance.
        stopped: called before every move, and by players during a search.

    Raises:
        Stopped: `stopped` returned True.
        GtpFailure: a program cannot start, or cannot set up the game.
    """
    clocks = dict.fromkeys((BLACK, WHITE), conditions.clock())
    timed = _TimedGame(conditions.new_game().play_all(opening), number, clocks)
    lost = None
    try:
        for player in players.values():
            if isinstance(player, ExternalPlayer):
                player.get_ready(timed.turn())  # before its clock runs
        while not timed.game.ended and len(timed.game.indexed_moves) < conditions.longest:
            if stopped():
                raise Stopped
            _move(timed, players[timed.mover], stopped)
    except _GameLost as error:
        lost = error
    return _result(timed, names, lost, referee)


def _move(timed: _TimedGame, player: Player, stopped: Callable[[], bool]) -> None:
    """Let a player move; raise _GameLost if that ends the game."""
    colour, clock = timed.mover, timed.clocks[timed.mover]
    began = time.monotonic()
    point = _chosen(timed, player, stopped)
    took = time.monotonic() - began
    timed.times[colour].append(took)
    if not clock.unlimited and took > clock.remaining:
        raise _GameLost(colour, Ending.TIME, f"{took:.2f} s for a move, {clock.remaining:.2f} s were left")
    timed.clocks[colour] = clock.after(took)
    if point == RESIGN:
        raise _GameLost(colour, Ending.RESIGNED)
    try:
        timed.game = timed.game.play(point)
    except IllegalMove as error:
        raise _GameLost(colour, Ending.ILLEGAL, str(error)) from None


def _chosen(timed: _TimedGame, player: Player, stopped: Callable[[], bool]) -> int:
    """Return the player's choice; raise _GameLost where there is none."""
    try:
        return player.choose(timed.turn(), stopped)
    except GtpTimeout as error:
        raise _GameLost(timed.mover, Ending.TIME, str(error)) from None
    except GtpFailure as error:
        if stopped():
            raise Stopped from None
        raise _GameLost(timed.mover, Ending.CRASH, str(error)) from None
    except InputError as error:
        raise _GameLost(timed.mover, Ending.ILLEGAL, str(error)) from None


def _result(timed: _TimedGame, names: Mapping[int, str], lost: _GameLost | None, referee: Referee) -> PlayedGame:
    record = GameRecord.of_game(timed.game, "match", parse_result(""), black=names[BLACK], white=names[WHITE])
    ending = lost.ending if lost else Ending.PASSES if timed.game.ended else Ending.LENGTH
    detail = lost.detail if lost else ""
    if lost:
        text = f"{colour_letter(opponent(lost.colour))}+{_SUFFIX[lost.ending]}"
    else:
        try:
            text = format_result(referee.margin(record))
        except Undecided as error:
            text, ending, detail = "Void", Ending.UNDECIDED, str(error)
    return PlayedGame(replace(record, result=parse_result(text)), ending, detail, timed.times)
