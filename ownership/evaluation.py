"""How good ownership predictions are: metrics over positions, and the report that `ownership evaluate` prints.

Only decided points count, those that somebody owned in the end; a position counts as much as any other, however
many of its points are decided. docs/evaluation.md defines every number.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ownership.estimate import INTERVAL, score_deviation
from ownership.evaluator import Evaluator
from preprocessing.dataset import GameTable
from preprocessing.sampler import Batch

BINS = 20
TENTHS = 10

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Decided points by predicted probability, in `BINS` equal bins from 0 to 1.

    points: how many. predicted: the sum of their probabilities. observed: how many the prediction was about to
    come true. All float64 (BINS,).
    """

    points: Floats
    predicted: Floats
    observed: Floats

    @property
    def error(self) -> float:
        """Expected calibration error: mean of |predicted - observed share|, weighted by points."""
        return float(np.abs(self.predicted - self.observed).sum() / self.points.sum())


@dataclass(frozen=True, eq=False)
class Measurements:
    """What was measured in each of P positions, in the order of evaluation.

    accuracy, brier: float64 (P,). expected, deviation: the predicted score, Black minus White with komi, and its
    standard deviation. score: the final one. ply: moves played. moves: length of the game. side: of the board.
    """

    accuracy: Floats
    brier: Floats
    expected: Floats
    deviation: Floats
    score: Floats
    ply: NDArray[np.int64]
    moves: NDArray[np.int64]
    side: NDArray[np.int64]
    calibration: Calibration


def accuracy(probability: NDArray[np.float32], target: NDArray[np.int8]) -> Floats:
    """Return float64 (B,), the share of decided points on the right side of one half.

    Args:
        probability: (B, N, N) in [0, 1], that the point's target is +1.
        target: int8 (B, N, N) of +1, -1 and, for undecided points, 0. At least one point a position is decided.
    """
    right = np.where(target > 0, probability > 0.5, probability < 0.5)
    return _mean_over_decided(right, target)


def brier(probability: NDArray[np.float32], target: NDArray[np.int8]) -> Floats:
    """Return float64 (B,), the mean squared error of the probabilities over decided points; as `accuracy`."""
    return _mean_over_decided(np.square(probability - (target > 0), dtype=np.float64), target)


def calibration(probability: NDArray[np.float32], target: NDArray[np.int8]) -> Calibration:
    """Return the decided points of a batch in bins; arguments as for `accuracy`."""
    decided = target != 0
    chosen, observed = probability[decided].astype(np.float64), target[decided] > 0
    bins = np.minimum((chosen * BINS).astype(np.int64), BINS - 1)
    weights = (np.ones(len(chosen)), chosen, observed)
    return Calibration(*(np.bincount(bins, weight, BINS).astype(np.float64) for weight in weights))


def measure(evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1) -> Measurements:
    """Return what a model is worth on positions of a table.

    Args:
        evaluator: the model.
        table: the games that the batches come from.
        batches: from `preprocessing.sampler.table_planes`, with the planes of the model and with chain ids.
        symmetries: 1 measures the network alone, 8 its average over the symmetries of the board.
    """
    return _joined([_measure_batch(evaluator, table, batch, symmetries) for batch in batches])


