"""What workers do with a tree: select leaves by PUCT, expand nodes, and back evaluations up to all nodes above.

- `select_leaves(tree, rule, leaves, wanted) -> count`: leaves to be evaluated, with virtual losses on the way to each
- `expand(tree, rule, node, board)`: finds the moves of a node, with their priors
- `back_up(tree, rule, nodes, values, policies, ownerships, first, waited)`: adds evaluations to nodes and all above
- `set_priors(tree, policy)`: gives the moves of the root other priors
- `move_root(tree, node, new)`: copies what is below a node into another tree
- `revalue(tree, rule)`: computes the values anew, for another centre of the score
"""

from math import atan, pi, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.array_types import Float32, Int8, Int32
from goban.board_kernels import LEGAL, SUICIDE, Board, copy_board, move_status, place
from goban.jit import inner, kernel
from goban.position import RECENT_MOVES
from goban.tactics import OWN_EYE, SAVES, move_flags
from ownership.search.mcts.tree import (
    ENDED,
    EVALUATED,
    EXPANDED,
    NONE,
    OWNERSHIP_UNIT,
    PENDING,
    PRIOR_UNIT,
    Leaves,
    Tree,
)

NEXT: Final = -2  # the best move that was not tried
FULL: Final = -3  # the tree has no room
REPEATS: Final = -4  # the move brings a position back
_USUAL_DEVIATION: Final = 0.4  # of the values below a position
_USUAL_VISITS: Final = 2.0  # with that deviation, with which every position begins
_VIRTUAL_LOSS: Final = 1.0  # what a visit that waits for its evaluation counts against a move
_PRECISION: Final = 1.5  # of a position's value, times the square root of its visits: one over the variance
_LEAST_CHANCE: Final = 1e-4


class Rule(NamedTuple):
    """The side of the board, whether suicide is allowed, and numbers of `TreeOptions`; `centre` is in points."""

    side: int
    suicide: bool
    exploration: float
    exploration_scaling: float
    first_play: float
    minimax: float
    value_weighting: float
    policy_share: float
    rave: float
    score_weight: float
    score_scale: float
    centre: float


@kernel
def select_leaves(tree: Tree, rule: Rule, leaves: Leaves, wanted: int) -> int:
    """Fill `leaves` with up to `wanted` new nodes and return how many there are.

    Fewer where the tree is full, where a selection comes to a game that has ended, which counts as a visit, or where it
    comes to a node that still waits: then the next one avoids it, since all virtual losses last until the end of
    this call.
    """
    count = collisions = repeated = 0
    while count + collisions + repeated < wanted:
        node, new = _select(tree, rule, leaves, count)
        if node == FULL:
            break
        if new:
            leaves.nodes[count] = node
            count += 1
            _add_virtual_loss(tree, node, 1)
        elif tree.nodes[node].state == ENDED:
            repeated += 1
            _add_visit(tree, rule, node)
        else:
            leaves.collided[collisions] = node
            collisions += 1
            _add_virtual_loss(tree, node, 1)
    for number in range(collisions):
        _add_virtual_loss(tree, leaves.collided[number], -1)
    return count


@inner
def _select(tree: Tree, rule: Rule, leaves: Leaves, row: int) -> tuple[int, bool]:
    """Return the node at the end of a line and whether it is new, with its position in a row of `leaves`; or FULL."""
    points = tree.ownership.shape[1]
    node = REPEATS
    while node == REPEATS:
        copy_board(tree.root, tree.scratch)
        leaves.made[row] = 0
        leaves.prisoners[row] = tree.prisoners
        node = 0
        while node >= 0 and tree.nodes[node].state in (EVALUATED, EXPANDED):
            if tree.nodes[node].state == EVALUATED:
                expand(tree, rule, node, tree.scratch)
            child = _best_child(tree, rule, node)
            if child != NEXT:
                _play(tree, leaves, row, int(tree.nodes[child].move), int(tree.nodes[node].to_move), points)
                node = child
                continue
            node = _add_child(tree, leaves, row, node, points)
            if node >= 0:
                leaves.stones[row] = tree.scratch.stones
                return node, True
    return node, False


