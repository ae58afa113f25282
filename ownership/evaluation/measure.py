"""Measurements of a model in each position of a table of games."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game_datasets.batches import Batch
from game_datasets.evaluation_positions import Positions, table_planes, tenths
from game_datasets.game_table import GameTable
from goban.coords import BLACK, WHITE
from goban.counting.expected_score import logistic_probability
from goban.move_kernels import legal_points
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.evaluation.metrics import (
    Calibration,
    Float64,
    SidesDisagreement,
    accuracy_of_all,
    blocks_right,
    brier,
    calibration,
    chain_spread,
    point_accuracy,
    policy_entropy,
    policy_rank,
    stones_right,
    sure_and_wrong,
)
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.inference.prediction import Outputs
from ownership.inference.score_calibration import calibrated, unsettled_shares
from planes.feature_sets import FeatureSet

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]
Watch = Callable[[Iterator[Batch], int], Iterator[Batch]]


@dataclass(frozen=True, eq=False)
class Owners:
    """Measurements of the ownership in each of P positions, float64 (P,); NaN where it is not known.

    Attributes:
        accuracy: share of decided points.
        accuracy_of_all: share of all points, an undecided one counting half.
        brier: Brier score over decided points.
        sure_and_wrong: share of decided points given with more than SURE to the wrong side.
        stones_right: whether every stone on a decided point has the right owner, 1 or 0; NaN where there is none.
        blocks_right: share of chains on decided points whose life or death is right; NaN where there is none.
        chain_spread: how far stones are from the mean of their chain.
        expected: predicted score in points, Black minus White with komi.
        deviation: its standard deviation in points; NaN for a model without.
        unsettled: mean of 1 - |ownership|.
        spread: of a head of margins, in points; NaN for a model without.
        score: final score in points, Black minus White with komi.
        wins: predicted probability that Black wins, of models with a lead; else NaN.
        won: 1 where Black wins, 0 where White does, 0.5 for a draw.
        calibration: of the owners of decided points.
        disagreement: between the predictions with either side to move, where both are evaluated.
    """

    accuracy: Float64
    accuracy_of_all: Float64
    brier: Float64
    sure_and_wrong: Float64
    stones_right: Float64
    blocks_right: Float64
    chain_spread: Float64
    expected: Float64
    deviation: Float64
    unsettled: Float64
    spread: Float64
    score: Float64
    wins: Float64
    won: Float64
    calibration: Calibration
    disagreement: SidesDisagreement | None = None


@dataclass(frozen=True, eq=False)
class PredictedMoves:
    """Measurements of the policy in each of P positions.

    Attributes:
        rank: place of the move that was played among the moves by their policy, from 1, int64 (P,); 0 where no stone is
            played.
        entropy: of the policy in bits, float64 (P,).
        illegal: whether its first choice is not legal, bool (P,).
        chance: probability of the first choice, float64 (P,).
        right: whether the first choice is the move of the game, or pass, float64 (P,) of 1 and 0; NaN without a move.
    """

    rank: Integers
    entropy: Float64
    illegal: Booleans
    chance: Float64
    right: Float64


@dataclass(frozen=True, eq=False)
class Measurements:
    """Measurements of each of P positions, in the order of evaluation.

    Attributes:
        game: row of the table, int64 (P,).
        record: `GameTable.records` of that row, int64 (P,).
        ply: moves played, int64 (P,).
        moves: length of the game in moves, int64 (P,).
        side: board side, int64 (P,).
        dataset: which of the table's datasets the game comes from, int64 (P,).
        dan: rank of the side to move, int64 (P,), 0 where it is not known.
        owners: of the ownership; None for a model without.
        policy: of the policy; None for a model without.
    """

    game: Integers
    record: Integers
    ply: Integers
    moves: Integers
    side: Integers
    dataset: Integers
    dan: Integers
    owners: Owners | None = None
    policy: PredictedMoves | None = None

    @property
    def tenth(self) -> NDArray[np.int64]:
        """The tenth of its game in which each position lies, int64 (P,), 0 to 9."""
        return tenths(self.ply, self.moves)


def unwatched(batches: Iterator[Batch], _: int) -> Iterator[Batch]:
    """Return the batches."""
    return batches


def measure_games(
    evaluator: Evaluator, table: GameTable, positions: Positions, symmetries: int = 1, watch: Watch = unwatched
) -> Measurements:
    """Return measurements of a model in positions of a table.

    Args:
        evaluator: the model.
        table: the games.
        positions: of the table; of one board side after the other or in any order.
        symmetries: 1 measures the network alone, 8 its average over the symmetries of the board.
        watch: takes the batches and the number of positions, and yields the batches, as they are or changed.
    """
    features = FeatureSet("none", ()) if evaluator.reads_terms else evaluator.feature_set
    batches = table_planes(table, *positions, features, chains=True, batch_size=MAX_BATCH)
    by_batches = measure_positions if evaluator.reads_terms else measure
    return by_batches(evaluator, table, watch(batches, len(positions.games)), symmetries)


def measure(evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1) -> Measurements:
    """Return measurements of a model on positions of a table.

    Args:
        evaluator: the model.
        table: the games that the batches come from.
        batches: from `game_datasets.evaluation_positions.table_planes`, with the planes of the model and chain ids.
        symmetries: 1 measures the network alone, 8 its average over the symmetries of the board.
    """
    parts = []
    for batch in batches:
        assert batch.chains is not None
        evaluator.files.require_side(batch.planes.shape[1])
        outputs = evaluator.predict(batch.planes, batch.chains, symmetries)
        parts.append(measure_batch(table, batch, calibrated(outputs, evaluator.files.calibration)))
    return joined_measurements(parts)


def measure_positions(
    evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1
) -> Measurements:
    """Return the figures of `measure` for a model that reads terms; the planes of the batches are not read.

    Tables do not hold the rules: the model gets area rules and the game's komi.
    """
    parts = []
    for batch in batches:
        draws = list(zip(batch.game.tolist(), batch.ply.tolist(), strict=True))
        positions = [table.position(game, ply) for game, ply in draws]
        terms = [Terms(RULESETS["area"], float(table.komi[game])) for game, _ in draws]
        parts.append(measure_batch(table, batch, evaluator.outputs(positions, terms, symmetries)))
    return joined_measurements(parts)


def measure_both_sides(
    evaluator: Evaluator, table: GameTable, batches: Iterable[Batch], symmetries: int = 1
) -> Measurements:
    """Return the figures of `measure` for the mean of the predictions with Black and with White to move.

    Positions are shown as if they had been set up, without last moves and ko; no move is ranked.
    """
    parts = []
    for batch in batches:
        komi = table.komi[batch.game].astype(np.float64)
        terms = [Terms(RULESETS["area"], each) for each in komi.tolist()]
        answers = [
            evaluator.outputs([Position.from_stones(stones, colour) for stones in batch.stones], terms, symmetries)
            for colour in (BLACK, WHITE)
        ]
        # Both from the point of view of the side that is to move in the record, as the target is.
        other = batch.to_move[:, None, None] * np.array([BLACK, WHITE])[:, None, None, None] < 0
        seen = np.stack([each["ownership"] for each in answers])
        seen = np.where(other, 1 - seen, seen)
        mean = {"ownership": seen.mean(axis=0)}
        if "deviation" in answers[0]:
            mean["deviation"] = np.mean([each["deviation"] for each in answers], axis=0)
        leads = [_black_leads(each, colour, komi) for each, colour in zip(answers, (BLACK, WHITE), strict=True)]
        if known := [each for each in leads if each is not None]:
            mean["lead"] = np.mean(known, axis=0) * batch.to_move
        measured = measure_batch(table, batch, mean)
        assert measured.owners is not None
        owners = replace(measured.owners, disagreement=SidesDisagreement.of(seen, batch.target))
        parts.append(replace(measured, owners=owners))
    return joined_measurements(parts)


def measure_batch(table: GameTable, batch: Batch, predicted: Outputs) -> Measurements:
    """Return measurements of predictions about a batch of positions of a table.

    Args:
        table: the games that the batch comes from.
        batch: B positions, with chain ids.
        predicted: where the network has them, `ownership` float32 (B, N, N), the probability that the side to move owns
            the point, `policy` float32 (B, M), `deviation` float32 (B,) in points, and one of `margin` and `lead`, as
            `Evaluator.outputs` has them.
    """
    return Measurements(
        game=batch.game.astype(np.int64),
        record=table.records[batch.game],
        ply=batch.ply.astype(np.int64),
        moves=table.lengths[batch.game],
        side=table.side[batch.game].astype(np.int64),
        dataset=table.dataset[batch.game].astype(np.int64),
        dan=table.ranks[batch.game, (batch.to_move < 0).astype(np.int64)].astype(np.int64),
        owners=_owners(table, batch, predicted) if "ownership" in predicted else None,
        policy=_policy(batch, predicted["policy"]) if "policy" in predicted else None,
    )


def _owners(table: GameTable, batch: Batch, predicted: Outputs) -> Owners:
    probability = predicted["ownership"]
    ownership = (2 * probability - 1) * batch.to_move[:, None, None]
    komi = table.komi[batch.game].astype(np.float64)
    leads = _black_leads(predicted, batch.to_move, komi)
    unknown = np.full(len(ownership), np.nan)
    stones, known = batch.stones != 0, np.where(batch.labelled, 1.0, np.nan)
    apart = blocks = unknown
    if batch.chains is not None:
        apart = chain_spread(probability, batch.chains)
        blocks = known * blocks_right(probability, batch.target, stones, batch.chains)
    score = known * table.score[batch.game].astype(np.float64)
    return Owners(
        accuracy=known * point_accuracy(probability, batch.target),
        accuracy_of_all=known * accuracy_of_all(probability, batch.target),
        brier=known * brier(probability, batch.target),
        sure_and_wrong=known * sure_and_wrong(probability, batch.target),
        stones_right=known * stones_right(probability, batch.target, stones),
        blocks_right=blocks,
        chain_spread=apart,
        expected=ownership.sum(axis=(1, 2), dtype=np.float64) - komi if leads is None else leads,
        deviation=predicted.get("deviation", unknown).astype(np.float64),
        unsettled=unsettled_shares(probability),
        spread=predicted["margin"][:, 1].astype(np.float64) if "margin" in predicted else unknown,
        score=score,
        wins=_black_wins(predicted, batch.to_move, leads),
        won=(1 + np.sign(score)) / 2,
        calibration=calibration(probability, batch.target),
    )


def _black_leads(predicted: Outputs, to_move: NDArray[np.integer[Any]] | int, komi: Float64) -> Float64 | None:
    """Return Black's leads with komi, (B,), as networks of KataGo and heads of margins give them; None for others."""
    if "margin" in predicted:
        return (predicted["margin"][:, 0] * to_move - komi).astype(np.float64)
    return (predicted["lead"] * to_move).astype(np.float64) if "lead" in predicted else None


