"""Another program as a player."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from goban.coords import BLACK, WHITE, gtp_name, parse_gtp
from goban.position import Position
from ownership.gtp_client import GtpClient, GtpRefused
from ownership.players.situation import RESIGN, Move, Situation

_KGS_RULES = {"area": "chinese", "territory": "japanese", "new-zealand": "new_zealand", "korean": "japanese"}
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

    def choose(self, situation: Situation, interrupted: Callable[[], bool]) -> int:
        """Return the program's move; see `Player`. Cannot be interrupted."""
        client = self._at(situation)
        side, colour = situation.position.side, situation.position.to_move
        answer = client.ask(f"genmove {_LETTERS[colour]}", self._seconds)
        if answer.lower() == "resign":
            return RESIGN
        point = parse_gtp(answer, side)
        self._told.append((colour, point))
        return point

    def close(self) -> None:
        """End the program."""
        if self._client is not None:
            self._client.close()

    def _at(self, situation: Situation) -> GtpClient:
        """Return the program once it has been told how the game stands."""
        start = situation.start or Position.empty(situation.position.side)
        known = (start, situation.ruleset.name, situation.komi)
        told = len(self._told)
        if self._client is None or not self._client.alive:
            self._client, self._start = GtpClient(self._command), None
        if known != self._start or list(situation.moves[:told]) != self._told:
            self._set_up(self._client, start, situation)
            self._start, self._told = known, []
        for colour, point in situation.moves[len(self._told) :]:
            self._client.ask(f"play {_LETTERS[colour]} {gtp_name(point, start.side)}")
            self._told.append((colour, point))
        return self._client

    def _set_up(self, client: GtpClient, start: Position, situation: Situation) -> None:
        client.ask(f"boardsize {start.side}")
        client.ask("clear_board")
        client.ask(f"komi {situation.komi:g}")
        rules = situation.ruleset.name
        with suppress(GtpRefused):  # most programs know one way of counting only
            client.ask(f"kgs-rules {_KGS_RULES.get(rules, rules)}")
        stones = {colour: (start.stones == colour).ravel().nonzero()[0].tolist() for colour in (BLACK, WHITE)}
        if situation.handicap and not stones[WHITE]:
            client.ask("set_free_handicap " + " ".join(gtp_name(point, start.side) for point in stones[BLACK]))
            return
        for colour, points in stones.items():
            for point in points:
                client.ask(f"play {_LETTERS[colour]} {gtp_name(point, start.side)}")
