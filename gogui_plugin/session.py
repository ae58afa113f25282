"""The state that all handlers share: game, settings, model, loaded record and player."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game_records.assumed_terms import assumed_terms, possible_terms
from game_records.game_record import GameRecord
from goban.clock import Clock
from goban.coords import BLACK, WHITE
from goban.counting.estimate import Estimate
from goban.game import Game
from goban.position import Position
from goban.rulesets import Terms
from gogui_plugin.game_library import Library
from gogui_plugin.gogui_graphics import show
from gogui_plugin.gtp import Answer, Command, GtpError, Handler, LineReader
from gogui_plugin.loaded_record import LoadedGame, terms_text
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import ModelFiles
from ownership.inference.prediction import Prediction
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.katago_protocol.release import engine_version
from ownership.players.mcts_player import MctsPlayer
from ownership.players.player_interface import Player, Turn
from ownership.players.registry import PLAYERS, make_player
from ownership.players.replay_player import ReplayPlayer
from ownership.scoring.score_games import record_terms, score_game
from ownership.scoring.score_position import score_position
from ownership.scoring.scored_game import ScoreOptions
from ownership.search.forbidden_moves import ForbiddenPlies
from ownership.search.mcts.search_stream import SearchStream
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch, check_search_heads, warm_up
from ownership.search.search_limits import Limits
from planes.plane_names import PLANES

NAME = "Ownership"
REPLAY = "replay"
_WARM_SIDE = 19
PLAYER_NAMES = (*PLAYERS, REPLAY)

Action = Callable[["Session", Command], Answer]


@dataclass(frozen=True)
class Settings:
    """The user's choices, made at the start of the engine or in the GUI's dialog.

    Attributes:
        model: name or directory; None for the default.
        player: one of PLAYER_NAMES, with or without options; None for the strongest that the model allows.
        seconds: most seconds of a search for a move.
        search_seconds: seconds of a search for a display.
        plane: the input plane that a display shows.
        symmetries: 1 or 8, averaged over in displays of ownership.
        candidates: number of best moves that are evaluated again under all symmetries.
        resign_below: probability of winning in [0, 1]; 0 never to resign.
        games: folder of records.
        ponder: whether a player of a tree goes on searching after its move until the next command.
        name, version: the answers to the commands of these names.
    """

    model: str | None = None
    player: str | None = None
    seconds: float = 1.0
    search_seconds: float = 5.0
    plane: str = PLANES[0]
    symmetries: int = 8
    candidates: int = 16
    resign_below: float = 0.02
    games: Path | None = None
    ponder: bool = False
    name: str = NAME
    version: str = field(default_factory=engine_version)


class Model:
    """A model that loads while the engine already answers; for use by one thread.

    Attributes:
        name: the model's own.
        files: where it lies and what it is.
        heads: the outputs of its network.
    """

    def __init__(self, files: ModelFiles) -> None:
        """Start to load the weights of `files`."""
        self.name = files.name
        self.heads = files.network.heads
        self.files = files
        self._evaluator: Evaluator | None = None
        self._error: Exception | None = None
        self._loaded = threading.Event()
        threading.Thread(target=self._load, name="model loader").start()

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator; see `wait`."""
        return self.wait()

    def wait(self) -> Evaluator:
        """Wait until the model is loaded and return its evaluator; raise the exception that loading raised."""
        self._loaded.wait()
        if self._evaluator is None:
            raise self._error or RuntimeError("the model was not loaded")
        return self._evaluator

    def _load(self) -> None:
        """Load the model, run all its networks once, and then the search: the first question is answered fast."""
        try:
            evaluator = Evaluator(self.files)
            evaluator.evaluate([Position.empty(self.files.network.side or _WARM_SIDE)], symmetries=8)
            self._evaluator = evaluator
        except Exception as error:  # raised again by `wait`, in the engine's own thread
            self._error = error
        self._loaded.set()
        if "policy" in self.heads:
            warm_up()


