"""What all handlers share: the game, the options, the model, the loaded record and the player."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gogui_plugin.game_state import GameState
from gogui_plugin.gtp import Answer, Command, GtpError, Handler
from gogui_plugin.judge import Judge
from gogui_plugin.records import Library, Record
from ownership.estimate import Estimate, estimate
from ownership.evaluator import Opinion
from ownership.model_files import find_model
from ownership.players import OnePlyPlayer, Player, ReplayPlayer

PLAYERS = ("ownership", "replay")

Action = Callable[["Session", Command], Answer]


@dataclass(frozen=True)
class Settings:
    """What the user chooses when starting the engine or in the GUI's dialog.

    model: bundled name or directory, None for the default. player: one of PLAYERS. symmetries: 1 or 8, averaged
    over in ownership displays. candidates: the best moves, which are looked at again under
    all symmetries. resign_below: probability of
    winning, 0 never to resign. games: folder that records are taken from.
    """

    model: str | None = None
    player: str = PLAYERS[0]
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
        self.judge = Judge(find_model(settings.model))
        self._library = Library(settings.games)

    def opinion(self) -> Opinion:
        """Return what the model says about the position on the board."""
        [opinion] = self.judge.evaluator.evaluate([self.state.position], self.settings.symmetries)
        return opinion

    def ownership(self) -> NDArray[np.float32]:
        """Return ownership float32 (N, N) of the position on the board."""
        return self.opinion().ownership

    def estimate(self) -> Estimate:
        """Return what the position on the board is worth."""
        state, opinion = self.state, self.opinion()
        return estimate(
            state.position,
            opinion.ownership,
            state.ruleset,
            state.komi,
            handicap=state.handicap,
            agreed=state.ended,
            deviation=opinion.deviation,
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

    def player(self) -> Player:
        """Return the player who moves; raise GtpError if it replays a record and there is none."""
        if self.settings.player == "replay":
            return ReplayPlayer((self.record or self.load_next()).game)
        return OnePlyPlayer(self.judge.evaluator, self.settings.resign_below, self.settings.candidates)


def bind(session: Session, actions: Mapping[str, Action]) -> dict[str, Handler]:
    """Return a handler for each action, by name."""
    return {name: partial(action, session) for name, action in actions.items()}
