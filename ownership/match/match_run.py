"""Several games at the same time, on threads of this process or on the workers of a cluster."""

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from typing import NamedTuple

from goban.coords import BLACK, WHITE
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.match.comments import annotated
from ownership.match.match_conditions import Conditions
from ownership.match.match_folder import GameResult, MatchFolder
from ownership.match.match_game import Stopped, play_game
from ownership.match.pairings import Pairing
from ownership.match.referee import Referee
from ownership.players.external_player import ExternalPlayer
from ownership.players.player_interface import Player
from runtime.workers import Workers

MakePlayer = Callable[[str], Player]


class Played(NamedTuple):
    """The result of a game and its record as SGF."""

    result: GameResult
    sgf: bytes


@dataclass(frozen=True)
class MatchSetup:
    """The common conditions of all games of a match; plays single games.

    Attributes:
        players: their names.
        make: returns the player of a name.
        conditions: of all games.
        referee: counts games.
        commentator: the model whose ownership is written into the records; None for no comments.

    For a cluster, all of them can be pickled.
    """

    players: Sequence[str]
    make: MakePlayer
    conditions: Conditions
    referee: Referee
    commentator: Evaluator | None = None

    def play(self, pairing: Pairing, pool: "PlayerPool", stopped: Callable[[], bool] = lambda: False) -> Played:
        """Play a game with players of a pool.

        Raises:
            Stopped: `stopped` returned True.
        """
        numbers = {BLACK: pairing.black, WHITE: pairing.white}
        played = play_game(
            {colour: pool.player(number) for colour, number in numbers.items()},
            {colour: self.players[number] for colour, number in numbers.items()},
            self.conditions,
            self.conditions.moves(pairing.opening),
            self.referee,
            number=pairing.number,
            stopped=stopped,
        )
        if stopped():
            raise Stopped
        return Played(GameResult.of(pairing, played), annotated(played.game, self.commentator, played.detail))


class PlayerPool:
    """The players of one thread, each made when it is first needed; a program plays one game at a time."""

    def __init__(self, setup: MatchSetup) -> None:
        self._setup = setup
        self._made: dict[int, Player] = {}

    def player(self, number: int) -> Player:
        """Return the player of a number, from 0."""
        if number not in self._made:
            self._made[number] = self._setup.make(self._setup.players[number])
        return self._made[number]

    def close(self) -> None:
        """End the programs among the players."""
        for player in self._made.values():
            if isinstance(player, ExternalPlayer):
                player.close()


@dataclass(frozen=True)
class Match:
    """Plays the games of a match and keeps each in the folder."""

    setup: MatchSetup
    folder: MatchFolder

    def play(self, pairings: Sequence[Pairing], jobs: int) -> Generator[GameResult, None, None]:
        """Play games, `jobs` at a time, and yield each result.

        When the generator ends or is closed, no program is left running and no thread playing. Raises what a player of
        ours raises.
        """
        stopped, free = threading.Event(), SimpleQueue[PlayerPool]()
        pools = [PlayerPool(self.setup) for _ in range(jobs)]
        for each in pools:
            free.put(each)

        def play_one(pairing: Pairing) -> Played:
            pool = free.get()
            try:
                return self.setup.play(pairing, pool, stopped.is_set)
            finally:
                free.put(pool)

        with ThreadPoolExecutor(jobs, "game") as threads:
            try:
                yield from self._kept(pairings, lambda pairing: threads.submit(play_one, pairing), jobs)
            finally:
                stopped.set()
                for each in pools:
                    each.close()

    def play_on(self, workers: Workers, pairings: Sequence[Pairing]) -> Generator[GameResult, None, None]:
        """Play games on the workers of a cluster, and yield each result.

        When the generator is closed, games under way go on to their ends, and their results are dropped.

        Raises:
            InputError: several workers died while they played the same game.
        """

        def submit(pairing: Pairing) -> Future[Played]:
            return workers.executor.submit(_play_with_new_players, self.setup, pairing)

        try:
            yield from self._kept(pairings, submit, workers.count)
        except workers.losses as error:
            raise InputError(f"a game was lost: several workers died while they played it: {error}") from None

    def _kept(
        self, pairings: Sequence[Pairing], submit: Callable[[Pairing], Future[Played]], count: int
    ) -> Generator[GameResult, None, None]:
        """Submit games, `count` at a time, keep each and yield its result."""
        waiting, running = iter(pairings), set[Future[Played]]()
        while True:
            running |= {submit(each) for each in islice(waiting, count - len(running))}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for played in sorted((each.result() for each in done), key=lambda each: each.result.number):
                self.folder.add(*played)
                yield played.result


def _play_with_new_players(setup: MatchSetup, pairing: Pairing) -> Played:
    pool = PlayerPool(setup)
    try:
        return setup.play(pairing, pool)
    finally:
        pool.close()
