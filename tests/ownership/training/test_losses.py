"""Targets, losses and metrics of each head."""

from typing import Any

import numpy as np
import pytest

from ownership.inference.network_config import HEADS, SOFT_POLICY, NetworkConfig
from ownership.training.training_options import LOSSES, TrainingOptions

pytest.importorskip("keras", reason="training needs the train extra")

from game_datasets.batches import Batch
from ownership.networks import build_network
from ownership.training import head_training, losses, training_targets
from ownership.training.validation import validate

NETWORK = NetworkConfig("residual", "classic8", chain_pooling="max", filters=4, blocks=1)
OPTIONS = TrainingOptions(samples=1)


@pytest.mark.parametrize("table", [head_training.HEAD_TRAINING, build_network._OUTPUTS])
def test_a_head_that_is_not_registered_is_named(table: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(table, "score")
    with pytest.raises(NotImplementedError, match=r"must have an entry for every head\. Missing: score"):
        head_training.compile_network(build_network.build_network(NETWORK), NETWORK, OPTIONS)


def test_every_head_is_registered() -> None:
    assert head_training.HEAD_TRAINING.keys() == build_network._OUTPUTS.keys() == {*HEADS, SOFT_POLICY}


def test_every_loss_is_registered() -> None:
    assert head_training._OWNERSHIP_LOSSES.keys() == {*LOSSES}


def test_neutral_points_are_trained_towards_a_half_or_a_coin_flip() -> None:
    target = np.array([[[1, -1], [0, 0]]] * 200, np.int8)
    half = training_targets.owned(target, OPTIONS, 0)
    np.testing.assert_array_equal(half, [[[1, 0], [0.5, 0.5]]] * 200)
    random = TrainingOptions(samples=1, dame="random")
    flipped = training_targets.owned(target, random, 7)
    assert set(np.unique(flipped[:, 1])) == {0, 1}
    assert 0.4 < flipped[:, 1].mean() < 0.6
    np.testing.assert_array_equal(flipped[:, 0], half[:, 0])
    np.testing.assert_array_equal(flipped, training_targets.owned(target, random, 7))
    assert not np.array_equal(flipped, training_targets.owned(target, random, 8))


def test_accuracy_and_brier_leave_neutral_points_out() -> None:
    truth = np.array([[[1, 0], [0.5, 0.5]]], np.float32)
    predicted = np.array([[[0.9, 0.6], [0.1, 0.9]]], np.float32)
    assert float(losses.decided_accuracy(truth, predicted)) == pytest.approx(0.5)
    assert float(losses.decided_brier(truth, predicted)) == pytest.approx((0.01 + 0.36) / 2)


def test_moves_are_counted_without_passes() -> None:
    wanted = np.eye(5, dtype=np.float32)[[0, 1, 4, 4]]  # two stones and two passes on 2x2
    wanted = np.vstack([wanted, np.zeros(5, np.float32)])  # and a position without a next move
    predicted = np.eye(5, dtype=np.float32)[[0, 2, 4, 4, 0]]
    assert float(losses.stones_found(wanted, predicted)) == 0.5


def test_what_is_not_known_weighs_nothing() -> None:
    target = np.array([[[1, -1], [1, 0]], [[0, 0], [0, 0]]], np.int8)
    batch = Batch(
        planes=np.zeros((2, 2, 2, 8), np.float32),
        chains=None,
        target=target,
        stones=np.zeros((2, 2, 2), np.int8),
        to_move=np.ones(2, np.int8),
        ko=np.full(2, -1, np.int16),
        move=np.array([-1, 4], np.int16),
        game=np.array([0, 1], np.int32),
        ply=np.array([3, 3], np.int16),
        labelled=np.array([True, False]),
        komi=np.array([2.5, 0], np.float32),
        resigned=np.array([1, 0], np.int8),
        symmetry=np.zeros(2, np.int64),
    )
    config = NetworkConfig("residual", "classic8", heads=("ownership", "policy", "score", "margin"))
    wanted, weights = head_training.network_targets(batch, config, OPTIONS, 0)
    assert {head: weight.tolist() for head, weight in weights.items()} == {
        "ownership": [[1], [0]],
        "policy": [0, 1],
        "score": [1, 0],
        "margin": [1, 0],
    }
    assert wanted["policy"].tolist() == [[0, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert wanted["score"].tolist() == [[1, 0], [0, 0]]
    assert wanted["margin"].tolist() == [[1, 2.5, 0], [0, 0, 0.5]]
    assert list(head_training.network_targets(batch, NetworkConfig(heads=("ownership",)), OPTIONS, 0)[0]) == [
        "ownership"
    ]


class Certain:
    """A network that expects every position to be played on."""

    def predict_on_batch(self, inputs: object) -> dict[str, np.ndarray]:
        return {"policy": np.eye(5, dtype=np.float32)[[4, 4]], "resign": np.zeros((2, 1), np.float32)}


def positions(resigned: tuple[int, ...]) -> Batch:
    """Return positions of 2x2 boards after which a player resigns (1), plays on (0), or that do not tell (-1)."""
    number = len(resigned)
    return Batch(
        planes=np.zeros((number, 2, 2, 8), np.float32),
        chains=None,
        target=np.ones((number, 2, 2), np.int8),
        stones=np.zeros((number, 2, 2), np.int8),
        to_move=np.ones(number, np.int8),
        ko=np.full(number, -1, np.int16),
        move=np.zeros(number, np.int16),
        game=np.arange(number, dtype=np.int32),
        ply=np.full(number, 3, np.int16),
        labelled=np.ones(number, np.bool_),
        komi=np.zeros(number, np.float32),
        resigned=np.array(resigned, np.int8),
        symmetry=np.zeros(number, np.int64),
    )


def test_resignations_are_learned_where_they_are_known() -> None:
    config = NetworkConfig("residual", "classic8", heads=("policy", "resign"))
    wanted, weights = head_training.network_targets(positions((1, 0, -1)), config, OPTIONS, 0)
    assert wanted["resign"].tolist() == [[1], [0], [0]]
    assert weights["resign"].tolist() == [1, 1, 0]


@pytest.mark.parametrize(("resigned", "brier"), [((0, 0), None), ((-1, 0), None), ((1, 0), 0.5)])
def test_resignations_are_measured_where_there_are_some(resigned: tuple[int, int], brier: float | None) -> None:
    assert validate(Certain(), [positions(resigned)]).get("validation_resign_brier") == brier
