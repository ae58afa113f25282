"""A player that is another program."""

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from goban.clock import Clock
from goban.coords import BLACK, SYMMETRIES, WHITE, gtp_name, parse_gtp
from goban.game import Game
from goban.move_notation import IndexedMove
from goban.position import Position
from ownership.players.gtp_client import GtpClient, GtpCrashed, GtpRefused
from ownership.players.player_interface import RESIGN, Turn

_KGS_RULES = {"area": "chinese", "territory": "japanese", "new-zealand": "new_zealand", "korean": "japanese"}
_GRACE = 0.5
_LETTERS = {BLACK: "b", WHITE: "w"}

_Start = tuple[Position, str, float]


class ExternalPlayer:
    """A program that speaks GTP; it starts with the first turn, and again after a crash.

    Args:
        command: the words of its command line. In each of them `{game}` stands for the number of the game, and
            `{orientation}` for a random one of the board's 8 orientations, 0 to 7, drawn from that number.
        move_seconds: the longest that it may take for a move.

    A command line with `{game}` or `{orientation}` starts again for each game. Used by one thread. A move that the
    program refuses, a crash and a time-out raise a GtpFailure. The program decides itself when to resign and pass, and
    ignores `Turn.cleanup`.
    """

    def __init__(self, command: Sequence[str], move_seconds: float) -> None:
        self._command = command
        self._seconds = move_seconds
        self._client: GtpClient | None = None
        self._started: list[str] = []
        self._start: _Start | None = None
        self._sent: list[IndexedMove] = []
        self._closed = False

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the program's move; see `Player`. Cannot be interrupted."""
        client = self._ready(turn)
        side, colour = turn.position.side, turn.position.to_move
        if not turn.clock.unlimited:
            _send_optional(client, f"time_left {_LETTERS[colour]} {turn.clock.left:.0f} {turn.clock.stones}")
        answer = client.ask(f"genmove {_LETTERS[colour]}", self._limit(turn))
        if answer.lower() == "resign":
            return RESIGN
        point = parse_gtp(answer, side)
        self._sent.append((colour, point))
        return point

    def _limit(self, turn: Turn) -> float:
        """Return the seconds after which a move comes too late, and _GRACE for its transfer."""
        clock = turn.clock
        return self._seconds if clock.unlimited else min(self._seconds, clock.remaining + _GRACE)

    def get_ready(self, turn: Turn) -> None:
        """Start the program if it does not run, and set up the game; raise a GtpFailure."""
        self._ready(turn)

    def close(self) -> None:
        """End the program; it does not start again. Any thread may call this."""
        self._closed = True
        if self._client is not None:
            self._client.close()

    def _check_open(self) -> None:
        """End the program and raise GtpCrashed if the player has been closed."""
        if self._closed:
            self.close()
            raise GtpCrashed(f"{self._command[0]}: it has been closed")

    def _ready(self, turn: Turn) -> GtpClient:
        """Return the running program, with all moves of the game played."""
        game = turn.game
        start = (game.start, game.ruleset.name, game.komi)
        self._check_open()
        command = _command_of(self._command, turn.number)
        if self._client is not None and command != self._started:
            self._client.close()
        if self._client is None or not self._client.alive:
            self._client, self._started, self._start = GtpClient(command), command, None
            self._check_open()  # another thread may have closed it before the program was known
        if start != self._start or list(game.indexed_moves[: len(self._sent)]) != self._sent:
            _set_up(self._client, game, turn.clock)
            self._start, self._sent = start, []
        for colour, point in game.indexed_moves[len(self._sent) :]:
            _send_move(self._client, colour, point, game.side)
            self._sent.append((colour, point))
        return self._client


def _command_of(command: Sequence[str], number: int) -> list[str]:
    orientation = int(np.random.default_rng(number).integers(len(SYMMETRIES)))
    return [word.replace("{game}", str(number)).replace("{orientation}", str(orientation)) for word in command]


def _set_up(client: GtpClient, game: Game, clock: Clock) -> None:
    client.ask(f"boardsize {game.side}")
    client.ask("clear_board")
    client.ask(f"komi {game.komi:g}")
    rules = game.ruleset.name
    _send_optional(client, f"kgs-rules {_KGS_RULES.get(rules, rules)}")
    if not clock.unlimited:
        _send_optional(client, f"time_settings {clock.main:.0f} {clock.period:.0f} {clock.period_stones}")
    stones = {colour: (game.start.stones == colour).ravel().nonzero()[0].tolist() for colour in (BLACK, WHITE)}
    if game.handicap and not stones[WHITE]:
        client.ask("set_free_handicap " + " ".join(gtp_name(point, game.side) for point in stones[BLACK]))
        return
    for colour, points in stones.items():
        for point in points:
            _send_move(client, colour, point, game.side)


def _send_move(client: GtpClient, colour: int, point: int, side: int) -> None:
    client.ask(f"play {_LETTERS[colour]} {gtp_name(point, side)}")


def _send_optional(client: GtpClient, command: str) -> None:
    """Send a command that some programs lack, and ignore a refusal."""
    with suppress(GtpRefused):
        client.ask(command)
