"""An ownership model that is sent to workers by name and loaded there, once in each thread."""

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, WHITE
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.inference.files import find_model
from ownership.scoring.games import ScoredGame, ScoreOptions, score_games
from ownership.selfplay.ending import refusal_of
from ownership.selfplay.plan import continuation
from ownership.selfplay.play import play_out
from preprocessing.labels.labeller import Rejected
from preprocessing.records.game import GameRecord


@dataclass(frozen=True)
class LabellingModel:
    """A model for `preprocessing.labels.labeller.Labeller`.

    place: bundled name or directory, to be found on every worker. name: the model's own name and the first digits of
    its weights' hash, so that a dataset says which one it was.
    """

    place: str | None
    name: str

    @property
    def plays(self) -> bool:
        """Whether it knows moves, so that it can play games to the end."""
        return "policy" in find_model(self.place).network.heads

    @classmethod
    def find(cls, place: str | Path | None = None) -> "LabellingModel":
        """Return the bundled (default) model or that of a directory; raise ModelError where there is none."""
        files = find_model(place)
        digest = hashlib.sha256(files.weights.read_bytes()).hexdigest()
        return cls(None if place is None else str(place), f"{files.name} {digest[:8]}")

    def ownership(self, position: Position) -> NDArray[np.float32]:
        """Return float32 (N, N) in [-1, 1], the mean over both sides to move and all symmetries."""
        both = [Position.from_stones(position.stones, colour) for colour in (BLACK, WHITE)]
        mean: NDArray[np.float32] = _evaluator(self.place).ownership(both, 8).mean(axis=0)
        return mean

    def play_out(self, game: GameRecord) -> NDArray[np.int8]:
        """Return the owners, int8 (N, N), after playing on as `ownership selfplay` does; raise Rejected in doubt."""
        evaluator = _evaluator(self.place)
        scored = score_games(play_out([continuation(game)], evaluator, lambda _: None), evaluator, ScoreOptions())
        [answer] = scored
        assert isinstance(answer, ScoredGame)
        if refusal := refusal_of(answer.game, answer.estimate):
            raise Rejected(*refusal)
        return answer.estimate.owner


_loaded = threading.local()


def _evaluator(place: str | None) -> Evaluator:
    """Return this thread's own evaluator, which uses no other processor: there is a game for each."""
    evaluators: dict[str | None, Evaluator] = _loaded.__dict__.setdefault("evaluators", {})
    if place not in evaluators:
        evaluators[place] = Evaluator.load(place, threads=1, cached=0)
    return evaluators[place]
