"""What a model gets right in each position of a table of games, measured."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, WHITE
from goban.counting.expected import score_deviation
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.evaluation.metrics import (
    Calibration,
    Disagreement,
    Floats,
    accuracy,
    brier,
    calibration,
    policy_rank,
    stones_right,
    sure_and_wrong,
)
from ownership.inference.evaluator import Evaluator, Outputs
from preprocessing.dataset.sampler import Batch
from preprocessing.dataset.table import GameTable

TENTHS = 10


@dataclass(frozen=True, eq=False)
class Measurements:
    """What was measured in each of P positions, in the order of evaluation.

    Attributes:
        accuracy: share of decided points, float64 (P,).
        brier: Brier score over decided points, float64 (P,).
        sure_and_wrong: share of decided points given with more than SURE to the wrong side, float64 (P,).
        stones_right: whether every stone on a decided point has the right owner, bool (P,).
        expected: predicted score in points, Black minus White with komi, float64 (P,).
        deviation: its standard deviation in points, float64 (P,).
        score: final score in points, Black minus White with komi, float64 (P,).
        ply: moves played, int64 (P,).
        moves: length of the game in moves, int64 (P,).
        side: board side, int64 (P,).
        dataset: which of the table's datasets the game comes from, int64 (P,).
        rank: place of the move that was played among the moves by their policy, from 1, int64 (P,); 0 where no stone is
            played or there is no policy.
        calibration: for each tenth of the game.
        disagreement: between the predictions with either side to move, where both were asked for.
    """

    accuracy: Floats
    brier: Floats
    sure_and_wrong: Floats
    stones_right: NDArray[np.bool_]
    expected: Floats
    deviation: Floats
    score: Floats
    ply: NDArray[np.int64]
    moves: NDArray[np.int64]
    side: NDArray[np.int64]
    dataset: NDArray[np.int64]
    rank: NDArray[np.int64]
    calibration: tuple[Calibration, ...]
    disagreement: Disagreement | None = None

    @property
    def tenth(self) -> NDArray[np.int64]:
        """The tenth of its game in which each position lies, int64 (P,), 0 to 9."""
        return _tenths(self.ply, self.moves)


def measure(evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1) -> Measurements:
    """Return measurements of a model on positions of a table.

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


def measure_positions(
    evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1
) -> Measurements:
    """Return what `measure` does, for a model that reads terms; the planes of the batches are not read.

    Tables do not know the rules: the model is told of area rules and the game's komi.
    """
    parts = []
    for batch in batches:
        draws = list(zip(batch.game.tolist(), batch.ply.tolist(), strict=True))
        positions = [table.position(game, ply) for game, ply in draws]
        terms = [Terms(RULESETS["area"], float(table.komi[game])) for game, _ in draws]
        parts.append(measure_batch(table, batch, evaluator.outputs(positions, terms, symmetries)))
    return joined(parts)


def measure_both_sides(
    evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1
) -> Measurements:
    """Return what `measure` does, for the mean of the predictions with Black and with White to move.

    Positions are shown as if they had been set up, without last moves and ko; no move is ranked.
    """
    parts = []
    for batch in batches:
        draws = list(zip(batch.game.tolist(), batch.ply.tolist(), strict=True))
        terms = [Terms(RULESETS["area"], float(table.komi[game])) for game, _ in draws]
        asked = [
            evaluator.outputs(
                [Position.from_stones(table.stones(game, ply), colour) for game, ply in draws], terms, symmetries
            )
            for colour in (BLACK, WHITE)
        ]
        # Both from the point of view of the side that is to move in the record, as the target is.
        other = _to_move(table, batch)[:, None, None] * np.array([BLACK, WHITE])[:, None, None, None] < 0
        seen = np.stack([each["ownership"] for each in asked])
        seen = np.where(other, 1 - seen, seen)
        mean = {"ownership": seen.mean(axis=0)}
        if "deviation" in asked[0]:
            mean["deviation"] = np.mean([each["deviation"] for each in asked], axis=0)
        disagreement = Disagreement.of(seen, batch.target)
        parts.append(replace(measure_batch(table, batch, mean), disagreement=disagreement))
    return joined(parts)


def measure_batch(table: GameTable, batch: Batch, predicted: Outputs) -> Measurements:
    """Return measurements of predictions about a batch of positions of a table.

    Args:
        table: the games that the batch comes from.
        batch: B positions.
        predicted: `ownership` float32 (B, N, N), the probability that the side to move owns the point; where the
            network has them, `policy` float32 (B, M) and `deviation` float32 (B,) in points.
    """
    ownership = (2 * predicted["ownership"] - 1) * _to_move(table, batch)[:, None, None]
    ply, moves = batch.ply.astype(np.int64), np.diff(table.move_offset)[batch.game]
    tenth = _tenths(ply, moves)
    deviation = predicted.get("deviation")
    if deviation is None:
        deviation = np.array([score_deviation(each) for each in ownership], np.float32)
    stone = np.where(batch.move < batch.target[0].size, batch.move, -1).astype(np.int16)
    rank = policy_rank(predicted["policy"], stone) if "policy" in predicted else np.zeros(len(ply), np.int64)
    return Measurements(
        accuracy=accuracy(predicted["ownership"], batch.target),
        brier=brier(predicted["ownership"], batch.target),
        sure_and_wrong=sure_and_wrong(predicted["ownership"], batch.target),
        stones_right=stones_right(predicted["ownership"], batch.target, _stones(table, batch)),
        expected=ownership.sum(axis=(1, 2), dtype=np.float64) - table.komi[batch.game],
        deviation=deviation.astype(np.float64),
        score=table.score[batch.game].astype(np.float64),
        ply=ply,
        moves=moves,
        side=table.side[batch.game].astype(np.int64),
        dataset=table.dataset[batch.game].astype(np.int64),
        rank=rank,
        calibration=tuple(
            calibration(predicted["ownership"][tenth == part], batch.target[tenth == part]) for part in range(TENTHS)
        ),
    )


def joined(parts: Sequence[Measurements]) -> Measurements:
    """Return the measurements of all parts, one after the other."""
    tallied = {"calibration", "disagreement"}
    names = [field.name for field in fields(Measurements) if field.name not in tallied]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    tallies = zip(*(part.calibration for part in parts), strict=True)
    disagreements = [part.disagreement for part in parts if part.disagreement is not None]
    return Measurements(
        **arrays,
        calibration=tuple(Calibration.total(tally) for tally in tallies),
        disagreement=Disagreement.total(disagreements) if disagreements else None,
    )


def _tenths(ply: NDArray[np.int64], moves: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tenth of the game, 0 to 9, after `ply` of `moves` moves; the end belongs to the last."""
    return np.minimum(TENTHS * ply // np.maximum(moves, 1), TENTHS - 1)


def _stones(table: GameTable, batch: Batch) -> NDArray[np.bool_]:
    """Return bool (B, N, N): where stones are."""
    draws = zip(batch.game.tolist(), batch.ply.tolist(), strict=True)
    return np.stack([table.stones(game, ply) != 0 for game, ply in draws])


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
