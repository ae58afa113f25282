"""The part of a tree below the moves that a game went on with, which the next search begins with."""

import numpy as np

from goban.array_types import Int32
from goban.game import Game
from goban.jit import inner, kernel
from ownership.search.mcts.tree import EVALUATED, EXPANDED, NONE, SearchTree
from ownership.search.mcts.tree_result import children


@kernel
def move_root(tree: SearchTree, start: int, new: SearchTree) -> None:
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
def _relink(tree: SearchTree, count: int, places: Int32) -> None:
    """Let the first `count` nodes name each other by their new places."""
    for node in range(count):
        each = tree.nodes[node]
        each.parent = NONE if node == 0 else places[each.parent]
        each.next_sibling = NONE if node == 0 or each.next_sibling == NONE else places[each.next_sibling]
        if each.first_child != NONE:
            each.first_child = places[each.first_child]


def followed_node(tree: SearchTree, before: Game, game: Game) -> int | None:
    """Return the node of a game's position in the tree of an earlier position of it, or None."""
    played = len(before.indexed_moves)
    if game.start != before.start or game.indexed_moves[:played] != before.indexed_moves:
        return None
    if game.positions[played] != before.position:
        return None
    node = 0
    for colour, move in game.indexed_moves[played:]:
        if tree.nodes[node]["to_move"] != colour:
            return None
        below = children(tree, node)
        after_move = below[tree.nodes["move"][below] == move]
        if not len(after_move) or tree.nodes[after_move[0]]["state"] not in (EVALUATED, EXPANDED):
            return None
        node = int(after_move[0])
    return node if int(tree.nodes[node]["to_move"]) == game.position.to_move else None
