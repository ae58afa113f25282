"""Resigned games played on to their ends by a model, so that they can be counted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from ownership.inference.evaluator import own_evaluator
from ownership.scoring.score_games import score_game
from ownership.selfplay.branched_game_plans import continuation
from ownership.selfplay.policy_games import play_games, refusal_of
from preprocessing.rejection_reasons import Rejected


@dataclass(frozen=True)
class ModelFinisher:
    """A `preprocessing.labeller.GameFinisher` that plays as `ownership selfplay` does.

    Attributes:
        place: name or directory, present on every worker.
    """

    place: str

    def play_out(self, game: GameRecord) -> NDArray[np.int8]:
        """Return the owners, int8 (N, N), at the end of a game played on; raise Rejected if they are not certain."""
        evaluator = own_evaluator(self.place)
        [played] = play_games([continuation(game)], evaluator, lambda _: None)
        answer = score_game(played, evaluator)
        if refusal := refusal_of(answer.game, answer.estimate):
            raise Rejected(*refusal)
        return answer.estimate.owner
