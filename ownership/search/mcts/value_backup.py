"""The values of a tree: evaluations of leaves, added up in all nodes above them."""

from math import atan, pi, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from goban.array_types import Float32, Int8, Int32
from goban.jit import inner, kernel
from ownership.search.mcts.kernel_options import KernelOptions
from ownership.search.mcts.node_expansion import kept_prior
from ownership.search.mcts.puct import chosen_value
from ownership.search.mcts.tree import ENDED, EVALUATED, NONE, OWNERSHIP_UNIT, SearchTree

_PRECISION: Final = 1.5  # of a position's value, times the square root of its visits: one over the variance
_LEAST_CHANCE: Final = 1e-4


@kernel
def back_up(
    tree: SearchTree,
    options: KernelOptions,
    nodes: Int32,
    values: npt.NDArray[np.float64],
    policies: Float32,
    ownerships: Float32,
    first: Int8,
    waited: int,
) -> None:
    """Keep the evaluations of nodes, and back each up, as a visit of the node and all above it.

    Args:
        tree: the tree.
        options: of the search.
        nodes: int32 (B,), those that were evaluated.
        values: float64 (B, 3), to Black: probability of winning, expected points, and their deviation.
        policies: float32 (B, N*N + 1), the probability of each move.
        ownerships: float32 (B, N*N), +1 Black.
        first: int8 (B, N*N), `Leaf.first`, which this changes; 0 without a rollout.
        waited: how many virtual losses are taken back on the way: 1, or 0 for the root.
    """
    for row, node in enumerate(nodes):
        each = tree.nodes[node]
        each.own_wins, each.own_score, each.own_deviation = values[row, 0], values[row, 1], values[row, 2]
        each.own_value = _utility(options, each)
        each.state = ENDED if each.passes == 2 else EVALUATED
        for point in range(ownerships.shape[1]):
            tree.ownership[node, point] = round(OWNERSHIP_UNIT * ownerships[row, point])
        for move in range(policies.shape[1]):
            tree.priors[node, move] = kept_prior(policies[row, move])
        add_virtual_loss(tree, node, -waited)
        add_visit(tree, options, node)
        if options.rave > 0:
            _add_rave(tree, node, first[row])


@inner
def _utility(options: KernelOptions, node: Any) -> float:
    """Return what the search maximises, for the evaluation of a node."""
    term = options.score_weight * 2 / pi * atan((node.own_score - options.centre) / options.score_scale)
    return float(2 * node.own_wins - 1 + term)


@kernel
def revalue(tree: SearchTree, options: KernelOptions) -> None:
    """Recompute the values of all nodes for another centre of the score; no visit may wait."""
    count = tree.used[0]
    for node in range(count - 1, -1, -1):
        each = tree.nodes[node]
        each.own_value = _utility(options, each)
        _sum_up(tree, options, node)


@inner
def add_virtual_loss(tree: SearchTree, node: int, change: int) -> None:
    """Add to the virtual losses of a node and all above it."""
    while node != NONE:
        tree.nodes[node].virtual_losses += change
        node = tree.nodes[node].parent


@inner
def add_visit(tree: SearchTree, options: KernelOptions, node: int) -> None:
    """Back the evaluation of a node up once more: a visit of it and all above it."""
    tree.nodes[node].own_visits += 1
    while node != NONE:
        each = tree.nodes[node]
        each.visits += 1
        _sum_up(tree, options, node)
        node = each.parent


@inner
def _sum_up(tree: SearchTree, options: KernelOptions, node: int) -> None:
    """Recompute the sums over the visits of a node from its own evaluation and its children."""
    here = tree.nodes[node]
    below = here.visits - here.own_visits
    mean = _mean_of_children(tree, node, below)
    shares = value = value_squared = wins = wins_squared = score = score_squared = 0.0
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        if each.visits > 0:
            share = _visit_weight(options, each, here.to_move * (each.value / each.visits - mean))
            shares += share * each.visits
            value += share * each.value
            value_squared += share * each.value_squared
            wins += share * each.wins
            wins_squared += share * each.wins_squared
            score += share * each.score
            score_squared += share * each.score_squared
        child = each.next_sibling
    scale = below / shares if below > 0 else 0.0
    own, own_squared = here.own_visits, here.own_score * here.own_score + here.own_deviation * here.own_deviation
    here.value = own * here.own_value + scale * value
    here.value_squared = own * here.own_value * here.own_value + scale * value_squared
    here.wins = own * here.own_wins + scale * wins
    here.wins_squared = own * here.own_wins * here.own_wins + scale * wins_squared
    here.score = own * here.own_score + scale * score
    here.score_squared = own * own_squared + scale * score_squared
    if options.minimax > 0:
        here.best = _best_child_value(tree, options, node)


@inner
def _mean_of_children(tree: SearchTree, node: int, visits: int) -> float:
    """Return the mean value of the children of a node, given the sum of their visits."""
    total = 0.0
    child = tree.nodes[node].first_child
    while child != NONE:
        each = tree.nodes[child]
        if each.visits > 0:
            total += each.value
        child = each.next_sibling
    return total / max(1, visits)


@inner
def _visit_weight(options: KernelOptions, child: Any, better: float) -> float:
    """Return what a visit of a child counts, given by how much the child is better than the mean of all children.

    A power of the probability that it is better, by a t-distribution with three degrees of freedom.
    """
    if options.value_weighting == 0:
        return 1.0
    z = better * sqrt(_PRECISION * sqrt(child.visits)) / sqrt(3.0)
    chance = 0.5 + (z / (1 + z * z) + atan(z)) / pi
    return float((chance + _LEAST_CHANCE) ** options.value_weighting)


@inner
def _best_child_value(tree: SearchTree, options: KernelOptions, node: int) -> float:
    """Return the value of the best child that was visited, else the node's own."""
    here = tree.nodes[node]
    best, found = -np.inf, float(here.own_value)
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        if each.visits > 0:
            value = chosen_value(options, each) / each.visits
            if here.to_move * value > best:
                best, found = here.to_move * value, value
        child = each.next_sibling
    return found


@inner
def _add_rave(tree: SearchTree, node: int, first: Int8) -> None:
    """Add the value of a leaf to each move, of all nodes above it, that its mover played first in line and rollout."""
    value, points = tree.nodes[node].own_value, len(first)
    while node != NONE:
        here = tree.nodes[node]
        child = here.first_child
        while child != NONE:
            each = tree.nodes[child]
            if each.move != points and first[each.move] == here.to_move:
                each.rave_value += value
                each.rave_visits += 1
            child = each.next_sibling
        if here.parent != NONE and here.move != points:
            first[here.move] = -here.to_move
        node = here.parent
