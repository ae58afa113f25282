"""The positions of a dataset about which a model was most wrong."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable
from goban.position import Position
from ownership.evaluation.measure import Measurements, Owners
from ownership.inference.evaluator import Evaluator


@dataclass(frozen=True, eq=False)
class Mistake:
    """A position about which a model was wrong.

    Attributes:
        game: its id in the dataset, or where its record was read.
        ply: moves played.
        moves: length of the game in moves.
        position: the position.
        ownership: float32 (N, N), as predicted, +1 Black.
        target: int8 (N, N), the owner in the end, +1 Black, 0 neutral.
        accuracy: share of the decided points of this position.
        brier: Brier score over the decided points of this position.
        expected: predicted score in points, Black minus White with komi.
        score: final score in points, Black minus White with komi.
    """

    game: str
    ply: int
    moves: int
    position: Position
    ownership: NDArray[np.float32]
    target: NDArray[np.int8]
    accuracy: float
    brier: float
    expected: float
    score: float

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Points that the other player than the predicted one owned in the end, bool (N, N)."""
        opposed: NDArray[np.bool_] = self.target * self.ownership < 0
        return opposed


def worst_positions(evaluator: Evaluator, table: GameTable, measured: Measurements, most: int) -> list[Mistake]:
    """Return the positions, one a game at most, whose Brier score is furthest above the mean of their tenth of a game.

    Args:
        evaluator: the model.
        table: the games.
        measured: the measurements of its positions, by a model with an ownership, on labelled games.
        most: how many to return, the worst first.
    """
    import pandas as pd

    owners = measured.owners
    assert owners is not None
    positions = pd.DataFrame({"game": measured.game, "brier": owners.brier})
    positions["excess"] = positions["brier"] - positions.groupby(measured.tenth)["brier"].transform("mean")
    worst = positions.sort_values("excess", ascending=False, kind="stable").drop_duplicates("game")
    return [_mistake(evaluator, table, measured, owners, at) for at in worst.index[:most]]


def _mistake(evaluator: Evaluator, table: GameTable, measured: Measurements, owners: Owners, at: int) -> Mistake:
    game, ply = int(measured.game[at]), int(measured.ply[at])
    position = table.position(game, ply)
    return Mistake(
        game=table.ids[game],
        ply=ply,
        moves=int(measured.moves[at]),
        position=position,
        ownership=evaluator.ownership([position])[0],
        target=table.target_of(game),
        accuracy=float(owners.accuracy[at]),
        brier=float(owners.brier[at]),
        expected=float(owners.expected[at]),
        score=float(owners.score[at]),
    )
