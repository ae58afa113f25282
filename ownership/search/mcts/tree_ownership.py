"""The ownership of each point, averaged over the positions of a tree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Float32, Int32
from goban.jit import kernel
from ownership.search.mcts.tree import NONE, OWNERSHIP_UNIT, SearchTree
from ownership.search.mcts.tree_result import children


@dataclass(frozen=True, eq=False)
class TreeOwnership:
    """Ownership averaged over a tree.

    Attributes:
        mean: float32 (N, N), +1 Black.
        deviation: float32 (N, N), the standard deviation over the tree's positions.
    """

    mean: Float32
    deviation: Float32


def ownership_of(tree: SearchTree, side: int) -> tuple[TreeOwnership, dict[int, TreeOwnership]]:
    """Return the ownership averaged over the whole tree, and over what is below each move at the root, by point."""
    below = branches(tree)
    first = children(tree, 0)
    row_of = np.zeros(len(below) + 1, np.int32)  # by branch; the last one is that of NONE, the root's
    row_of[first] = np.arange(1, len(first) + 1)
    sums, squares = np.zeros((2, len(first) + 1, side * side), np.int64)
    weights = np.zeros(len(first) + 1, np.int64)
    sum_ownership(tree, row_of[below], sums, squares, weights)
    sums[0], squares[0], weights[0] = sums.sum(axis=0), squares.sum(axis=0), weights.sum()
    means = sums / weights[:, None] / OWNERSHIP_UNIT
    variances = squares / weights[:, None] / OWNERSHIP_UNIT**2 - means * means
    shape = (len(weights), side, side)
    boards = means.astype(np.float32).reshape(shape)
    deviations = np.sqrt(np.maximum(0, variances)).astype(np.float32).reshape(shape)
    maps = [TreeOwnership(mean, deviation) for mean, deviation in zip(boards, deviations, strict=True)]
    points = tree.nodes["move"][first].tolist()
    return maps[0], dict(zip(points, maps[1:], strict=True))


@kernel
def branches(tree: SearchTree) -> Int32:
    """Return int32 (nodes,): the child of the root that each node is below, NONE for the root itself."""
    found = np.full(tree.used[0], NONE, np.int32)
    for node in range(1, tree.used[0]):
        parent = tree.nodes[node].parent
        found[node] = node if parent == 0 else found[parent]
    return found


@kernel
def sum_ownership(
    tree: SearchTree, rows: Int32, sums: NDArray[np.int64], squares: NDArray[np.int64], weights: NDArray[np.int64]
) -> None:
    """Add the ownership of all evaluated nodes, once for each visit that ended there.

    Args:
        tree: the tree.
        rows: int32 (nodes,), the row that each node is added to; NONE leaves it out.
        sums: int64 (R, N*N), of the ownership in OWNERSHIP_UNIT.
        squares: int64 (R, N*N), of its square.
        weights: int64 (R,), visits.
    """
    for node in range(tree.used[0]):
        row, visits = rows[node], tree.nodes[node].own_visits
        if row == NONE or visits == 0:
            continue
        weights[row] += visits
        for point in range(sums.shape[1]):
            value = np.int64(tree.ownership[node, point])
            sums[row, point] += visits * value
            squares[row, point] += visits * value * value
