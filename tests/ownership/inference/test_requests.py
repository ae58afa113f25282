"""Boards turned for the network, answers turned back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goban import coords
from goban.position import Position
from ownership.inference.image_symmetries import averaged, turned
from planes.feature_sets import FEATURE_SETS
from planes.position_planes import planes_and_chains

FIGHT = Position.from_diagram(". X O O . / . X X O X / . O O X X / . . O . X / . . . . .").play(0)
SETS = FEATURE_SETS["standard"]


def test_images_show_the_turned_boards() -> None:
    positions = [FIGHT, Position.empty(5)]
    planes, chains = planes_and_chains(positions, SETS)
    which, symmetries = np.repeat([0, 1], 8), np.tile(coords.SYMMETRIES, 2)
    images = turned({"planes": planes, "chains": chains}, which, symmetries)
    for index, (position, k) in enumerate(zip(which.tolist(), symmetries.tolist(), strict=True)):
        board = positions[position]
        recent = tuple(coords.destinations(5)[k, point] for point in board.recent)
        image = Position.from_stones(coords.apply_symmetry(board.stones, k), board.to_move, recent=recent)
        np.testing.assert_array_equal(images["planes"][index], planes_and_chains([image], SETS)[0][0])


def test_chain_ids_are_points_of_their_chains() -> None:
    planes, chains = planes_and_chains([FIGHT], SETS)
    images = turned({"planes": planes, "chains": chains}, np.zeros(8, np.intp), np.arange(8))["chains"]
    own = np.arange(25).reshape(5, 5)
    for k in coords.SYMMETRIES:
        image = Position.from_stones(coords.apply_symmetry(FIGHT.stones, k))
        ids, right = images[k], image.chain_ids()
        np.testing.assert_array_equal(right.flat[ids], right)
        np.testing.assert_array_equal(ids.flat[ids], ids)
        np.testing.assert_array_equal(ids[image.stones == 0], own[image.stones == 0])


@given(st.integers(2, 9), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_outputs_of_turned_boards_average_to_the_boards_outputs(side: int, boards: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    ownership = random.random((boards, side, side), np.float32)
    policy, score = random.random((boards, side * side + 1), np.float32), random.random((boards, 2), np.float32)
    value = random.random((boards, 3), np.float32)
    images = np.stack([coords.apply_symmetry(ownership, k) for k in coords.SYMMETRIES], axis=1)
    policies = np.empty((boards, 8, side * side + 1), np.float32)
    for k in coords.SYMMETRIES:
        policies[:, k, [coords.destinations(side)[k, point] for point in range(side * side + 1)]] = policy
    outputs = {
        "ownership": images.reshape(-1, side, side),
        "policy": policies.reshape(-1, side * side + 1),
        "score": np.repeat(score, 8, axis=0),
        "value": np.repeat(value, 8, axis=0),
    }
    means = averaged(outputs, 8)
    for name, expected in (("ownership", ownership), ("policy", policy), ("score", score), ("value", value)):
        np.testing.assert_allclose(means[name], expected, rtol=1e-6)
