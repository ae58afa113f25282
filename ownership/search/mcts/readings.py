"""What can be read from a tree: visited children, the best line, and the ownership of all its positions."""

import numpy as np
import numpy.typing as npt

from goban.jit import inner, kernel
from goban.kernels import Int32
from ownership.search.mcts.tree import NONE, Tree


@kernel
def children(tree: Tree, node: int) -> Int32:
    """Return int32 (K,): the children of a node that were visited, the last one made first."""
    found = np.empty(tree.priors.shape[1] + 1, np.int32)
    count = 0
    child = tree.nodes[node].first_child
    while child != NONE:
        if tree.nodes[child].visits > 0:
            found[count] = child
            count += 1
        child = tree.nodes[child].next_sibling
    return found[:count]


@kernel
def best_line(tree: Tree, node: int, longest: int) -> Int32:
    """Return int32 (K,): a node, its child with the most visits, and so on, K at most `longest`; ties by prior."""
    found = np.empty(longest, np.int32)
    count = 0
    while node != NONE and count < longest:
        found[count] = node
        count += 1
        best, child = NONE, tree.nodes[node].first_child
        while child != NONE:
            each = tree.nodes[child]
            if each.visits > 0 and (best == NONE or _goes_before(tree, child, best)):
                best = child
            child = each.next_sibling
        node = best
    return found[:count]


@inner
def _goes_before(tree: Tree, one: int, other: int) -> bool:
    first, second = tree.nodes[one], tree.nodes[other]
    return bool(first.visits > second.visits or (first.visits == second.visits and first.prior >= second.prior))


@kernel
def branches(tree: Tree) -> Int32:
    """Return int32 (nodes,): the child of the root that each node is below, NONE for the root itself."""
    found = np.full(tree.used[0], NONE, np.int32)
    for node in range(1, tree.used[0]):
        parent = tree.nodes[node].parent
        found[node] = node if parent == 0 else found[parent]
    return found


@kernel
def add_ownership(
    tree: Tree, rows: Int32, sums: npt.NDArray[np.int64], squares: npt.NDArray[np.int64], weights: npt.NDArray[np.int64]
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
