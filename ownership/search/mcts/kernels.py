"""What workers do with a tree: descend to leaves, open them, and add what they are worth to all nodes above.

- `gather(tree, rule, leaves, wanted) -> count`: leaves to be evaluated, with virtual losses on the way to each
- `settle(tree, node, worth, ownership, waited)`: adds an evaluation to a node and all above it
- `open_node(tree, side, node, stones, policy, suicide)`: lists the moves of a node
- `move_root(tree, node, new)`: copies what is below a node into another tree
"""

from math import sqrt
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.jit import kernel
from goban.kernels import Board, Int8, Int32, legal_moves, place
from goban.move_flags import OWN_EYE, SAVES, move_flags
from goban.position import RECENT_MOVES
from ownership.search.mcts.tree import ENDED, NONE, OPEN, OWNERSHIP_UNIT, PENDING, PRIOR_UNIT, Leaves, Tree

NEXT: Final = -2  # the best move that was not tried
FULL: Final = -3  # the tree has no room
REPEATS: Final = -4  # the move brings a position back
_LOSS: Final = 1.0  # what a visit that waits counts against a move


class Rule(NamedTuple):
    """The numbers of PUCT: see `TreeOptions`."""

    exploration: float
    first_play: float


class Worth(NamedTuple):
    """What a position is worth to Black: value, probability of winning, expected points, and their deviation."""

    value: float
    wins: float
    score: float
    deviation: float


@kernel
def gather(tree: Tree, rule: Rule, leaves: Leaves, wanted: int) -> int:
    """Fill `leaves` with up to `wanted` new nodes and return how many there are.

    Fewer where the tree is full, where a descent comes to a game that has ended, which counts as a visit, or where it
    comes to a node that still waits: then the next descent avoids it, since all virtual losses last until the end of
    this call.
    """
    count = collisions = repeated = 0
    while count + collisions + repeated < wanted:
        node, new = _descend(tree, rule, leaves, count)
        if node == FULL:
            break
        if new:
            leaves.nodes[count] = node
            count += 1
            _fly(tree, node, 1)
        elif tree.nodes[node].state == ENDED:
            repeated += 1
            _visit(tree, node)
        else:
            leaves.collided[collisions] = node
            collisions += 1
            _fly(tree, node, 1)
    for number in range(collisions):
        _fly(tree, leaves.collided[number], -1)
    return count


@kernel
def _descend(tree: Tree, rule: Rule, leaves: Leaves, row: int) -> tuple[int, bool]:
    """Return the node at the end of a line and whether it is new, with its position in a row of `leaves`; or FULL."""
    points = tree.ownership.shape[1]
    node = REPEATS
    while node == REPEATS:
        _copy(tree.root, tree.scratch)
        leaves.made[row] = 0
        leaves.prisoners[row] = tree.prisoners
        node = 0
        while node >= 0 and tree.nodes[node].state == OPEN:
            child = _choose(tree, rule, node)
            if child != NEXT:
                _play(tree, leaves, row, int(tree.nodes[child].move), int(tree.nodes[node].to_move), points)
                node = child
                continue
            node = _open_next(tree, leaves, row, node, points)
            if node >= 0:
                leaves.stones[row] = tree.scratch.stones
                return node, True
    return node, False


@kernel
def _choose(tree: Tree, rule: Rule, node: int) -> int:
    """Return the child of an open node that PUCT chooses, or NEXT."""
    here = tree.nodes[node]
    weight = rule.exploration * sqrt(here.visits + here.in_flight)
    best, chosen = -np.inf, NEXT
    if here.opened < here.listed:
        prior = tree.priors[here.edges + here.opened] / PRIOR_UNIT
        value = here.to_move * here.value / here.visits - rule.first_play * sqrt(here.explored)
        best = value + weight * prior
    child = here.first_child
    while child != NONE:
        each = tree.nodes[child]
        visits = each.visits + each.in_flight
        value = (here.to_move * each.value - _LOSS * each.in_flight) / visits + weight * each.prior / (1 + visits)
        if value > best:
            best, chosen = value, child
        child = each.next_sibling
    return chosen


@kernel
def _open_next(tree: Tree, leaves: Leaves, row: int, node: int, points: int) -> int:
    """Make a child of the best move that was not tried, and return it; or FULL, or REPEATS."""
    child = tree.used[0]
    if child == len(tree.nodes):
        return FULL
    here = tree.nodes[node]
    edge = here.edges + here.opened
    move, prior = points, 0.0  # a pass, where all that is listed repeats a position
    if here.opened < here.listed:
        move, prior = int(tree.moves[edge]), tree.priors[edge] / PRIOR_UNIT
        here.opened += 1
    ko = _play(tree, leaves, row, move, int(here.to_move), points)
    word = tree.scratch.hash[0]
    if move != points and _known(tree, node, word):
        return REPEATS
    each = tree.nodes[child]
    each.hash = word
    each.value = each.wins = each.wins_squared = each.score = each.score_squared = 0.0
    each.prior = prior
    each.explored = 0.0
    each.visits = each.own_visits = each.in_flight = 0
    each.parent, each.first_child, each.next_sibling = node, NONE, here.first_child
    each.listed = each.opened = 0
    each.move, each.ko = move, ko
    each.ply = here.ply + 1
    each.to_move = -here.to_move
    each.passes = here.passes + 1 if move == points else 0
    each.state = PENDING
    here.first_child = child
    here.explored += each.prior
    tree.used[0] += 1
    return int(child)


@kernel
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


@kernel
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


@kernel
def _copy(source: Board, target: Board) -> None:
    target.stones[:] = source.stones
    target.head[:] = source.head
    target.following[:] = source.following
    target.size[:] = source.size
    target.pseudo[:] = source.pseudo
    target.hash[:] = source.hash