class Session:
    """The engine's state: an immutable game and immutable settings, replaced as a whole, and the model.

    Attributes:
        settings: the user's choices.
        game: the game on the board.
        model: the model behind all displays, and behind players that need one.
        loaded: the record that the board is compared with, or None.
        clocks: by colour.
    """

    def __init__(self, settings: Settings, game: Game, lines: LineReader) -> None:
        """Start to load the model; raise InputError if there is no such model."""
        self.settings = settings
        self.game = game
        self.model = Model(find_model(settings.model))
        self.loaded: LoadedGame | None = None
        self.clocks = {BLACK: Clock(), WHITE: Clock()}
        self._lines = lines
        self._number = 0
        self._library = Library(settings.games)
        self._terms: tuple[LoadedGame, Terms] | None = None
        self._made: tuple[Settings, Model, Player] | None = None
        self._analyst: MctsPlayer | None = None
        self._ponders = False

    def wait(self, seconds: float) -> bool:
        """Wait for some seconds, or less if the client sends anything; return whether it did."""
        return self._lines.wait(seconds)

    def interrupted(self) -> bool:
        """Return whether the client wants the running command to stop."""
        return self._lines.interrupted()

    def interrupt(self) -> None:
        """Stop the running command."""
        self._lines.interrupt()

    def prediction(self) -> Prediction:
        """Return the model's prediction of the position on the board."""
        [prediction] = self.model.evaluator.evaluate([self.game.position], self.settings.symmetries, self.game.terms)
        return prediction

    def ownership(self) -> NDArray[np.float32]:
        """Return the ownership of the position on the board, float32 (N, N), Black positive."""
        return self.prediction().owners

    def estimate(self) -> Estimate:
        """Return the estimate of the position on the board, as `ownership score` gives it of the game's record."""
        game, loaded = self.game, self.loaded
        if loaded is None or not loaded.begins(game):
            return score_position(
                game.position,
                game.ruleset,
                game.komi,
                handicap=game.handicap,
                ended=game.ended,
                evaluator=self.model.evaluator,
            )
        options = ScoreOptions(move=len(game.indexed_moves), second_judge=SECOND_JUDGE)
        if game.terms != self.terms_of(loaded):
            options = replace(options, rules=game.ruleset, komi=game.komi)
        return score_game(loaded.record, self.model.evaluator, options).estimate

    def terms_of(self, loaded: LoadedGame) -> Terms:
        """Return the terms by which `ownership score` counts a record."""
        if self._terms is None or self._terms[0] is not loaded:
            self._terms = loaded, self._find_terms(loaded.record)
        return self._terms[1]

    def _find_terms(self, record: GameRecord) -> Terms:
        """Return the terms of a record; those that it leaves open are found by counting, if the model can count."""
        if assumed_terms(record) and "ownership" in self.model.heads:
            return record_terms(record, self.model.evaluator)
        return possible_terms(record)[0]

    @property
    def assumed(self) -> tuple[str, ...]:
        """Which of "rules", "komi" and "handicap" of the game on the board are assumed, since its record names none."""
        loaded = self.loaded
        if loaded is None or not loaded.begins(self.game) or self.game.terms != self.terms_of(loaded):
            return ()
        return assumed_terms(loaded.record)

    @property
    def terms_text(self) -> str:
        """Rules, komi and handicap of the game on the board in a line, with marks on assumptions."""
        return terms_text(self.game.terms, self.assumed)

    def require_loaded(self) -> LoadedGame:
        """Return the loaded game; raise GtpError if there is none."""
        if self.loaded is None:
            raise GtpError("expected a loaded game. Received: none; load one with loadsgf or from the analyze menu")
        return self.loaded

    def load_next(self) -> LoadedGame:
        """Load the next game of the folder and return it; raise GtpError if the folder has none."""
        self.loaded = self._library.next()
        return self.loaded

    @property
    def player_name(self) -> str:
        """The player's name, one of PLAYERS with or without options."""
        if self.settings.player:
            return self.settings.player
        if "policy" not in self.model.heads:
            return "greedy"
        return "mcts" if "ownership" in self.model.heads else "policy"

    def player(self) -> Player:
        """Return the player that answers `genmove`.

        Raises:
            GtpError: it replays a record and there is none.
            InputError: there is no such player, or the model lacks what it needs.
        """
        if self.player_name == REPLAY:
            return ReplayPlayer((self.loaded or self.load_next()).record)
        if self._made is None or self._made[:2] != (self.settings, self.model):
            self._made = self.settings, self.model, self._make_player()
        return self._made[2]

    def _make_player(self) -> Player:
        settings = self.settings
        defaults: dict[str, float] = {"time": settings.seconds, "resign": settings.resign_below}
        if self.player_name.partition(":")[0] == "greedy":
            defaults["candidates"] = settings.candidates
        return make_player(self.player_name, self._load, defaults, listener=show, others=[REPLAY])

    def _load(self, model: str | None) -> Evaluator:
        return self.model.evaluator if model is None else Evaluator.load(model)

    def choose(self, colour: int, cleanup: bool = False) -> int:
        """Return the player's move for a colour without playing it, and charge the colour's clock.

        Args:
            colour: BLACK or WHITE.
            cleanup: whether the players disagree about dead stones, so that all dead stones have to be captured.

        Returns:
            A flat index, N*N to pass, or RESIGN.
        """
        began = time.monotonic()
        point = self.player().choose(self.turn(colour, cleanup), self.interrupted)
        self.charge(colour, began)
        return point

    def charge(self, colour: int, began: float) -> None:
        """Charge a colour's clock for a move that it began to think about at a time of `time.monotonic`."""
        self.clocks[colour] = self.clocks[colour].after(time.monotonic() - began)

    def stream(self, game: Game, limits: Limits, forbidden: ForbiddenPlies | None = None) -> SearchStream:
        """Return a search of the position of a game that ends once the client sends anything."""
        return SearchStream(self._search(game), game, limits, lambda: self.wait(0), forbidden)

    def _search(self, game: Game) -> TreeSearch:
        """Return the search that analyses of a game go on with: the player's, if it grows trees with this model."""
        player = None if self.player_name == REPLAY else self.player()
        if isinstance(player, MctsPlayer) and player.evaluator is self.model.evaluator:
            return player.search(game)
        if self._analyst is None or self._analyst.evaluator is not self.model.evaluator:
            check_search_heads(self.model.evaluator.files, TreeOptions())
            self._analyst = MctsPlayer(self.model.evaluator)
        return self._analyst.search(game)

    def turn(self, colour: int | None = None, cleanup: bool = False) -> Turn:
        """Return the turn of a colour, by default of the side to move; see `choose`."""
        game = self.game if colour is None else self.game.with_player(colour)
        return Turn(game, self.clocks[game.position.to_move], cleanup, self._number)

    def play_chosen(self, colour: int, point: int) -> None:
        """Play a move that the player chose; raise IllegalMove.

        A replayed record may repeat a position; other players may not where the rules forbid it.
        """
        self.game = self.game.play(point, colour, superko=False if self.player_name == REPLAY else None)
        self._ponders = self.settings.ponder

    def ponder(self) -> None:
        """Search on after a move of the player's own, until the client sends anything."""
        if self._ponders:
            self._ponders = False
            self.stream(self.game, Limits()).finish()

    def start_game(self) -> None:
        """Reset both clocks, and let players that choose at random play another game."""
        self._number += 1
        self.clocks = {colour: clock.begun() for colour, clock in self.clocks.items()}


def bind(session: Session, actions: Mapping[str, Action]) -> dict[str, Handler]:
    """Return a handler for each action, by name."""
    return {name: partial(action, session) for name, action in actions.items()}
