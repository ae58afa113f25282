"""Several games at once."""

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from goban.coords import BLACK, WHITE
from ownership.inference.evaluator import Evaluator
from ownership.match.comments import annotated
from ownership.match.conditions import Conditions, Pairing
from ownership.match.game import Stopped, play_game
from ownership.match.referee import Referee
from ownership.match.storage import MatchFolder, Row
from ownership.players.base import Player
from ownership.players.external import ExternalPlayer

MakePlayer = Callable[[str], Player]


@dataclass(frozen=True)
class Match:
    """What is needed to play games.

    players: their names. make: turns a name into a player, called once for each name and thread. commentator: whose
    ownership is written into the records; None for nobody's.
    """

    players: Sequence[str]
    make: MakePlayer
    conditions: Conditions
    referee: Referee
    folder: MatchFolder
    commentator: Evaluator | None = None

    def play(self, pairings: Sequence[Pairing], jobs: int) -> Generator[Row, None, None]:
        """Play games, `jobs` at a time, keep each in the folder, and yield its row.

        Whatever happens, no program is left running and no thread playing. Raises what a player of our own raises.
        """
        stopped = threading.Event()
        seats: list[_Seats] = [_Seats(self.players, self.make) for _ in range(jobs)]
        free = list(seats)
        waiting = iter(pairings)
        with ThreadPoolExecutor(jobs, "game") as pool:
            running: dict[Future[Row], _Seats] = {}
            try:
                while True:
                    while free and (pairing := next(waiting, None)) is not None:
                        own = free.pop()
                        running[pool.submit(self._play_one, pairing, own, stopped)] = own
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        free.append(running.pop(future))
                        yield future.result()
            finally:
                stopped.set()
                for each in seats:
                    each.close()

    def _play_one(self, pairing: Pairing, seats: "_Seats", stopped: threading.Event) -> Row:
        numbers = {BLACK: pairing.black, WHITE: pairing.white}
        played = play_game(
            {colour: seats.player(number) for colour, number in numbers.items()},
            {colour: self.players[number] for colour, number in numbers.items()},
            self.conditions,
            self.conditions.moves(pairing.opening),
            self.referee,
            number=pairing.number,
            stopped=stopped.is_set,
        )
        row = Row.of(pairing, played)
        if stopped.is_set():
            raise Stopped
        self.folder.add(row, annotated(played.game, self.commentator, played.detail))
        return row


class _Seats:
    """The players of one thread: a program plays one game at a time."""

    def __init__(self, players: Sequence[str], make: MakePlayer) -> None:
        self._players = players
        self._make = make
        self._seated: dict[int, Player] = {}

    def player(self, number: int) -> Player:
        if number not in self._seated:
            self._seated[number] = self._make(self._players[number])
        return self._seated[number]

    def close(self) -> None:
        for player in self._seated.values():
            if isinstance(player, ExternalPlayer):
                player.close()