@inner
def _best_child(tree: Tree, rule: Rule, node: int) -> int:
    """Return the child of an open node that PUCT chooses, or NEXT."""
    here = tree.nodes[node]
    weight = _exploration(rule, here) * sqrt(here.visits + here.virtual_losses)
    best, chosen = -np.inf, NEXT
    if here.next_move != NONE:
        value = here.to_move * _total(rule, here) / here.visits - rule.first_play * sqrt(here.visited_policy)
        best = value + weight * here.next_prior
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        visits = each.visits + each.virtual_losses
        value = (here.to_move * _total(rule, each) - _VIRTUAL_LOSS * each.virtual_losses) / visits
        if rule.rave > 0 and each.rave_visits > 0:
            share = sqrt(rule.rave / (3 * visits + rule.rave))
            value += share * (here.to_move * each.rave_value / each.rave_visits - value)
        value += weight * each.prior / (1 + visits)
        if value > best:
            best, chosen = value, child
        child = each.next_sibling
    return chosen


@inner
def _exploration(rule: Rule, node: Any) -> float:
    """Return the weight of the policy at a node with visits, larger the more the values below it differ."""
    mean = node.value / node.visits
    squares = max(0.0, node.value_squared - mean * node.value) + _USUAL_VISITS * _USUAL_DEVIATION**2
    deviation = sqrt(squares / (node.visits + _USUAL_VISITS))
    return float(rule.exploration * (1 + rule.exploration_scaling * (deviation / _USUAL_DEVIATION - 1)))


@inner
def _total(rule: Rule, node: Any) -> float:
    """Return the value of a node by which moves are chosen, times its visits."""
    if rule.minimax == 0:
        return float(node.value)
    return float((1 - rule.minimax) * node.value + rule.minimax * node.visits * node.best)


@inner
def _add_child(tree: Tree, leaves: Leaves, row: int, node: int, points: int) -> int:
    """Make a child of the best move that was not tried, and return it; or FULL, or REPEATS."""
    child = tree.used[0]
    if child == len(tree.nodes):
        return FULL
    here = tree.nodes[node]
    move, prior = points, 0.0  # a pass, where every other move repeats a position
    if here.next_move != NONE:
        move, prior = int(here.next_move), here.next_prior
        tree.priors[node, move] = 0
        _find_next(tree, node)
    ko = _play(tree, leaves, row, move, int(here.to_move), points)
    word = tree.scratch.hash[0]
    if move != points and _known(tree, node, word):
        return REPEATS
    each = tree.nodes[child]
    each.hash = word
    each.value = each.value_squared = each.wins = each.wins_squared = 0.0
    each.score = each.score_squared = each.best = each.rave_value = 0.0
    each.prior = prior
    each.visited_policy = 0.0
    each.visits = each.own_visits = each.rave_visits = each.virtual_losses = 0
    each.parent, each.first_child, each.next_sibling = node, NONE, here.first_child
    each.move, each.ko, each.next_move = move, ko, NONE
    each.ply = here.ply + 1
    each.to_move = -here.to_move
    each.passes = here.passes + 1 if move == points else 0
    each.state = PENDING
    here.first_child = child
    here.visited_policy += each.prior
    tree.used[0] += 1
    return int(child)


@inner
def _play(tree: Tree, leaves: Leaves, row: int, move: int, colour: int, points: int) -> int:
    """Play a move on the scratch board and note it in a row of `leaves`; return the ko that it makes."""
    leaves.before[row, 1] = leaves.before[row, 0]
    leaves.before[row, 0] = tree.scratch.stones
    for later in range(RECENT_MOVES - 1, 0, -1):
        leaves.recent[row, later] = leaves.recent[row, later - 1]
    leaves.recent[row, 0] = move
    leaves.made[row] += 1
    if move == points:
        return -1
    captured, lost, ko = place(tree.scratch, move, colour)
    mine = 0 if colour > 0 else 1
    leaves.prisoners[row, mine] += captured
    leaves.prisoners[row, 1 - mine] += lost
    return ko


