"""Chain pooling of stones and empty points, and its gradients; other layers; saved layers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goban import text_diagram
from goban.position import Position
from planes.position_planes import position_chains
from tests.support.positions import random_positions

keras = pytest.importorskip("keras", reason="networks need the train extra")

from ownership.networks.chain_pooling import ChainPooling  # noqa: E402
from ownership.networks.stack_layers import LocalResponse, Unfolded  # noqa: E402

CHAINS = """
    X X . O
    . X O O
    O . . .
    O X . X
"""
POOLED = [
    # features, one number a point, and what pooling makes of them
    ([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]],
     [[6, 6, 3, 8], [5, 6, 8, 8], [13, 10, 11, 12], [13, 14, 15, 16]]),
    ([[-1, -2, -3, -4], [-5, -6, -7, -8], [-9, 0, -1, -2], [-3, -4, -5, -6]],
     [[-1, -1, -3, -4], [-5, -1, -4, -4], [-3, 0, -1, -2], [-3, -4, -5, -6]]),
]  # fmt: skip


def pool(features: NDArray[np.float32], chains: NDArray[np.int32]) -> NDArray[np.float32]:
    pooled: NDArray[np.float32] = keras.ops.convert_to_numpy(ChainPooling()(features, chains))
    return pooled


def random_features(side: int, batch: int, channels: int) -> NDArray[np.float32]:
    return np.random.default_rng(side).normal(size=(batch, side, side, channels)).astype(np.float32)


@pytest.mark.parametrize(("features", "pooled"), POOLED)
def test_a_stone_gets_the_maximum_of_its_chain(features: list[list[float]], pooled: list[list[float]]) -> None:
    chains = position_chains([Position.from_stones(text_diagram.parse_diagram(CHAINS))])
    answer = pool(np.array(features, np.float32)[None, :, :, None], chains)
    np.testing.assert_array_equal(answer[0, :, :, 0], pooled)


@pytest.mark.parametrize("side", [2, 5, 9, 19])
@pytest.mark.parametrize("batch", [1, 3])
def test_every_chain_of_every_position_is_pooled_by_itself(side: int, batch: int) -> None:
    positions = random_positions(side, batch)
    chains, features = position_chains(positions), random_features(side, batch, 4)
    expected = features.copy()
    for row, position in enumerate(positions):
        for chain in position.chains():
            points = list(chain.points)
            expected[row].reshape(-1, 4)[points] = features[row].reshape(-1, 4)[points].max(0)
    np.testing.assert_array_equal(pool(features, chains), expected)


def test_gradients_equal_finite_differences() -> None:
    tensorflow = pytest.importorskip("tensorflow")
    chains = position_chains([Position.from_stones(text_diagram.parse_diagram(CHAINS))])
    features, weights = random_features(4, 1, 2), random_features(4, 2, 2)[:1] + 1
    with tensorflow.GradientTape() as tape:
        variable = tensorflow.Variable(features)
        total = tensorflow.reduce_sum(ChainPooling()(variable, chains) * weights)
    gradient = tape.gradient(total, variable).numpy()

    def change(index: Any, step: float) -> float:
        moved = features.copy()
        moved[index] += step
        return float((pool(moved, chains).astype(np.float64) * weights).sum())

    numerical = np.empty_like(features)
    for index in np.ndindex(features.shape):
        numerical[index] = (change(index, 1e-3) - change(index, -1e-3)) / 2e-3
    np.testing.assert_allclose(gradient, numerical, atol=2e-3)


def test_local_response_normalization_is_that_of_2012() -> None:
    features = 100 * random_features(5, 2, 7)
    expected = np.empty_like(features)
    for channel in range(7):
        around = (features[..., max(0, channel - 2) : channel + 3] ** 2).sum(-1)
        expected[..., channel] = features[..., channel] / (1 + 1e-4 * around) ** 0.75
    np.testing.assert_allclose(keras.ops.convert_to_numpy(LocalResponse()(features)), expected, rtol=1e-5)


def test_gradients_of_an_unfolded_layer_equal_finite_differences() -> None:
    tensorflow = pytest.importorskip("tensorflow")
    layer, features = Unfolded(2, 3, steps=2, untied=True, activation="tanh"), random_features(4, 2, 3)
    layer.build(features.shape)
    bias = layer.feeding.bias
    with tensorflow.GradientTape() as tape:
        total = tensorflow.reduce_sum(layer(features))
    gradient = tape.gradient(total, bias.value).numpy()
    sums = []
    for step in (1e-2, -1e-2):
        bias.assign([step, 0.0])
        sums.append(float(np.sum(keras.ops.convert_to_numpy(layer(features)), dtype=np.float64)))
    assert gradient[0] == pytest.approx((sums[0] - sums[1]) / 2e-2, rel=1e-2)


def test_a_model_with_it_can_be_saved(tmp_path: Path) -> None:
    features, chains = keras.Input((None, None, 3)), keras.Input((None, None), dtype="int32")
    model = keras.Model([features, chains], ChainPooling()(features, chains))
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    given = [random_features(5, 2, 3), position_chains(random_positions(5, 2))]
    np.testing.assert_array_equal(model.predict_on_batch(given), again.predict_on_batch(given))
