"""How good ownership predictions are: metrics over positions, and the report that `ownership evaluate` prints.

Only decided points count, those that somebody owned in the end; a position counts as much as any other, however
many of its points are decided. docs/evaluation.md defines every number.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.counting.expected import INTERVAL, score_deviation
from ownership.inference.evaluator import Evaluator, Outputs
from preprocessing.dataset.sampler import Batch
from preprocessing.dataset.table import GameTable

BINS = 20
TENTHS = 10
TOP = (1, 5, 10)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """Decided points by predicted probability, in `BINS` equal bins from 0 to 1.

    points: how many. predicted: the sum of their probabilities. observed: how many the prediction was about to
    come true. All float64 (BINS,), of the whole or of a part of the game.
    """

    points: Floats
    predicted: Floats
    observed: Floats

    @property
    def error(self) -> float:
        """Expected calibration error: mean of |predicted - observed share|, weighted by points."""
        return float(np.abs(self.predicted - self.observed).sum() / self.points.sum())

    @classmethod
    def total(cls, parts: Iterable["Calibration"]) -> "Calibration":
        """Return the calibration over all parts."""
        return cls(*np.sum([[part.points, part.predicted, part.observed] for part in parts], axis=0))


@dataclass(frozen=True, eq=False)
class Measurements:
    """What was measured in each of P positions, in the order of evaluation.

    accuracy, brier: float64 (P,). expected, deviation: the predicted score, Black minus White with komi, and its
    standard deviation. score: the final one. ply: moves played. moves: length of the game. side: of the board.
    rank: int64 (P,), place of the move that was played among the moves by their policy, from 1; 0 where no
    stone is played or there is no policy. calibration: for each tenth of the game.
    """

    accuracy: Floats
    brier: Floats
    expected: Floats
    deviation: Floats
    score: Floats
    ply: NDArray[np.int64]
    moves: NDArray[np.int64]
    side: NDArray[np.int64]
    rank: NDArray[np.int64]
    calibration: tuple[Calibration, ...]

    @property
    def tenth(self) -> NDArray[np.int64]:
        """The tenth of its game in which each position lies, int64 (P,), 0 to 9."""
        return tenths(self.ply, self.moves)


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


def policy_rank(policy: NDArray[np.float32], move: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return the place of the move among all by their probability, int64 (B,) from 1, ties counting against it.

    policy: (B, M). move: int16 (B,), -1 for none, which gives 0.
    """
    played = np.take_along_axis(policy, np.maximum(move, 0)[:, None].astype(np.int64), axis=1)
    rank: NDArray[np.int64] = np.where(move < 0, 0, (policy >= played).sum(axis=1, dtype=np.int64))
    return rank


