"""How good predictions are: accuracy, Brier score, calibration and the rank of the move played, on numpy arrays.

Only decided points count, those that one side owned in the end; a position counts as much as any other, however many
of its points are decided. docs/models.md defines every number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 20
CONFIDENT = 0.95  # probability: |ownership| 0.9
DIFFERS = 0.25  # in probability
_LEAST_CHANCE = 1e-6  # a surer one counts as this: a wrong one would cost more than all others

Float64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calibration:
    """What was predicted about P positions by its probability, in K equal bins from 0 to 1.

    Attributes:
        points: how many predictions, such as those about decided points, float64 (P, K).
        predicted: the sum of their probabilities, float64 (P, K).
        observed: how many came true, float64 (P, K).
    """

    points: Float64
    predicted: Float64
    observed: Float64

    @property
    def error(self) -> float:
        """Expected calibration error: the mean of |predicted - observed share|, weighted by points."""
        apart = np.abs((self.predicted - self.observed).sum(axis=0))
        return float(apart.sum() / max(self.points.sum(), 1))

    def where(self, chosen: NDArray[np.bool_]) -> "Calibration":
        """Return that of the chosen positions, given as bool (P,)."""
        return Calibration(self.points[chosen], self.predicted[chosen], self.observed[chosen])

    @classmethod
    def joined(cls, parts: Sequence["Calibration"]) -> "Calibration":
        """Return that of the positions of all parts, one after the other."""
        rows = zip(*((part.points, part.predicted, part.observed) for part in parts), strict=True)
        return cls(*map(np.concatenate, rows))


@dataclass(frozen=True)
class SidesDisagreement:
    """Decided points by whether the predictions with Black and with White to move differ by more than DIFFERS.

    Attributes:
        points: how many.
        differ: how many differ.
        wrong: on how many the mean is on the wrong side of one half; one half exactly counts half.
        both: on how many both are so.
    """

    points: int
    differ: int
    wrong: float
    both: float

    @classmethod
    def of(cls, predicted: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> "SidesDisagreement":
        """Return the disagreement of a batch.

        Args:
            predicted: (2, B, N, N) in [0, 1], that the point's target is +1, with either side to move.
            target: as for `point_accuracy`.
        """
        decided = target != 0
        differ = (np.abs(predicted[0] - predicted[1]) > DIFFERS) & decided
        wrong = (1 - _right(predicted.mean(axis=0), target)) * decided
        return cls(int(decided.sum()), int(differ.sum()), float(wrong.sum()), float(wrong[differ].sum()))

    @classmethod
    def total(cls, parts: Iterable["SidesDisagreement"]) -> "SidesDisagreement":
        """Return the disagreement over all parts."""
        return cls(*np.sum([[part.points, part.differ, part.wrong, part.both] for part in parts], axis=0).tolist())


def point_accuracy(probability: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> Float64:
    """Return float64 (B,), the share of decided points on the right side of one half; exactly one half counts half.

    An empty board has one half everywhere, when predictions with either side to move are averaged.

    Args:
        probability: (B, N, N) in [0, 1], that the point's target is +1.
        target: int8 (B, N, N) of +1, -1 and, for undecided points, 0. A position without a decided point gets 0.
    """
    return _mean_over_decided(_right(probability, target), target)


def brier(probability: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> Float64:
    """Return float64 (B,), the mean squared error of the probabilities over decided points; see `point_accuracy`."""
    return _mean_over_decided(np.square(probability - (target > 0), dtype=np.float64), target)


def sure_and_wrong(probability: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> Float64:
    """Return float64 (B,), the share of decided points given with more than CONFIDENT to the wrong side."""
    return _mean_over_decided(np.where(target > 0, probability < 1 - CONFIDENT, probability > CONFIDENT), target)


def stones_right(
    probability: NDArray[np.floating[Any]], target: NDArray[np.int8], stones: NDArray[np.bool_]
) -> Float64:
    """Return float64 (B,), 1 where every stone on a decided point is on the right side of one half, else 0.

    Args:
        probability, target: as for `point_accuracy`.
        stones: bool (B, N, N), where stones are. A position without a stone on a decided point gets NaN.
    """
    right = _right(probability, target) == 1
    judged = stones & (target != 0)
    whole: Float64 = np.where(judged.any(axis=(1, 2)), (right | ~judged).all(axis=(1, 2)), np.nan)
    return whole


def calibration(probability: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> Calibration:
    """Return the decided points of each position in bins; arguments as for `point_accuracy`."""
    decided = target != 0
    return binned(probability[decided], target[decided] > 0, decided.nonzero()[0], len(target))


def binned(
    predicted: NDArray[np.floating[Any]],
    observed: NDArray[Any],
    position: NDArray[np.intp],
    positions: int,
    bins: int = BINS,
) -> Calibration:
    """Return predictions in bins by their position.

    Args:
        predicted: (K,) in [0, 1], probabilities.
        observed: (K,), 1 or true where it came true, 0.5 for half.
        position: intp (K,), the position that each is about.
        positions: how many there are.
        bins: how many.
    """
    cell = position * bins + np.minimum((predicted * bins).astype(np.int64), bins - 1)
    weights = (np.ones(len(predicted)), predicted.astype(np.float64), observed)
    cells = positions * bins
    return Calibration(*(np.bincount(cell, each, cells).astype(np.float64).reshape(-1, bins) for each in weights))


def log_loss(predicted: Float64, observed: Float64) -> Float64:
    """Return -ln of the probability given to what came true, float64 (K,); outcomes may lie between 0 and 1."""
    chance = np.clip(predicted, _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    loss: Float64 = -observed * np.log(chance) - (1 - observed) * np.log1p(-chance)
    return loss


def accuracy_of_all(probability: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> Float64:
    """Return float64 (B,), the share of all points on the right side of one half; an undecided one counts half.

    That is what a coin flip about undecided points gives on average. Arguments as for `point_accuracy`.
    """
    mean: Float64 = _right(probability, target).mean(axis=(1, 2), dtype=np.float64)
    return mean


def chain_spread(probability: NDArray[np.floating[Any]], chains: NDArray[np.int32]) -> Float64:
    """Return float64 (B,), how far stones are from the mean of their chain, on average over chains of two or more.

    Args:
        probability: (B, N, N) in [0, 1].
        chains: int32 (B, N, N), chain ids. A position without such a chain gets NaN.
    """
    boards, points = len(chains), chains[0].size
    ids = (chains.reshape(boards, points) + points * np.arange(boards)[:, None]).ravel()
    values, sizes = probability.astype(np.float64).ravel(), np.bincount(ids, minlength=boards * points)
    means = np.bincount(ids, values, boards * points) / np.maximum(sizes, 1)
    joined = (sizes[ids] > 1).reshape(boards, points)
    apart = np.abs(values - means[ids]).reshape(boards, points)
    spread = np.full(boards, np.nan)
    np.divide((apart * joined).sum(axis=1), joined.sum(axis=1), out=spread, where=joined.any(axis=1))
    return spread


def blocks_right(
    probability: NDArray[np.floating[Any]],
    target: NDArray[np.int8],
    stones: NDArray[np.bool_],
    chains: NDArray[np.int32],
) -> Float64:
    """Return float64 (B,), the share of blocks (chains) whose life or death is right by the mean of their points.

    So van der Werf, Winands, van den Herik and Uiterwijk, 2005, measure the knowledge of life and death. A mean of one
    half counts half.

    Args:
        probability, target: as for `point_accuracy`.
        stones: bool (B, N, N), where stones are.
        chains: int32 (B, N, N), chain ids. A position without a block on decided points gets NaN.
    """
    boards, points = len(chains), chains[0].size
    ids = (chains.reshape(boards, points) + points * np.arange(boards)[:, None]).ravel()
    judged = (stones & (target != 0)).ravel()
    sizes, means, owners = (
        np.bincount(ids[judged], values.ravel()[judged], boards * points).reshape(boards, points)
        for values in (np.ones(target.shape), probability - 0.5, target)
    )
    right = np.where(means * owners == 0, 0.5, means * owners > 0)
    counted = sizes > 0
    share = np.full(boards, np.nan)
    np.divide((right * counted).sum(axis=1), counted.sum(axis=1), out=share, where=counted.any(axis=1))
    return share


def policy_entropy(policy: NDArray[np.floating[Any]]) -> Float64:
    """Return float64 (B,), the entropy of a policy (B, M) in bits."""
    chances = np.maximum(policy, np.finfo(np.float32).tiny).astype(np.float64)
    bits: Float64 = -(policy * np.log2(chances)).sum(axis=1)
    return bits


def policy_rank(policy: NDArray[np.floating[Any]], move: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return the place of the move among all by their probability, int64 (B,) from 1, ties counting against it.

    Args:
        policy: (B, M), the probability of each move.
        move: int16 (B,), the index of the move played, -1 for none, which gives 0.
    """
    played = np.take_along_axis(policy, np.maximum(move, 0)[:, None].astype(np.int64), axis=1)
    rank: NDArray[np.int64] = np.where(move < 0, 0, (policy >= played).sum(axis=1, dtype=np.int64))
    return rank


def _right(probability: NDArray[np.floating[Any]], target: NDArray[np.int8]) -> Float64:
    """Return 1 on the right side of one half, 0 on the wrong one, else 1/2; (B, N, N), see `point_accuracy`."""
    right: Float64 = (1 + np.sign(probability - 0.5) * target) / 2
    return right


def _mean_over_decided(values: NDArray[Any], target: NDArray[np.int8]) -> Float64:
    decided = target != 0
    points = np.maximum(decided.sum(axis=(1, 2)), 1)
    mean: Float64 = np.sum(values * decided, axis=(1, 2), dtype=np.float64) / points
    return mean