def report(measured: Measurements) -> dict[str, Any]:
    """Return all figures as JSON values: overall, by move number, by tenth of the game, by board side, calibration."""
    tenth = np.minimum(TENTHS * measured.ply // np.maximum(measured.moves, 1), TENTHS - 1)
    everything = np.ones(len(measured.ply), np.bool_)
    tally = measured.calibration
    return {
        "positions": len(measured.ply),
        **_figures(measured, everything),
        "calibration_error": tally.error,
        "by_move": _grouped(measured, "move", measured.ply),
        "by_tenth": _grouped(measured, "tenth", tenth + 1),
        "by_side": _grouped(measured, "side", measured.side),
        "calibration": [
            {"predicted": predicted / points, "observed": observed / points, "points": int(points)}
            for points, predicted, observed in zip(tally.points, tally.predicted, tally.observed, strict=True)
            if points
        ],
    }


def as_table(figures: Mapping[str, Any], step: int = 50) -> str:
    """Return a report as text; of the move numbers only the multiples of `step`."""
    lines = [f"{'':14}positions  accuracy   Brier  score error  in 90% interval"]
    lines.append(_row("all", figures))
    lines += [_row(f"move {row['move']}", row) for row in figures["by_move"] if row["move"] % step == 0]
    lines += [_row(f"tenth {row['tenth']}", row) for row in figures["by_tenth"]]
    if len(figures["by_side"]) > 1:
        lines += [_row(f"{row['side']}x{row['side']}", row) for row in figures["by_side"]]
    lines.append(
        f"\ncalibration error {figures['calibration_error']:.4f}\n\n{'predicted':>10} {'observed':>9} {'points':>9}"
    )
    lines += [f"{row['predicted']:10.3f} {row['observed']:9.3f} {row['points']:9}" for row in figures["calibration"]]
    return "\n".join(lines)


def _mean_over_decided(values: NDArray[Any], target: NDArray[np.int8]) -> Floats:
    decided = target != 0
    mean: Floats = np.sum(values * decided, axis=(1, 2), dtype=np.float64) / decided.sum(axis=(1, 2))
    return mean


def _measure_batch(evaluator: Evaluator, table: GameTable, batch: Batch, symmetries: int) -> Measurements:
    assert batch.chains is not None
    probability = evaluator.probabilities(batch.planes, batch.chains, symmetries)
    ownership = (2 * probability - 1) * _to_move(table, batch)[:, None, None]
    return Measurements(
        accuracy=accuracy(probability, batch.target),
        brier=brier(probability, batch.target),
        expected=ownership.sum(axis=(1, 2), dtype=np.float64) - table.komi[batch.game],
        deviation=np.array([score_deviation(each) for each in ownership]),
        score=table.score[batch.game].astype(np.float64),
        ply=batch.ply.astype(np.int64),
        moves=np.diff(table.move_offset)[batch.game],
        side=table.side[batch.game].astype(np.int64),
        calibration=calibration(probability, batch.target),
    )


def _joined(parts: Sequence[Measurements]) -> Measurements:
    names = [field.name for field in fields(Measurements) if field.name != "calibration"]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    tallies = [part.calibration for part in parts]
    bins = [[tally.points, tally.predicted, tally.observed] for tally in tallies]
    return Measurements(**arrays, calibration=Calibration(*np.sum(bins, axis=0)))


def _to_move(table: GameTable, batch: Batch) -> NDArray[np.int8]:
    """Return int8 (B,): the colour that moves next in the record, at its end the one that did not move last."""
    colours = []
    for game, ply in zip(batch.game.tolist(), batch.ply.tolist(), strict=True):
        start, end = table.move_offset[game : game + 2].tolist()
        if start + ply < end:
            colours.append(1 - 2 * (int(table.moves[start + ply]) & 1))
        else:
            colours.append(2 * (int(table.moves[end - 1]) & 1) - 1 if ply else 1)
    return np.array(colours, np.int8)


def _figures(measured: Measurements, chosen: NDArray[np.bool_]) -> dict[str, float]:
    error = np.abs(measured.expected - measured.score)[chosen]
    within = error <= INTERVAL * measured.deviation[chosen]
    return {
        "accuracy": float(measured.accuracy[chosen].mean()),
        "brier": float(measured.brier[chosen].mean()),
        "score_error": float(error.mean()),
        "score_coverage": float(within.mean()),
    }


def _grouped(measured: Measurements, name: str, keys: NDArray[np.int64]) -> list[dict[str, Any]]:
    rows = []
    for key in np.unique(keys).tolist():
        chosen = keys == key
        rows.append({name: key, "positions": int(chosen.sum()), **_figures(measured, chosen)})
    return rows


def _row(name: str, figures: Mapping[str, Any]) -> str:
    return (
        f"{name:14}{figures['positions']:9}  {figures['accuracy']:8.2%}  {figures['brier']:.4f}"
        f"  {figures['score_error']:11.2f}  {figures['score_coverage']:15.1%}"
    )
