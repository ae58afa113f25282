"""The positions of new leaves, with the moves and boards before them that networks read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goban.position import EARLIER_BOARDS, EarlierBoard, Position, trusted_position
from ownership.search.mcts.tree import Leaves, SearchTree


def leaf_positions(tree: SearchTree, root: Position, leaves: Leaves, nodes: Sequence[int]) -> list[Position]:
    """Return the positions of the first leaves, with the moves and boards before them as `Position.play` keeps them."""
    count, side, longest = len(nodes), root.side, leaves.recent.shape[1]
    stones = leaves.stones[:count].copy()
    before = leaves.before[:count].reshape(count, EARLIER_BOARDS, side, side).copy()
    before.flags.writeable = False
    parents, kos = tree.nodes["parent"], tree.nodes["ko"]
    facts = zip(
        *(tree.nodes[name][nodes].tolist() for name in ("to_move", "ko", "hash")),
        *(values[:count].tolist() for values in (leaves.made, leaves.recent, leaves.prisoners)),
        strict=True,
    )
    positions = []
    for row, (to_move, ko, word, made, recent, (black, white)) in enumerate(facts):
        last = (*recent[: min(made, longest)], *root.recent)[:longest]
        boards = _earlier_boards(before[row, : min(made, EARLIER_BOARDS)], nodes[row], parents, kos) + root.earlier
        positions.append(
            trusted_position(stones[row], side, to_move, ko, (black, white), last, word, boards[:EARLIER_BOARDS])
        )
    return positions


def _earlier_boards(
    boards: NDArray[np.int8], node: int, parents: NDArray[np.int32], kos: NDArray[np.int16]
) -> tuple[EarlierBoard, ...]:
    """Return the boards before a node, newest first, with the kos of the nodes above it."""
    found = []
    for stones in boards:
        node = int(parents[node])
        found.append(EarlierBoard(stones, int(kos[node])))
    return tuple(found)
