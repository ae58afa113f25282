"""Positions on which an exported network is compared with that of Keras where no dataset is at hand."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import DEFAULT

SIDES: Final = (9, 13, 19)
_GAMES: Final = 8  # of each side
_SHOWN: Final = 8  # positions of each game
_LENGTH: Final = 0.8  # moves of a game for each point of the board


def positions_of_all_stages(sides: Sequence[int] | None = None) -> Iterator[list[Position]]:
    """Yield positions of one board side, by default each of SIDES, and move number, in games by a bundled model."""
    evaluator = Evaluator.load(DEFAULT)
    random = np.random.default_rng(0)
    for side in sides or SIDES:
        positions = [Position.empty(side)] * _GAMES
        length = int(_LENGTH * side * side)
        shown = set(np.linspace(1, length, _SHOWN).astype(int).tolist())
        for ply in range(1, length + 1):
            predictions = evaluator.evaluate(positions)
            policies = [np.asarray(each.policy, np.float64) for each in predictions]
            points = [int(random.choice(len(each), p=each / each.sum())) for each in policies]
            positions = [position.play(point) for position, point in zip(positions, points, strict=True)]
            if ply in shown:
                yield positions
