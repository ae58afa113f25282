"""When the owner of each point will be final: a small network beside a model, in NumPy.

It reads the planes of a position with a model's ownership and policy, and answers at each point with the chances of
ranges of moves, counted from the position. `ownership/models/settled` has its weights and their card.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from goban.position import Position
from ownership.inference.model_catalogue import BUNDLED
from ownership.inference.prediction import Prediction
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes

RANGES: Final = (0, 10, 20, 40, 80)  # moves at which a range ends; one more has the rest of the game
SOON: Final = RANGES.index(20)  # the last range of what is soon
WEIGHTS: Final = BUNDLED / "settled" / "weights.npz"
BLOCKS: Final = 5
POOLED: Final = 2  # the block that sees the whole board
FILTERS: Final = 32
_FEATURES: Final = parse_feature_set("tactical")
_MOST: Final = 0.9999  # ownership, so that its logarithm is finite
_LEAST: Final = 1e-4  # probability of a move that differs from 0
_BATCH: Final = 8  # positions, which bounds the memory

Float32 = NDArray[np.float32]
Weights = dict[str, Float32]


def settling_chances(positions: Sequence[Position], predictions: Sequence[Prediction]) -> Float32:
    """Return the chance of each range of moves after which the owner is final, float32 (B, N, N, len(RANGES) + 1).

    Args:
        positions: of one board side.
        predictions: of each, with ownership and policy.

    Raises:
        InputError: a prediction without one of them.
    """
    starts = range(0, len(positions), _BATCH)
    cases = [settling_planes(positions[k : k + _BATCH], predictions[k : k + _BATCH]) for k in starts]
    return np.concatenate([network_answer(_weights(), each) for each in cases])


def settling_planes(positions: Sequence[Position], predictions: Sequence[Prediction]) -> Float32:
    """Return what the network reads, float32 (B, N, N, C), seen by the side to move; arguments as above."""
    side, movers = positions[0].side, np.array([each.to_move for each in positions], np.float32)
    owners = np.stack([each.owners for each in predictions]) * movers[:, None, None]
    policies = _levels(np.stack([_policy(each) for each in predictions]))
    sure = np.minimum(np.abs(owners), np.float32(_MOST))
    further = (
        owners,
        np.arctanh(sure) * np.float32(0.4),  # tells near certainties apart
        policies[:, :-1].reshape(owners.shape),
        np.broadcast_to(policies[:, -1, None, None], owners.shape),
        np.full_like(owners, side / 19),
    )
    return np.concatenate([planes(positions, _FEATURES), np.stack(further, axis=-1)], axis=-1)


def network_answer(weights: Weights, inputs: Float32) -> Float32:
    """Return the chances of the ranges, float32 (B, N, N, len(RANGES) + 1)."""
    x = np.maximum(_convolved(inputs, weights, "stem"), 0)
    for number in range(1, BLOCKS + 1):
        branch = _convolved(x, weights, f"block{number}")
        if number == POOLED:
            board = np.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=-1)
            branch += (board @ weights["board_kernel"] + weights["board_bias"])[:, None, None]
        x = np.maximum(x + branch, 0)
    logits = _convolved(np.concatenate([x, inputs], axis=-1), weights, "answer")
    chances = np.exp(logits - logits.max(axis=-1, keepdims=True))
    answer: Float32 = chances / chances.sum(axis=-1, keepdims=True)
    return answer


def read_weights(path: Path) -> Weights:
    """Return the weights in a file, float32."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


@cache
def _weights() -> Weights:
    return read_weights(WEIGHTS)


def _convolved(x: Float32, weights: Weights, name: str) -> Float32:
    """Return a convolution with square kernels, the board padded with 0."""
    kernel, board = weights[f"{name}_kernel"], x.shape[1]
    size, margin = len(kernel), len(kernel) // 2
    padded = np.pad(x, ((0, 0), (margin, margin), (margin, margin), (0, 0)))
    shifted = [padded[:, row : row + board, column : column + board] for row in range(size) for column in range(size)]
    near = np.concatenate(shifted, axis=-1)  # what each point sees, in one row for a product of matrices
    result: Float32 = near @ kernel.reshape(-1, kernel.shape[-1]) + weights[f"{name}_bias"]
    return result


def _policy(prediction: Prediction) -> Float32:
    if prediction.policy is None:
        raise InputError("expected a model that predicts moves. Received: one without a policy")
    return prediction.policy


def _levels(chances: Float32) -> Float32:
    """Return probabilities on a logarithmic scale from 0 to 1."""
    levels: Float32 = np.log10(chances / np.float32(_LEAST) + 1) / np.float32(4)
    return levels
