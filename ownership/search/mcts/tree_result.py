"""The results of a tree for the position at its root and its moves, and the kernels that read them from it."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goban.array_types import Int32
from goban.coords import opponent
from goban.jit import inner, kernel
from ownership.search.mcts.root_move_choice import TreeMove, best_first, lower_bound
from ownership.search.mcts.tree import NONE, SearchTree
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_value import TreeValue
from ownership.search.search_result import SearchResult

LONGEST_VARIATION: Final = 40
_NO_VISITS: Final = TreeValue(0, 0.0, 0.5, 0.0, 0.0, 0.5)


@dataclass(frozen=True)
class TreeResult(SearchResult):
    """What a tree search found so far.

    Attributes:
        root: the value of the position.
        own: the same by the network alone; `error` has no meaning there.
        moves: those that were visited, best first.
    """

    root: TreeValue = _NO_VISITS
    own: TreeValue = _NO_VISITS
    moves: tuple[TreeMove, ...] = ()


def result_of(tree: SearchTree, options: TreeOptions, evaluations: int, seconds: float) -> TreeResult:
    """Return the result of a tree; its root must be evaluated.

    Args:
        tree: the tree.
        options: by what moves are ordered.
        evaluations, seconds: since the search began.
    """
    root = tree.nodes[0]
    moves = tuple(best_first([_move(tree, node) for node in children(tree, 0).tolist()], options))
    line = moves[0].line if moves else (int(root["next_move"]),)
    value = TreeValue.of(root)
    used = int(tree.used[0])
    return TreeResult(
        depth=int(tree.nodes["ply"][:used].max()),
        score=moves[0].value.score if moves else value.score,
        line=line,
        nodes=used,
        evaluations=evaluations,
        seconds=seconds,
        root=value,
        own=_own(root),
        moves=moves,
    )


def _own(node: Any) -> TreeValue:
    score, deviation = float(node["own_score"]), float(node["own_deviation"])
    return TreeValue(1, float(node["own_value"]), float(node["own_wins"]), score, deviation, 0.0)


def _move(tree: SearchTree, node: int) -> TreeMove:
    line = tree.nodes[most_visited_line(tree, node, LONGEST_VARIATION)]
    value = TreeValue.of(line[0])
    mover = opponent(int(line[0]["to_move"]))
    return TreeMove(
        int(line[0]["move"]),
        float(line[0]["prior"]),
        value,
        lower_bound(value, mover),
        tuple(line["move"].tolist()),
        tuple(line["visits"].tolist()),
    )


@kernel
def children(tree: SearchTree, node: int) -> Int32:
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
def most_visited_line(tree: SearchTree, node: int, longest: int) -> Int32:
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
def _goes_before(tree: SearchTree, one: int, other: int) -> bool:
    first, second = tree.nodes[one], tree.nodes[other]
    return bool(first.visits > second.visits or (first.visits == second.visits and first.prior >= second.prior))
