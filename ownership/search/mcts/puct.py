"""The formula by which the tree search chooses the next move of a line: PUCT, the value and the policy's weight."""

from math import sqrt
from typing import Any, Final

import numpy as np

from goban.jit import inner
from ownership.search.mcts.kernel_options import KernelOptions
from ownership.search.mcts.tree import NONE, SearchTree

NEXT: Final = -2  # the best move that was not tried
_USUAL_DEVIATION: Final = 0.4  # of the values below a position
_USUAL_VISITS: Final = 2.0  # with that deviation, with which every position begins
_VIRTUAL_LOSS: Final = 1.0  # what a visit that waits for its evaluation counts against a move


@inner
def best_child(tree: SearchTree, options: KernelOptions, node: int) -> int:
    """Return the child of an open node that PUCT chooses, or NEXT."""
    here = tree.nodes[node]
    weight = _exploration_weight(options, here) * sqrt(here.visits + here.virtual_losses)
    best, chosen = -np.inf, NEXT
    if here.next_move != NONE:
        value = here.to_move * chosen_value(options, here) / here.visits - options.first_play * sqrt(
            here.visited_policy
        )
        best = value + weight * here.next_prior
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        visits = each.visits + each.virtual_losses
        value = (here.to_move * chosen_value(options, each) - _VIRTUAL_LOSS * each.virtual_losses) / visits
        if options.rave > 0 and each.rave_visits > 0:
            share = sqrt(options.rave / (3 * visits + options.rave))
            value += share * (here.to_move * each.rave_value / each.rave_visits - value)
        value += weight * each.prior / (1 + visits)
        if value > best:
            best, chosen = value, child
        child = each.next_sibling
    return chosen


@inner
def _exploration_weight(options: KernelOptions, node: Any) -> float:
    """Return the weight of the policy at a node with visits, larger the more the values below it differ."""
    mean = node.value / node.visits
    squares = max(0.0, node.value_squared - mean * node.value) + _USUAL_VISITS * _USUAL_DEVIATION**2
    deviation = sqrt(squares / (node.visits + _USUAL_VISITS))
    return float(options.exploration * (1 + options.exploration_scaling * (deviation / _USUAL_DEVIATION - 1)))


@inner
def chosen_value(options: KernelOptions, node: Any) -> float:
    """Return the value of a node by which moves are chosen, times its visits."""
    if options.minimax == 0:
        return float(node.value)
    return float((1 - options.minimax) * node.value + options.minimax * node.visits * node.best)