@kernel
def _fly(tree: Tree, node: int, change: int) -> None:
    """Add to the visits that wait, of a node and all above it."""
    while node != NONE:
        tree.nodes[node].in_flight += change
        node = tree.nodes[node].parent


@kernel
def _visit(tree: Tree, node: int) -> None:
    """Add a visit that ends at an evaluated node to it and all above it."""
    own = tree.nodes[node]
    own.own_visits += 1
    squared = own.own_score * own.own_score + own.own_deviation * own.own_deviation
    while node != NONE:
        each = tree.nodes[node]
        each.visits += 1
        each.value += own.own_value
        each.wins += own.own_wins
        each.wins_squared += own.own_wins * own.own_wins
        each.score += own.own_score
        each.score_squared += squared
        node = each.parent


@kernel
def settle(tree: Tree, node: int, worth: Worth, ownership: npt.NDArray[np.float32], waited: int) -> None:
    """Keep the evaluation of a node, and add it as a visit to the node and all above it.

    Args:
        tree: the tree.
        node: one that `open_node` has given moves, or one after two passes.
        worth: of its position.
        ownership: float32 (N*N,), +1 Black.
        waited: how many virtual losses are taken back on the way: 1, or 0 for the root.
    """
    each = tree.nodes[node]
    each.own_value, each.own_wins = worth.value, worth.wins
    each.own_score, each.own_deviation = worth.score, worth.deviation
    each.state = ENDED if each.passes == 2 else OPEN
    for point in range(len(ownership)):
        tree.ownership[node, point] = round(OWNERSHIP_UNIT * ownership[point])
    _fly(tree, node, -waited)
    _visit(tree, node)


@kernel
def open_node(tree: Tree, side: int, node: int, stones: Int8, policy: npt.NDArray[np.float32], suicide: bool) -> None:
    """List the moves of a node that are legal, fill no own eye unless that saves a chain, and may be made at its ply.

    Args:
        tree: the tree.
        side: N.
        node: whose position it is.
        stones: int8 (N*N,), its stones.
        policy: float32 (N*N + 1,), the probability of each move.
        suicide: whether it is allowed.

    Whether a move repeats a position is looked at when it is tried. A pass is a move everywhere.
    """
    here = tree.nodes[node]
    points, colour = side * side, int(here.to_move)
    legal = legal_moves(side, stones, colour, int(here.ko), suicide)
    flags = move_flags(side, stones, colour)
    forbidden = tree.forbidden[0 if colour > 0 else 1]
    moves = np.empty(points + 1, np.int16)
    count = 0
    for move in range(points):
        if legal[move] and flags[move] & (OWN_EYE | SAVES) != OWN_EYE and forbidden[move] <= here.ply:
            moves[count] = move
            count += 1
    if count == 0 or forbidden[points] <= here.ply:
        moves[count] = points
        count += 1
    here.edges, here.listed = tree.used[1], count
    tree.used[1] += count
    chances = policy[moves[:count]]
    for number, index in enumerate(np.argsort(-chances, kind="mergesort")):
        tree.moves[here.edges + number] = moves[index]
        tree.priors[here.edges + number] = round(PRIOR_UNIT * min(1.0, chances[index]))


@kernel
def move_root(tree: Tree, start: int, new: Tree) -> None:
    """Copy a node with all below it into another tree, in which it is the root.

    Args:
        tree: no visit of it may wait.
        start: the node.
        new: a tree with room for them, whose root is the same position.
    """
    places = np.full(tree.used[0], NONE, np.int32)
    count = edges = 0
    first_ply = tree.nodes[start].ply
    for node in range(start, tree.used[0]):
        old = tree.nodes[node]
        if node != start and (old.parent < start or places[old.parent] == NONE):
            continue
        places[node] = count
        new.nodes[count] = old
        new.ownership[count] = tree.ownership[node]
        each = new.nodes[count]
        each.ply = old.ply - first_ply
        each.edges = edges
        for number in range(old.listed):
            new.moves[edges] = tree.moves[old.edges + number]
            new.priors[edges] = tree.priors[old.edges + number]
            edges += 1
        count += 1
    _relink(new, count, places)
    new.used[0], new.used[1] = count, edges


@kernel
def _relink(tree: Tree, count: int, places: Int32) -> None:
    """Let the first `count` nodes name each other by their new places."""
    for node in range(count):
        each = tree.nodes[node]
        each.parent = NONE if node == 0 else places[each.parent]
        each.next_sibling = NONE if node == 0 or each.next_sibling == NONE else places[each.next_sibling]
        if each.first_child != NONE:
            each.first_child = places[each.first_child]


@kernel
def set_priors(tree: Tree, policy: npt.NDArray[np.float32]) -> None:
    """Give the moves of the root other priors: float32 (N*N + 1,), the probability of each move."""
    root = tree.nodes[0]
    first, last = root.edges + root.opened, root.edges + root.listed
    waiting = tree.moves[first:last].copy()
    chances = policy[waiting]
    for number, index in enumerate(np.argsort(-chances, kind="mergesort")):
        tree.moves[first + number] = waiting[index]
        tree.priors[first + number] = round(PRIOR_UNIT * min(1.0, chances[index]))
    root.explored = 0.0
    child = root.first_child
    while child != NONE:
        each = tree.nodes[child]
        each.prior = policy[each.move]
        root.explored += each.prior
        child = each.next_sibling


@kernel
def children(tree: Tree, node: int) -> Int32:
    """Return int32 (K,): the children of a node that were visited, the last one made first."""
    found = np.empty(tree.nodes[node].opened + 1, np.int32)
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


@kernel
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
