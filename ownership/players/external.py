"""Another program as a player."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from goban.position import Position
from ownership.players.base import RESIGN, Move, Turn
from ownership.players.gtp_client import GtpClient, GtpCrashed, GtpRefused

_KGS_RULES = {"area": "chinese", "territory": "japanese", "new-zealand": "new_zealand", "korean": "japanese"}
_GRACE = 0.5
_LETTERS = {BLACK: "b", WHITE: "w"}

_Start = tuple[Position, str, float]


class ExternalPlayer:
    """A program that speaks GTP; it is started when it is asked first, and again after it crashed.

    command: the words of its command line. move_seconds: how long it may take for a move. Used by one thread.
    Whoever asks it has to tell what the game was, in the situation. A move that it refuses to take, a crash and a
    time-out raise a GtpFailure. It is not told to resign, pass or clean up.
    """

    def __init__(self, command: Sequence[str], move_seconds: float) -> None:
        self._command = command
        self._seconds = move_seconds
        self._client: GtpClient | None = None
        self._start: _Start | None = None
        self._told: list[Move] = []
        self._closed = False

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the program's move; see `Player`. Cannot be interrupted."""
        client = self._at(turn)
        side, colour = turn.position.side, turn.position.to_move
        if not turn.clock.unlimited:
            self._tell(client, f"time_left {_LETTERS[colour]} {turn.clock.left:.0f} {turn.clock.stones}")
        answer = client.ask(f"genmove {_LETTERS[colour]}", self._limit(turn))
        if answer.lower() == "resign":
            return RESIGN
        point = parse_gtp(answer, side)
        self._told.append((colour, point))
        return point

    def _limit(self, turn: Turn) -> float:
        """Return the seconds after which a move comes too late, and a little more for the way that it takes."""
        clock = turn.clock
        return self._seconds if clock.unlimited else min(self._seconds, clock.remaining + _GRACE)

    @staticmethod
    def _tell(client: GtpClient, command: str) -> None:
        """Say something that not every program listens to."""
        with suppress(GtpRefused):
            client.ask(command)

    def get_ready(self, turn: Turn) -> None:
        """Start the program, if need be, and tell it how the game stands; raise a GtpFailure."""
        self._at(turn)

    def close(self) -> None:
        """End the program for good; any thread may."""
        self._closed = True
        if self._client is not None:
            self._client.close()

    def _at(self, turn: Turn) -> GtpClient:
        """Return the program once it has been told how the game stands."""
        start = turn.start or Position.empty(turn.position.side)
        known = (start, turn.ruleset.name, turn.komi)
        told = len(self._told)
        if self._closed:
            raise GtpCrashed(f"{self._command[0]}: it has been closed")
        if self._client is None or not self._client.alive:
            self._client, self._start = GtpClient(self._command), None
        if known != self._start or list(turn.moves[:told]) != self._told:
            self._set_up(self._client, start, turn)
            self._start, self._told = known, []
        for colour, point in turn.moves[len(self._told) :]:
            self._client.ask(f"play {_LETTERS[colour]} {gtp_name(point, start.side)}")
            self._told.append((colour, point))
        return self._client

    def _set_up(self, client: GtpClient, start: Position, turn: Turn) -> None:
        client.ask(f"boardsize {start.side}")
        client.ask("clear_board")
        client.ask(f"komi {turn.komi:g}")
        rules = turn.ruleset.name
        self._tell(client, f"kgs-rules {_KGS_RULES.get(rules, rules)}")
        clock = turn.clock
        if not clock.unlimited:
            self._tell(client, f"time_settings {clock.main:.0f} {clock.period:.0f} {clock.period_stones}")
        stones = {colour: (start.stones == colour).ravel().nonzero()[0].tolist() for colour in (BLACK, WHITE)}
        if turn.handicap and not stones[WHITE]:
            client.ask("set_free_handicap " + " ".join(gtp_name(point, start.side) for point in stones[BLACK]))
            return
        for colour, points in stones.items():
            for point in points:
                client.ask(f"play {_LETTERS[colour]} {gtp_name(point, start.side)}")
