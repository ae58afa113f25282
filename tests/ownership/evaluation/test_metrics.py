"""Metrics on cases small enough to compute by hand."""

import numpy as np
import pytest

from ownership.evaluation.metrics import (
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

PROBABILITY = np.array([[[0.92, 0.4], [0.2, 0.5]], [[0.62, 0.62], [0.62, 0.62]]], np.float32)
TARGET = np.array([[[1, 1], [-1, 0]], [[1, -1], [-1, -1]]], np.int8)


def test_accuracy_is_the_share_of_decided_points_called_right() -> None:
    np.testing.assert_allclose(point_accuracy(PROBABILITY, TARGET), [2 / 3, 1 / 4])


def test_one_half_counts_half() -> None:
    half = np.full((1, 2, 2), 0.5, np.float32)
    for target in (np.ones((1, 2, 2), np.int8), -np.ones((1, 2, 2), np.int8)):
        assert point_accuracy(half, target) == accuracy_of_all(half, target) == [0.5]
        assert stones_right(half, target, np.ones((1, 2, 2), bool)) == [0]
        assert SidesDisagreement.of(np.stack([half, half]), target) == SidesDisagreement(4, 0, 2, 0)


def test_brier_is_the_mean_squared_error_of_probabilities() -> None:
    expected = [(0.08**2 + 0.6**2 + 0.2**2) / 3, (0.38**2 + 3 * 0.62**2) / 4]
    np.testing.assert_allclose(brier(PROBABILITY, TARGET), expected, rtol=1e-6)


def test_calibration_counts_decided_points_in_bins() -> None:
    tally = calibration(PROBABILITY, TARGET)
    assert tally.points.sum(axis=1).tolist() == [3, 4]
    assert (tally.points[0, 18], tally.predicted[0, 18], tally.observed[0, 18]) == (1, pytest.approx(0.92), 1)
    assert (tally.points[1, 12], tally.predicted[1, 12], tally.observed[1, 12]) == (4, pytest.approx(2.48), 1)
    assert tally.where(np.array([False, True])).error == pytest.approx(1.48 / 4)
    # |0.92 - 1| + |0.4 - 1| + |0.2 - 0| + |2.48 - 1|, of 7 points
    assert tally.error == pytest.approx((0.08 + 0.6 + 0.2 + 1.48) / 7)


def test_certain_points_fall_into_the_last_bin() -> None:
    tally = calibration(np.ones((1, 2, 2), np.float32), np.ones((1, 2, 2), np.int8))
    assert tally.points[0, -1] == 4
    assert tally.error == 0


def test_the_rank_of_a_move_counts_ties_against_it() -> None:
    policy = np.array([[0.5, 0.2, 0.3], [0.4, 0.4, 0.2], [0.5, 0.2, 0.3], [0.1, 0.1, 0.8]], np.float32)
    assert policy_rank(policy, np.array([1, 0, -1, 2], np.int16)).tolist() == [3, 2, 0, 1]


def test_a_position_without_a_decided_point_counts_nothing() -> None:
    neutral = np.zeros((1, 2, 2), np.int8)
    assert point_accuracy(PROBABILITY[:1], neutral) == [0]
    assert brier(PROBABILITY[:1], neutral) == [0]


def test_sure_and_wrong_is_the_share_of_decided_points_far_on_the_wrong_side() -> None:
    probability = np.array([[[0.96, 0.04], [0.06, 0.99]]], np.float32)
    target = np.array([[[1, 1], [1, 0]]], np.int8)
    assert sure_and_wrong(probability, target) == [pytest.approx(1 / 3)]
    assert sure_and_wrong(probability, -target) == [pytest.approx(1 / 3)]
    assert sure_and_wrong(1 - probability, -target) == [pytest.approx(1 / 3)]


def test_a_board_is_right_if_every_stone_on_a_decided_point_is() -> None:
    stones = np.array([[[True, False], [True, False]], [[True, False], [True, True]]])
    assert stones_right(PROBABILITY, TARGET, stones).tolist() == [True, False]
    assert np.isnan(stones_right(PROBABILITY, TARGET, np.zeros_like(stones))).all()
    assert np.isnan(stones_right(PROBABILITY, np.zeros_like(TARGET), stones)).all()


def test_a_block_is_right_by_the_mean_of_its_stones() -> None:
    probability = np.array([[[0.2, 0.9], [0.5, 0.1]]])
    chains, stones = np.array([[[0, 0], [2, 3]]], np.int32), np.array([[[True, True], [True, True]]])
    alive = np.array([[[1, 1], [1, -1]]], np.int8)
    assert blocks_right(probability, alive, stones, chains) == [pytest.approx(2.5 / 3)], "one half counts half"
    assert blocks_right(probability, -alive, stones, chains) == [pytest.approx(0.5 / 3)]
    undecided = np.where(chains == 2, 0, alive).astype(np.int8)
    assert blocks_right(probability, undecided, stones, chains) == [1]
    empty = chains != 3
    assert blocks_right(probability, alive, stones & empty, chains) == [pytest.approx(1.5 / 2)]
    assert np.isnan(blocks_right(probability, np.zeros_like(alive), stones, chains)).all()


def test_stones_of_a_chain_are_apart_from_their_mean() -> None:
    probability = np.array([[[0.2, 0.6], [0.9, 0.1]], [[0.2, 0.6], [0.9, 0.1]]])
    joined = np.array([[[0, 0], [2, 3]], [[0, 1], [2, 3]]], np.int32)  # in the first position two stones are one chain
    spread = chain_spread(probability, joined)
    assert spread[0] == pytest.approx(0.2)
    assert np.isnan(spread[1])


def test_a_neutral_point_counts_half_of_all_points() -> None:
    probability, target = np.array([[[0.9, 0.1], [0.9, 0.9]]]), np.array([[[1, 1], [0, 1]]], np.int8)
    assert accuracy_of_all(probability, target) == pytest.approx((1 + 0 + 0.5 + 1) / 4)


@pytest.mark.parametrize(("policy", "bits"), [([1, 0, 0, 0], 0), ([0.5, 0.5, 0, 0], 1), ([0.25] * 4, 2)])
def test_entropy_is_in_bits(policy: list[float], bits: float) -> None:
    assert policy_entropy(np.array([policy], np.float32)) == pytest.approx(bits)


def test_disagreement_counts_decided_points_and_those_that_are_wrong() -> None:
    either = np.array([[[[0.9, 0.9], [0.6, 0.1]]], [[[0.3, 0.8], [0.3, 0.9]]]])  # the mean: 0.6, 0.85, 0.45, 0.5
    assert SidesDisagreement.of(either, np.array([[[1, -1], [1, 0]]], np.int8)) == SidesDisagreement(3, 2, 2, 1)
    assert SidesDisagreement.total([SidesDisagreement(3, 2, 2, 1), SidesDisagreement(4, 0, 1, 0)]) == SidesDisagreement(
        7, 2, 3, 1
    )