def tenths(ply: NDArray[np.int64], moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tenth of the game, 0 to 9, after `ply` of `moves` moves; the end belongs to the last."""
    return np.minimum(TENTHS * ply // np.maximum(moves, 1), TENTHS - 1)


def measure(evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1) -> Measurements:
    """Return what a model is worth on positions of a table.

    Args:
        evaluator: the model.
        table: the games that the batches come from.
        batches: from `preprocessing.dataset.sampler.table_planes`, with the planes of the model and with chain ids.
        symmetries: 1 measures the network alone, 8 its average over the symmetries of the board.
    """
    parts = []
    for batch in batches:
        assert batch.chains is not None
        parts.append(measure_batch(table, batch, evaluator.predict(batch.planes, batch.chains, symmetries)))
    return joined(parts)


def measure_batch(table: GameTable, batch: Batch, predicted: Outputs) -> Measurements:
    """Return what predictions about a batch of positions of a table are worth."""
    ownership = (2 * predicted["ownership"] - 1) * _to_move(table, batch)[:, None, None]
    ply, moves = batch.ply.astype(np.int64), np.diff(table.move_offset)[batch.game]
    tenth = tenths(ply, moves)
    deviation = predicted.get("deviation")
    if deviation is None:
        deviation = np.array([score_deviation(each) for each in ownership], np.float32)
    stone = np.where(batch.move < batch.target[0].size, batch.move, -1).astype(np.int16)
    rank = policy_rank(predicted["policy"], stone) if "policy" in predicted else np.zeros(len(ply), np.int64)
    return Measurements(
        accuracy=accuracy(predicted["ownership"], batch.target),
        brier=brier(predicted["ownership"], batch.target),
        expected=ownership.sum(axis=(1, 2), dtype=np.float64) - table.komi[batch.game],
        deviation=deviation.astype(np.float64),
        score=table.score[batch.game].astype(np.float64),
        ply=ply,
        moves=moves,
        side=table.side[batch.game].astype(np.int64),
        rank=rank,
        calibration=tuple(
            calibration(predicted["ownership"][tenth == part], batch.target[tenth == part]) for part in range(TENTHS)
        ),
    )


def joined(parts: Sequence[Measurements]) -> Measurements:
    """Return the measurements of all parts, one after the other."""
    names = [field.name for field in fields(Measurements) if field.name != "calibration"]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    tallies = zip(*(part.calibration for part in parts), strict=True)
    return Measurements(**arrays, calibration=tuple(Calibration.total(tally) for tally in tallies))


def report(measured: Measurements) -> dict[str, Any]:
    """Return all figures as JSON values: overall, by move number, by tenth of the game, by board side, calibration."""
    everything = np.ones(len(measured.ply), np.bool_)
    tally = Calibration.total(measured.calibration)
    by_tenth = _grouped(measured, "tenth", measured.tenth + 1)
    for row in by_tenth:
        row["calibration_error"] = measured.calibration[row["tenth"] - 1].error
    return {
        "positions": len(measured.ply),
        **_figures(measured, everything),
        "calibration_error": tally.error,
        "by_move": _grouped(measured, "move", measured.ply),
        "by_tenth": by_tenth,
        "by_side": _grouped(measured, "side", measured.side),
        "calibration": [
            {"predicted": predicted / points, "observed": observed / points, "points": int(points)}
            for points, predicted, observed in zip(tally.points, tally.predicted, tally.observed, strict=True)
            if points
        ],
    }


def as_table(figures: Mapping[str, Any], step: int = 50) -> str:
    """Return a report as text; of the move numbers only the multiples of `step`."""
    policy = "".join(f"  top-{most:<3}" for most in TOP) if "top_1" in figures else ""
    lines = [f"{'':14}positions  accuracy   Brier  calibration  score error  in 90% interval{policy}"]
    lines.append(_row("all", figures))
    lines += [_row(f"move {row['move']}", row) for row in figures["by_move"] if row["move"] % step == 0]
    lines += [_row(f"tenth {row['tenth']}", row) for row in figures["by_tenth"]]
    if len(figures["by_side"]) > 1:
        lines += [_row(f"{row['side']}x{row['side']}", row) for row in figures["by_side"]]
    lines.append(f"\n{'predicted':>10} {'observed':>9} {'points':>9}")
    lines += [f"{row['predicted']:10.3f} {row['observed']:9.3f} {row['points']:9}" for row in figures["calibration"]]
    return "\n".join(lines)


def _mean_over_decided(values: NDArray[Any], target: NDArray[np.int8]) -> Floats:
    decided = target != 0
    mean: Floats = np.sum(values * decided, axis=(1, 2), dtype=np.float64) / decided.sum(axis=(1, 2))
    return mean


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
    rank = measured.rank[chosen]
    rank = rank[rank > 0]
    return {
        "accuracy": float(measured.accuracy[chosen].mean()),
        "brier": float(measured.brier[chosen].mean()),
        "score_error": float(error.mean()),
        "score_coverage": float(within.mean()),
        **({f"top_{most}": float((rank <= most).mean()) for most in TOP} if len(rank) else {}),
    }


def _grouped(measured: Measurements, name: str, keys: NDArray[np.int64]) -> list[dict[str, Any]]:
    rows = []
    for key in np.unique(keys).tolist():
        chosen = keys == key
        rows.append({name: key, "positions": int(chosen.sum()), **_figures(measured, chosen)})
    return rows


def _row(name: str, figures: Mapping[str, Any]) -> str:
    calibrated = f"{figures['calibration_error']:11.4f}" if "calibration_error" in figures else " " * 11
    policy = "".join(f"  {figures[f'top_{most}']:6.1%}" for most in TOP if f"top_{most}" in figures)
    return (
        f"{name:14}{figures['positions']:9}  {figures['accuracy']:8.2%}  {figures['brier']:.4f}  {calibrated}"
        f"  {figures['score_error']:11.2f}  {figures['score_coverage']:15.1%}{policy}"
    )
