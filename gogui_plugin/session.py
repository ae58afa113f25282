"""What all handlers share: the game, the options, the model, the loaded record and the player."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban.clock import Clock
from goban.coords import BLACK, WHITE
from goban.counting.estimate import Estimate, estimate
from goban.rulesets import Terms
from gogui_plugin.game_state import GameState
from gogui_plugin.gtp import Answer, Command, GtpError, Handler
from gogui_plugin.judge import Judge
from gogui_plugin.records import Library, Record
from gogui_plugin.variation import show
from ownership.inference.evaluator import Evaluator, Prediction
from ownership.inference.files import find_model
from ownership.players import Player, ReplayPlayer, Turn
from ownership.players.registry import OPTIONS, make_player

REPLAY = "replay"
PLAYERS = (*OPTIONS, REPLAY)

Action = Callable[["Session", Command], Answer]


@dataclass(frozen=True)
class Settings:
    """What the user chooses when starting the engine or in the GUI's dialog.

    model: bundled name or directory, None for the default. player: one of PLAYERS, with or without options; None for
    the strongest one that the model can be. seconds:
    that a search may take for a move. symmetries: 1 or 8, averaged over in ownership displays. candidates: the best
    moves, which are looked at again under all symmetries. resign_below: probability of winning, 0 never to resign.
    games: folder that records are taken from.
    """

    model: str | None = None
    player: str | None = None
    seconds: float = 1.0
    symmetries: int = 1
    candidates: int = 16
    resign_below: float = 0.02
    games: Path | None = None


class Session:
    """The engine's memory: one immutable game and immutable settings, replaced as a whole, and the model."""

    def __init__(
        self, settings: Settings, state: GameState, wait: Callable[[float], bool], interrupted: Callable[[], bool]
    ) -> None:
        """Begin to load the model.

        wait: sleeps for some seconds, less if the client sends something, and tells whether it did. interrupted:
        whether the client wants the running command to stop. Raises InputError if there is no such model.
        """
        self.settings = settings
        self.state = state
        self.wait = wait
        self.interrupted = interrupted
        self.record: Record | None = None
        self.clocks = {BLACK: Clock(), WHITE: Clock()}
        self._games = 0
        self.judge = Judge(find_model(settings.model))
        self._library = Library(settings.games)
        self._made: tuple[Settings, Judge, Player] | None = None

    def prediction(self) -> Prediction:
        """Return what the model says about the position on the board."""
        [prediction] = self.judge.evaluator.evaluate([self.state.position], self.settings.symmetries)
        return prediction

    def ownership(self) -> NDArray[np.float32]:
        """Return ownership float32 (N, N) of the position on the board."""
        return self.prediction().ownership

    def estimate(self) -> Estimate:
        """Return what the position on the board is worth."""
        state, prediction = self.state, self.prediction()
        return estimate(
            state.position,
            prediction.ownership,
            Terms(state.ruleset, state.komi, state.handicap),
            ended=state.ended,
            deviation=prediction.deviation,
        )

    def loaded(self) -> Record:
        """Return the record; raise GtpError if none is loaded."""
        if self.record is None:
            raise GtpError("expected a loaded game. Received: none; load one with loadsgf or from the analyze menu")
        return self.record

    def load_next(self) -> Record:
        """Make the next game of the folder the record, and return it; raise GtpError."""
        self.record = self._library.next()
        return self.record

    @property
    def player_name(self) -> str:
        """Who moves, one of PLAYERS with or without options."""
        return self.settings.player or ("alphabeta" if "policy" in self.judge.heads else "greedy")

    def player(self) -> Player:
        """Return the player who moves.

        Raises GtpError if it replays a record and there is none, InputError if there is no such player, or if the model
        lacks what it needs.
        """
        if self.player_name == REPLAY:
            return ReplayPlayer((self.record or self.load_next()).game)
        if self._made is None or self._made[:2] != (self.settings, self.judge):
            self._made = self.settings, self.judge, self._make_player()
        return self._made[2]

    def _make_player(self) -> Player:
        settings = self.settings
        defaults = {
            "time": str(settings.seconds),
            "candidates": str(settings.candidates),
            "resign": str(100 * settings.resign_below),
        }
        return make_player(self.player_name, self._load, defaults, listener=show)

    def _load(self, model: str | None) -> Evaluator:
        return self.judge.evaluator if model is None else Evaluator.load(model)

    def choose(self, colour: int, cleanup: bool = False) -> int:
        """Return the player's move for a colour, without playing it: a flat index, N*N to pass, or RESIGN.

        Args: `cleanup`, whether the players disagree about dead stones. The clock of that colour goes on.
        """
        began = time.monotonic()
        point = self.player().choose(self.turn(colour, cleanup), self.interrupted)
        self.clocks[colour] = self.clocks[colour].after(time.monotonic() - began)
        return point

    def turn(self, colour: int, cleanup: bool = False) -> Turn:
        """Return what the player of a colour has to know; see `choose`."""
        return replace(self.state.turn(colour), clock=self.clocks[colour], cleanup=cleanup, number=self._games)

    def begin_game(self) -> None:
        """Give both colours their time back, and players who play by chance other moves than in the last game."""
        self._games += 1
        self.clocks = {colour: clock.begun() for colour, clock in self.clocks.items()}


def bind(session: Session, actions: Mapping[str, Action]) -> dict[str, Handler]:
    """Return a handler for each action, by name."""
    return {name: partial(action, session) for name, action in actions.items()}
