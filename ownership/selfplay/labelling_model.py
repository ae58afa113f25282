"""The ownership model that labels games in `prepare`: workers get its name, and load it once in each thread."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.coords import BLACK, WHITE
from goban.position import Position
from ownership.inference.evaluator import own_evaluator
from ownership.inference.model_catalogue import find_model, place_of
from ownership.scoring.score_games import score_game
from ownership.selfplay.game_plans import continuation
from ownership.selfplay.policy_games import play_out, refusal_of
from preprocessing.labeller import Rejected


@dataclass(frozen=True)
class LabellingModel:
    """A model for `preprocessing.labeller.Labeller`.

    Attributes:
        place: name or directory, present on every worker.
        name: the model's own name and the first digits of its weights' hash, which the dataset keeps.
    """

    place: str
    name: str

    @classmethod
    def find(cls, place: str | Path | None = None) -> "LabellingModel":
        """Return the model of a name or a directory, or the default one; raise ModelError where there is none."""
        files = find_model(place)
        files.require_head("ownership", "labelling games")
        digest = hashlib.sha256(files.weights.read_bytes()).hexdigest()
        return cls(place_of(files) if place is None else str(place), f"{files.name} {digest[:8]}")

    def ownership(self, position: Position) -> NDArray[np.float32]:
        """Return float32 (N, N) in [-1, 1], the mean over both sides to move and all symmetries."""
        both = [Position.from_stones(position.stones, colour) for colour in (BLACK, WHITE)]
        mean: NDArray[np.float32] = own_evaluator(self.place).ownership(both, 8).mean(axis=0)
        return mean

    def play_out(self, game: GameRecord) -> NDArray[np.int8]:
        """Return the owners, int8 (N, N), at the end of a game played on as by `ownership selfplay`; raise Rejected."""
        evaluator = own_evaluator(self.place)
        [played] = play_out([continuation(game)], evaluator, lambda _: None)
        answer = score_game(played, evaluator)
        if refusal := refusal_of(answer.game, answer.estimate):
            raise Rejected(*refusal)
        return answer.estimate.owner