@inner
def _known(tree: Tree, node: int, word: np.uint64) -> bool:
    """Return whether the stones stood so in the game, or on the way from the root to a node."""
    place_in = np.searchsorted(tree.earlier, word)
    if place_in < len(tree.earlier) and tree.earlier[place_in] == word:
        return True
    while node != NONE:
        if tree.nodes[node].hash == word:
            return True
        node = tree.nodes[node].parent
    return False


@inner
def _add_virtual_loss(tree: Tree, node: int, change: int) -> None:
    """Add to the virtual losses of a node and all above it."""
    while node != NONE:
        tree.nodes[node].virtual_losses += change
        node = tree.nodes[node].parent


@inner
def _add_visit(tree: Tree, rule: Rule, node: int) -> None:
    """Back the evaluation of a node up once more: a visit of it and all above it."""
    tree.nodes[node].own_visits += 1
    while node != NONE:
        each = tree.nodes[node]
        each.visits += 1
        _add_up(tree, rule, node)
        node = each.parent


@inner
def _add_up(tree: Tree, rule: Rule, node: int) -> None:
    """Compute the sums over the visits of a node anew, from its own evaluation and its children."""
    here = tree.nodes[node]
    below = here.visits - here.own_visits
    mean = _mean_below(tree, node, below)
    shares = value = value_squared = wins = wins_squared = score = score_squared = 0.0
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        if each.visits > 0:
            share = _share(rule, each, here.to_move * (each.value / each.visits - mean))
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
    if rule.minimax > 0:
        here.best = _best_value(tree, rule, node)


@inner
def _mean_below(tree: Tree, node: int, visits: int) -> float:
    """Return the mean value of the children of a node, which have so many visits in all."""
    total = 0.0
    child = tree.nodes[node].first_child
    while child != NONE:
        each = tree.nodes[child]
        if each.visits > 0:
            total += each.value
        child = each.next_sibling
    return total / max(1, visits)


@inner
def _share(rule: Rule, child: Any, better: float) -> float:
    """Return what a visit of a child counts, given by how much the child is better than the mean of all children.

    A power of the probability that it is better, by a t-distribution with three degrees of freedom.
    """
    if rule.value_weighting == 0:
        return 1.0
    z = better * sqrt(_PRECISION * sqrt(child.visits)) / sqrt(3.0)
    chance = 0.5 + (z / (1 + z * z) + atan(z)) / pi
    return float((chance + _LEAST_CHANCE) ** rule.value_weighting)


@inner
def _best_value(tree: Tree, rule: Rule, node: int) -> float:
    """Return the value of the best child that was visited, else the node's own."""
    here = tree.nodes[node]
    best, found = -np.inf, float(here.own_value)
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        if each.visits > 0:
            value = _total(rule, each) / each.visits
            if here.to_move * value > best:
                best, found = here.to_move * value, value
        child = each.next_sibling
    return found


