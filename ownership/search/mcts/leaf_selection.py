"""The walk from the root down to new leaves, which are to be evaluated."""

from typing import Final

import numpy as np

from goban.board_kernels import copy_board, place
from goban.jit import inner, kernel
from goban.position import RECENT_MOVES
from ownership.search.mcts.kernel_options import KernelOptions
from ownership.search.mcts.node_expansion import expand, find_next_move
from ownership.search.mcts.puct import NEXT, best_child
from ownership.search.mcts.tree import ENDED, EVALUATED, EXPANDED, NONE, PENDING, Leaves, SearchTree
from ownership.search.mcts.value_backup import add_virtual_loss, add_visit

FULL: Final = -3  # the tree has no room
REPEATS: Final = -4  # the move brings a position back


@kernel
def select_leaves(tree: SearchTree, options: KernelOptions, leaves: Leaves, wanted: int) -> int:
    """Fill `leaves` with up to `wanted` new nodes and return how many there are.

    Fewer where the tree is full, where a selection comes to a game that has ended, which counts as a visit, or where it
    comes to a node that still waits: then the next one avoids it, since all virtual losses last until the end of
    this call.
    """
    count = collisions = repeated = 0
    while count + collisions + repeated < wanted:
        node, new = _select_leaf(tree, options, leaves, count)
        if node == FULL:
            break
        if new:
            leaves.nodes[count] = node
            count += 1
            add_virtual_loss(tree, node, 1)
        elif tree.nodes[node].state == ENDED:
            repeated += 1
            add_visit(tree, options, node)
        else:
            leaves.collided[collisions] = node
            collisions += 1
            add_virtual_loss(tree, node, 1)
    for number in range(collisions):
        add_virtual_loss(tree, leaves.collided[number], -1)
    return count


@inner
def _select_leaf(tree: SearchTree, options: KernelOptions, leaves: Leaves, row: int) -> tuple[int, bool]:
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
                expand(tree, options, node, tree.scratch)
            child = best_child(tree, options, node)
            if child != NEXT:
                _play_on_scratch(tree, leaves, row, int(tree.nodes[child].move), int(tree.nodes[node].to_move), points)
                node = child
                continue
            node = _add_child(tree, leaves, row, node, points)
            if node >= 0:
                leaves.stones[row] = tree.scratch.stones
                return node, True
    return node, False


@inner
def _add_child(tree: SearchTree, leaves: Leaves, row: int, node: int, points: int) -> int:
    """Make a child of the best move that was not tried, and return it; or FULL, or REPEATS."""
    child = tree.used[0]
    if child == len(tree.nodes):
        return FULL
    here = tree.nodes[node]
    move, prior = points, 0.0  # a pass, where every other move repeats a position
    if here.next_move != NONE:
        move, prior = int(here.next_move), here.next_prior
        tree.priors[node, move] = 0
        find_next_move(tree, node)
    ko = _play_on_scratch(tree, leaves, row, move, int(here.to_move), points)
    word = tree.scratch.hash[0]
    if move != points and _repeats(tree, node, word):
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
def _play_on_scratch(tree: SearchTree, leaves: Leaves, row: int, move: int, colour: int, points: int) -> int:
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
def _repeats(tree: SearchTree, node: int, word: np.uint64) -> bool:
    """Return whether the stones stood so in the game, or on the way from the root to a node."""
    place_in = np.searchsorted(tree.earlier, word)
    if place_in < len(tree.earlier) and tree.earlier[place_in] == word:
        return True
    while node != NONE:
        if tree.nodes[node].hash == word:
            return True
        node = tree.nodes[node].parent
    return False
