"""Measurements of a few positions, as `measure` returns them."""

import numpy as np

from ownership.evaluation.measure import (
    Measurements,
    Owners,
    PredictedMoves,
)
from ownership.evaluation.metrics import BINS, Calibration


def measurements() -> Measurements:
    """Return three positions: two of a game of 100 moves on 9x9, the end of one of 50 moves on 19x19."""
    tally = Calibration(bins([4], [0, 3], [0, 3]), bins([1], [0, 2.5], [0, 2.5]), bins([1], [0, 3], [0, 3]))
    owners = Owners(
        accuracy=np.array([0.5, 1.0, 0.75]),
        accuracy_of_all=np.array([0.5, 0.9, 0.98]),
        brier=np.array([0.25, 0.05, 0.1]),
        sure_and_wrong=np.array([0.0, 0.25, 0.5]),
        stones_right=np.array([1.0, 0.0, 1.0]),
        blocks_right=np.array([np.nan, 0.5, 1.0]),
        chain_spread=np.array([np.nan, 0.1, 0.3]),
        expected=np.array([0.0, 8.0, -3.0]),
        deviation=np.array([10.0, 1.0, 0.5]),
        unsettled=np.array([0.0, 0.5, 0.1]),
        spread=np.full(3, np.nan),
        score=np.array([7.5, 7.5, -5.0]),
        wins=np.array([0.5, 0.96, 0.2]),
        won=np.array([1.0, 1.0, 0.0]),
        calibration=tally,
    )
    policy = PredictedMoves(
        rank=np.array([1, 6, 0]),
        entropy=np.array([2.0, 4.0, 8.0]),
        illegal=np.array([False, True, True]),
        chance=np.array([0.9, 0.3, 0.1]),
        right=np.array([1.0, 0.0, np.nan]),
    )
    return Measurements(
        game=np.array([0, 0, 1]),
        record=np.array([0, 0, 1]),
        ply=np.array([0, 50, 50]),
        moves=np.array([100, 100, 50]),
        side=np.array([9, 9, 19]),
        dataset=np.array([0, 1, 1]),
        dan=np.array([9, 8, 9]),
        owners=owners,
        policy=policy,
    )


def bins(*rows: list[float]) -> np.ndarray:
    """Return rows filled up with zeros to the bins of a calibration."""
    return np.array([row + [0] * (BINS - len(row)) for row in rows], np.float64)
