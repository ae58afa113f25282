"""The results of a tree for the position at its root and its moves, and the kernels that read them from it."""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Float32, Int32
from goban.coords import BLACK, opponent
from goban.jit import inner, kernel
from ownership.search.mcts.tree import NONE, OWNERSHIP_UNIT, SearchTree
from ownership.search.search_options import SearchResult, TreeOptions

LONGEST_VARIATION: Final = 40
_BOUND: Final = 3.0  # standard errors from the mean down to the lower confidence bound
_COIN: Final = 0.25  # variance of the probability of winning that every move begins with
_LEAST_SHARE: Final = 0.1  # of the most visits, for a move to be chosen by its bound


@dataclass(frozen=True, eq=False)
class TreeValue:
    """What a position is worth, averaged over the visits below it; Black's view.

    Attributes:
        visits: how many there are.
        value: what the search maximises: 2 * wins - 1 and a term for the score.
        wins: probability that Black has more points in the end.
        score: expected points of Black minus White's, komi included.
        deviation: standard deviation of the score in points.
        error: standard error of `wins`.
    """

    visits: int
    value: float
    wins: float
    score: float
    deviation: float
    error: float

    @classmethod
    def of(cls, node: Any) -> "TreeValue":
        """Return the value of a row of `SearchTree.nodes` with visits."""
        visits = int(node["visits"])
        wins, score = float(node["wins"]) / visits, float(node["score"]) / visits
        variance = max(0.0, float(node["wins_squared"]) / visits - wins * wins)
        return cls(
            visits,
            float(node["value"]) / visits,
            wins,
            score,
            math.sqrt(max(0.0, float(node["score_squared"]) / visits - score * score)),
            math.sqrt((visits * variance + _COIN) / (visits + 1) / visits),
        )

    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour has more points in the end."""
        return self.wins if colour == BLACK else 1 - self.wins


@dataclass(frozen=True, eq=False)
class TreeMove:
    """A move at the root that was visited.

    Attributes:
        point: flat index, N*N for a pass.
        prior: its probability by the policy.
        value: of the position after it.
        lower_bound: of the mover's probability of winning.
        line: the move and the best moves after it.
        line_visits: visits of each of them.
    """

    point: int
    prior: float
    value: TreeValue
    lower_bound: float
    line: tuple[int, ...]
    line_visits: tuple[int, ...]

    @property
    def visits(self) -> int:
        """How often it was visited."""
        return self.value.visits


@dataclass(frozen=True)
class TreeResult(SearchResult):
    """What a tree search found so far.

    Attributes:
        root: the value of the position.
        own: the same by the network alone; `error` has no meaning there.
        moves: those that were visited, best first.
    """

    root: TreeValue = TreeValue(0, 0.0, 0.5, 0.0, 0.0, 0.5)
    own: TreeValue = TreeValue(0, 0.0, 0.5, 0.0, 0.0, 0.5)
    moves: tuple[TreeMove, ...] = ()


@dataclass(frozen=True, eq=False)
class TreeOwnership:
    """Ownership averaged over a tree.

    Attributes:
        mean: float32 (N, N), +1 Black.
        deviation: float32 (N, N), the standard deviation over the tree's positions.
    """

    mean: Float32
    deviation: Float32


def result_of(tree: SearchTree, options: TreeOptions, evaluations: int, seconds: float) -> TreeResult:
    """Return the result of a tree; its root must be evaluated.

    Args:
        tree: the tree.
        options: by what moves are ordered.
        evaluations, seconds: since the search began.
    """
    root = tree.nodes[0]
    moves = tuple(_ordered([_move(tree, node) for node in children(tree, 0).tolist()], options))
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
    bound = max(0.0, value.wins_for(mover) - _BOUND * value.error)
    return TreeMove(
        int(line[0]["move"]),
        float(line[0]["prior"]),
        value,
        bound,
        tuple(line["move"].tolist()),
        tuple(line["visits"].tolist()),
    )


def _ordered(moves: list[TreeMove], options: TreeOptions) -> list[TreeMove]:
    most = max((each.visits for each in moves), default=0)

    def by_visits(each: TreeMove) -> tuple[float, float]:
        return -each.visits, -each.prior

    def by_bound(each: TreeMove) -> tuple[bool, float, float]:
        return each.visits < _LEAST_SHARE * most, -each.lower_bound, -each.visits

    return sorted(moves, key=by_bound if options.choice == "lcb" else by_visits)


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