def _black_wins(predicted: Outputs, to_move: NDArray[np.integer[Any]], leads: Float64 | None) -> Float64:
    """Return Black's chances to win, (B,), given Black's leads; NaN from models that predict none."""
    if "margin" in predicted and leads is not None:
        wins: Float64 = np.vectorize(logistic_probability, [float])(leads, predicted["margin"][:, 1])
        return wins
    if "win_rate" in predicted:
        return 0.5 + (predicted["win_rate"].astype(np.float64) - 0.5) * to_move
    return np.full(len(to_move), np.nan)


def _policy(batch: Batch, policy: NDArray[np.float32]) -> PredictedMoves:
    stone = np.where(batch.move < batch.target[0].size, batch.move, -1).astype(np.int16)
    first, side = policy.argmax(axis=1), batch.stones.shape[1]
    boards = zip(batch.stones.reshape(len(first), -1), batch.to_move.tolist(), batch.ko.tolist(), strict=True)
    legal = np.stack([legal_points(side, stones, colour, ko, False) for stones, colour, ko in boards])
    return PredictedMoves(
        rank=policy_rank(policy, stone),
        entropy=policy_entropy(policy),
        illegal=~np.take_along_axis(legal, first[:, None], axis=1)[:, 0],
        chance=policy.max(axis=1).astype(np.float64),
        right=np.where(batch.move >= 0, first == batch.move, np.nan),
    )


def joined_measurements(parts: Sequence[Measurements]) -> Measurements:
    """Return the measurements of all parts, one after the other."""
    policies = [part.policy for part in parts if part.policy is not None]
    return Measurements(
        **_end_to_end(parts, ("owners", "policy")),
        owners=_joined_owners([part.owners for part in parts if part.owners is not None]),
        policy=PredictedMoves(**_end_to_end(policies)) if policies else None,
    )


def _joined_owners(parts: Sequence[Owners]) -> Owners | None:
    if not parts:
        return None
    disagreements = [part.disagreement for part in parts if part.disagreement is not None]
    return Owners(
        **_end_to_end(parts, ("calibration", "disagreement")),
        calibration=Calibration.joined([part.calibration for part in parts]),
        disagreement=SidesDisagreement.total(disagreements) if disagreements else None,
    )


def _end_to_end(parts: Sequence[Any], without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the arrays of dataclasses of one kind, by field, one part after the other."""
    names = [field.name for field in fields(parts[0]) if field.name not in without]
    return {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
