"""The calibration of a model's score, fitted on games that it was not trained on.

The deviation is fitted by split conformal prediction (Vovk and others: Algorithmic learning in a random world, 2005;
Romano and others: Conformalized quantile regression, 2019): of n positions of one phase the ceil(0.9 (n + 1))-th
smallest |final score - lead| / (1.645 deviation) is the factor with which the 90% interval of a further position holds
its score with a probability of 90%, whatever the errors are like.

The spread is fitted by the log loss of the chance to win, and not by the distances of scores: heads of margins learn
who wins, and their spread is twice that of the scores. Where most games are won by the side that leads, results alone
would make the spread 0, so the logarithm of the factor is taken as normal with mean 0 and deviation 1/2 beforehand. The
positions of one game share its winner and together count as one.

Both depend on how unsettled the points are first, then on the deviation or spread itself: either alone leaves the
interval too wide in a part of the game or too narrow. The share of points with stones does not tell a game that ends
soon from one that goes on.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.evaluation_positions import Positions, evaluation_positions
from game_datasets.game_table import GameTable
from goban.counting.expected_score import INTERVAL
from ownership.evaluation.measure import Integers, Owners, Watch, measure_games, unwatched
from ownership.evaluation.metrics import Float64, log_loss
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_files import ModelFiles, write_calibration
from ownership.inference.score_calibration import MAX_FACTOR, Curve, Factors, ScoreCalibration, curve_at

COVERAGE: Final = 0.9
POSITIONS: Final = 6000  # of each board side
_BINS: Final = 12
_LEAST_POSITIONS: Final = 50  # of a bin
_PRIOR: Final = 0.5  # deviation of the logarithm of a factor on the spread
_GRID: Final = np.exp(np.linspace(-1.5, 1.5, 301))  # factors on the spread
_DIGITS: Final = 4

_Fit = Callable[[NDArray[np.intp]], float]


def fit_calibration(
    files: ModelFiles, table: GameTable, positions: int = POSITIONS, symmetries: int = 8, watch: Watch = unwatched
) -> dict[int, ScoreCalibration]:
    """Return the calibration of a model by board side.

    Args:
        files: the model, with a score head.
        table: labelled games that it was not trained on.
        positions: the most that are used of each board side, spread evenly over the games.
        symmetries: as positions will be evaluated.
        watch: takes the batches and the number of positions, and yields the batches.

    Raises:
        InputError: the model has no score head.
    """
    files.require_head("score", "calibration")
    evaluator = Evaluator(replace(files, calibration={}), cached=0)
    measured = measure_games(evaluator, table, _spread_positions(table, positions), symmetries, watch)
    owners, side = measured.owners, measured.side
    assert owners is not None
    known = ~np.isnan(owners.score)
    return {int(each): _of_side(owners, measured.record, known & (side == each)) for each in np.unique(side[known])}


def calibrate(
    files: ModelFiles, table: GameTable, positions: int = POSITIONS, symmetries: int = 8, watch: Watch = unwatched
) -> dict[int, ScoreCalibration]:
    """Write the calibration that `fit_calibration` finds into the `model.json` of the model, and return it.

    The model keeps its factors of board sides that the table does not have.

    Raises:
        InputError: the model has no score head.
        OSError: the file cannot be written.
    """
    calibration = fit_calibration(files, table, positions, symmetries, watch)
    write_calibration(files, {**files.calibration, **calibration})
    return calibration


def conformal_factor(distances: Float64) -> float:
    """Return the factor on deviations with which 90% of further distances are at most 1.

    Args:
        distances: (n,), |final score - lead| / (1.645 deviation); the largest is the answer if there are too few.
    """
    rank = min(ceil(COVERAGE * (len(distances) + 1)), len(distances))
    return float(np.sort(distances)[rank - 1])


def log_loss_factor(slopes: Float64, won: Float64, games: int) -> float:
    """Return the factor on the spreads of logistic distributions with which the chances to win have least log loss.

    Args:
        slopes: (n,), the lead divided by the spread.
        won: (n,), 1 for a win, 0 for a loss, 0.5 for a draw.
        games: how many the positions are from.
    """
    chances = 0.5 * (1 + np.tanh(slopes / (2 * _GRID[:, None])))
    losses = games * log_loss(chances, won).mean(axis=1) + np.square(np.log(_GRID) / _PRIOR) / 2
    return float(_GRID[losses.argmin()])


def fit_deviation(deviation: Float64, unsettled: Float64, distance: Float64) -> Factors:
    """Return the factors of deviations, given `unsettled_shares` and |final score - lead|; all (n,)."""
    ratios = distance / (INTERVAL * deviation)
    by_unsettled = _curve(unsettled, lambda part: conformal_factor(ratios[part]))
    left = ratios / curve_at(by_unsettled, unsettled)
    return Factors(by_unsettled, _curve(deviation, lambda part: conformal_factor(left[part])))


def fit_spread(spread: Float64, unsettled: Float64, lead: Float64, won: Float64, game: Integers) -> Factors:
    """Return the factors of spreads, given `unsettled_shares`, the leads, who won and games; all (n,)."""

    def factor(slopes: Float64, part: NDArray[np.intp]) -> float:
        return log_loss_factor(slopes[part], won[part], len(np.unique(game[part])))

    slopes = lead / spread
    by_unsettled = _curve(unsettled, partial(factor, slopes))
    return Factors(by_unsettled, _curve(spread, partial(factor, slopes / curve_at(by_unsettled, unsettled))))


def _of_side(owners: Owners, record: Integers, chosen: NDArray[np.bool_]) -> ScoreCalibration:
    lead, unsettled = owners.expected[chosen], owners.unsettled[chosen]
    deviation = fit_deviation(owners.deviation[chosen], unsettled, np.abs(owners.score[chosen] - lead))
    spread = owners.spread[chosen]
    if np.isnan(spread).any():
        return ScoreCalibration(deviation)
    return ScoreCalibration(deviation, fit_spread(spread, unsettled, lead, owners.won[chosen], record[chosen]))


def _curve(values: Float64, fit: _Fit) -> Curve:
    """Return the factors that `fit` finds for bins with equally many positions, at their medians."""
    bins = min(max(len(values) // _LEAST_POSITIONS, 1), _BINS)
    parts = np.array_split(np.argsort(values, kind="stable"), bins)
    return tuple((_rounded(float(np.median(values[part]))), _rounded(_bounded(fit(part)))) for part in parts)


def _bounded(factor: float) -> float:
    return min(max(factor, 1 / MAX_FACTOR), MAX_FACTOR)


def _rounded(value: float) -> float:
    return round(value, _DIGITS)


def _spread_positions(table: GameTable, most: int) -> Positions:
    """Return positions of a table, at most `most` of each board side, spread evenly."""
    every = evaluation_positions(table)
    side = table.side[every.games]
    parts: list[NDArray[Any]] = []
    for each in np.unique(side):
        rows = np.flatnonzero(side == each)
        parts.append(rows[np.unique(np.linspace(0, len(rows) - 1, most).astype(int))])
    rows = np.concatenate(parts)
    return Positions(every.games[rows], every.plies[rows])
