"""Several games side by side."""

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
from ownership.match.storage import GameResult, MatchFolder
from ownership.players.base import Player
from ownership.players.external import ExternalPlayer

MakePlayer = Callable[[str], Player]


@dataclass(frozen=True)
class Match:
    """Plays the games of a match.

    Attributes:
        players: their names.
        make: returns the player of a name; called once for each name and thread.
        conditions: of all games.
        referee: counts games.
        folder: keeps results and records.
        commentator: the model whose ownership is written into the records; None for no comments.
    """

    players: Sequence[str]
    make: MakePlayer
    conditions: Conditions
    referee: Referee
    folder: MatchFolder
    commentator: Evaluator | None = None

    def play(self, pairings: Sequence[Pairing], jobs: int) -> Generator[GameResult, None, None]:
        """Play games, `jobs` at a time, keep each in the folder, and yield its result.

        When the generator ends or is closed, no program is left running and no thread playing. Raises what a player of
        ours raises.
        """
        stopped = threading.Event()
        pools: list[_PlayerPool] = [_PlayerPool(self.players, self.make) for _ in range(jobs)]
        free = list(pools)
        waiting = iter(pairings)
        with ThreadPoolExecutor(jobs, "game") as threads:
            running: dict[Future[GameResult], _PlayerPool] = {}
            try:
                while True:
                    while free and (pairing := next(waiting, None)) is not None:
                        players = free.pop()
                        running[threads.submit(self._play_one, pairing, players, stopped)] = players
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        free.append(running.pop(future))
                        yield future.result()
            finally:
                stopped.set()
                for each in pools:
                    each.close()

    def _play_one(self, pairing: Pairing, pool: "_PlayerPool", stopped: threading.Event) -> GameResult:
        numbers = {BLACK: pairing.black, WHITE: pairing.white}
        played = play_game(
            {colour: pool.player(number) for colour, number in numbers.items()},
            {colour: self.players[number] for colour, number in numbers.items()},
            self.conditions,
            self.conditions.moves(pairing.opening),
            self.referee,
            number=pairing.number,
            stopped=stopped.is_set,
        )
        result = GameResult.of(pairing, played)
        if stopped.is_set():
            raise Stopped
        self.folder.add(result, annotated(played.game, self.commentator, played.detail))
        return result


class _PlayerPool:
    """The players of one thread, each made when it is first needed; a program plays one game at a time."""

    def __init__(self, players: Sequence[str], make: MakePlayer) -> None:
        self._players = players
        self._make = make
        self._made: dict[int, Player] = {}

    def player(self, number: int) -> Player:
        if number not in self._made:
            self._made[number] = self._make(self._players[number])
        return self._made[number]

    def close(self) -> None:
        for player in self._made.values():
            if isinstance(player, ExternalPlayer):
                player.close()
