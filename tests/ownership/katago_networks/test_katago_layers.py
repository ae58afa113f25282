"""The layers of KataGo's networks, beside their formulas in plain NumPy."""

import numpy as np
import pytest

from ownership.katago_networks.katago_layers import (
    BoardPooling,
    Outcome,
    RootMeanSquareNormalization,
    RotaryAttention,
    ScoreScale,
)


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(("side", "scale", "square"), [(9, -0.5, 0.15), (14, 0, -0.1), (19, 0.5, 0.15)])
def test_pooling_knows_the_side_of_the_board(side: int, scale: float, square: float) -> None:
    x = _random(2, side, side, 3)
    mean, most = x.mean(axis=(1, 2)), x.max(axis=(1, 2))
    np.testing.assert_allclose(BoardPooling()(x), np.hstack([mean, mean * scale, most]), atol=1e-6)
    np.testing.assert_allclose(BoardPooling(squared=True)(x), np.hstack([mean, mean * scale, mean * square]), atol=1e-6)


@pytest.mark.parametrize(("spatial", "axes"), [(False, (3,)), (True, (1, 2, 3))])
def test_normalization_divides_by_the_root_mean_square(spatial: bool, axes: tuple[int, ...]) -> None:
    x, epsilon = _random(2, 3, 3, 4), 0.5
    expected = x / np.sqrt((x**2).mean(axis=axes, keepdims=True) + epsilon)
    np.testing.assert_allclose(RootMeanSquareNormalization(epsilon, spatial)(x), expected, atol=1e-6)


@pytest.mark.parametrize("key_heads", [1, 2])
def test_attention_turns_queries_and_keys_by_their_points(key_heads: int) -> None:
    side, heads, channels = 3, 2, 4
    query, key = _random(1, side, side, heads * channels), _random(1, side, side, key_heads * channels)
    value = _random(1, side, side, key_heads * 5)
    frequencies = _random(key_heads, channels // 2, 2)

    def rotated(vector: np.ndarray, point: int, head: int) -> np.ndarray:
        pairs = vector[0::2] + 1j * vector[1::2]
        row, column = divmod(point, side)
        turned: np.ndarray = pairs * np.exp(1j * (frequencies[head] @ [column, row]))
        return turned

    expected = np.zeros((side * side, heads, 5))
    for head in range(heads):
        shared = head * key_heads // heads
        q, k, v = (
            array.reshape(side * side, -1, width)[:, index]
            for array, width, index in ((query, channels, head), (key, channels, shared), (value, 5, shared))
        )
        for point in range(side * side):
            scores = np.array(
                [
                    np.vdot(rotated(k[other], other, shared), rotated(q[point], point, shared)).real
                    for other in range(side * side)
                ]
            )
            weights = np.exp(scores / np.sqrt(channels))
            expected[point, head] = weights @ v / weights.sum()
    found = RotaryAttention(heads, key_heads, frequencies)(query, key, value)
    np.testing.assert_allclose(found, expected.reshape(1, side, side, -1), atol=1e-5)


@pytest.mark.parametrize(("superko", "territory", "undecided"), [(1, 0, 0), (1, 1, 1 / 3), (0, 0, 1 / 3)])
def test_there_is_always_a_result_with_superko_and_area(superko: float, territory: float, undecided: float) -> None:
    inputs = np.zeros((1, 19), np.float32)
    inputs[0, 6], inputs[0, 9] = superko, territory
    won = (1 - undecided) / 2
    np.testing.assert_allclose(Outcome()(np.zeros((1, 3), np.float32), inputs), [[won, won, undecided]], atol=1e-6)


def test_the_lead_shrinks_with_the_chance_of_no_result() -> None:
    raw, value = np.array([[0.0, 1.5]], np.float32), np.array([[0.5, 0.25, 0.25]], np.float32)
    found = ScoreScale(lead=20.0, deviation=10.0)(raw, value)
    np.testing.assert_allclose(found, [[1.5 * 20 * 0.75, np.log(2) * 10]], rtol=1e-6)