@kernel
def back_up(
    tree: Tree,
    rule: Rule,
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
        rule: of the search.
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
        each.own_value = _value(rule, each)
        each.state = ENDED if each.passes == 2 else EVALUATED
        for point in range(ownerships.shape[1]):
            tree.ownership[node, point] = round(OWNERSHIP_UNIT * ownerships[row, point])
        for move in range(policies.shape[1]):
            tree.priors[node, move] = _kept_prior(policies[row, move])
        _add_virtual_loss(tree, node, -waited)
        _add_visit(tree, rule, node)
        if rule.rave > 0:
            _add_rave(tree, node, first[row])


@inner
def _value(rule: Rule, node: Any) -> float:
    """Return what the search maximises, for the evaluation of a node."""
    term = rule.score_weight * 2 / pi * atan((node.own_score - rule.centre) / rule.score_scale)
    return float(2 * node.own_wins - 1 + term)


@inner
def _add_rave(tree: Tree, node: int, first: Int8) -> None:
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


@inner
def _kept_prior(prior: float) -> int:
    """Return a prior in PRIOR_UNIT, at least 1: the move may be tried."""
    return max(1, int(PRIOR_UNIT * min(1.0, prior) + 0.5))


@kernel
def expand(tree: Tree, rule: Rule, node: int, board: Board) -> None:
    """Find the moves of a node that are legal, fill no own eye unless that saves a chain, and may be made at its ply.

    Args:
        tree: the tree.
        rule: of the search.
        node: one that was evaluated.
        board: its position.

    Whether a move repeats a position is looked at when it is tried. A pass is a move everywhere.
    """
    here = tree.nodes[node]
    points, colour = len(board.stones), int(here.to_move)
    flags = move_flags(rule.side, board.stones, colour)
    forbidden = tree.forbidden[0 if colour > 0 else 1]
    priors = tree.priors[node]
    count = 0
    for move in range(points):
        status = move_status(board, move, colour)
        legal = move != here.ko and (status == LEGAL or (status == SUICIDE and rule.suicide))
        if legal and flags[move] & (OWN_EYE | SAVES) != OWN_EYE and forbidden[move] <= here.ply:
            count += 1
        else:
            priors[move] = 0
    if count == 0 or forbidden[points] <= here.ply:
        count += 1
    else:
        priors[points] = 0
    if rule.policy_share < 1:
        for move in range(points + 1):
            if priors[move] > 0:
                policy = priors[move] / PRIOR_UNIT
                priors[move] = _kept_prior(rule.policy_share * policy + (1 - rule.policy_share) / count)
    here.state = EXPANDED
    _find_next(tree, node)


@inner
def _find_next(tree: Tree, node: int) -> None:
    """Find the likeliest move of a node that was not tried, the first one of several."""
    best, found = 0, NONE
    for move in range(tree.priors.shape[1]):
        if tree.priors[node, move] > best:
            best, found = tree.priors[node, move], move
    tree.nodes[node].next_move, tree.nodes[node].next_prior = found, best / PRIOR_UNIT


@kernel
def set_priors(tree: Tree, policy: Float32) -> None:
    """Give the moves of the root other priors: float32 (N*N + 1,), the probability of each move."""
    root = tree.nodes[0]
    for move in range(len(policy)):
        if tree.priors[0, move] > 0:
            tree.priors[0, move] = _kept_prior(policy[move])
    _find_next(tree, 0)
    root.visited_policy = 0.0
    child = root.first_child
    while child != NONE:
        each = tree.nodes[child]
        each.prior = policy[each.move]
        root.visited_policy += each.prior
        child = each.next_sibling


@kernel
def move_root(tree: Tree, start: int, new: Tree) -> None:
    """Copy a node with all below it into another tree, in which it is the root.

    Args:
        tree: no visit of it may wait.
        start: the node.
        new: a tree with room for them, whose root is the same position.
    """
    places = np.full(tree.used[0], NONE, np.int32)
    count = 0
    first_ply = tree.nodes[start].ply
    for node in range(start, tree.used[0]):
        old = tree.nodes[node]
        if node != start and (old.parent < start or places[old.parent] == NONE):
            continue
        places[node] = count
        new.nodes[count] = old
        new.ownership[count] = tree.ownership[node]
        new.priors[count] = tree.priors[node]
        new.nodes[count].ply = old.ply - first_ply
        count += 1
    _relink(new, count, places)
    new.used[0] = count


@inner
def _relink(tree: Tree, count: int, places: Int32) -> None:
    """Let the first `count` nodes name each other by their new places."""
    for node in range(count):
        each = tree.nodes[node]
        each.parent = NONE if node == 0 else places[each.parent]
        each.next_sibling = NONE if node == 0 or each.next_sibling == NONE else places[each.next_sibling]
        if each.first_child != NONE:
            each.first_child = places[each.first_child]


@kernel
def revalue(tree: Tree, rule: Rule) -> None:
    """Compute the values of all nodes anew, for another centre of the score; no visit may wait."""
    count = tree.used[0]
    for node in range(count - 1, -1, -1):
        each = tree.nodes[node]
        each.own_value = _value(rule, each)
        _add_up(tree, rule, node)
