"""The moves of a node and their priors."""

from goban.array_types import Float32
from goban.board_kernels import LEGAL, SUICIDE, Board, move_status
from goban.jit import inner, kernel
from goban.move_effects import OWN_EYE, SAVES, move_flags
from ownership.search.mcts.kernel_options import KernelOptions
from ownership.search.mcts.tree import EXPANDED, NONE, PRIOR_UNIT, SearchTree


@kernel
def expand(tree: SearchTree, options: KernelOptions, node: int, board: Board) -> None:
    """Find the moves of a node that are legal, fill no own eye unless that saves a chain, and may be made at its ply.

    Args:
        tree: the tree.
        options: of the search.
        node: one that was evaluated.
        board: its position.

    Whether a move repeats a position is looked at when it is tried. A pass is a move everywhere.
    """
    here = tree.nodes[node]
    points, colour = len(board.stones), int(here.to_move)
    flags = move_flags(options.side, board.stones, colour)
    forbidden = tree.forbidden[0 if colour > 0 else 1]
    priors = tree.priors[node]
    count = 0
    for move in range(points):
        status = move_status(board, move, colour)
        legal = move != here.ko and (status == LEGAL or (status == SUICIDE and options.suicide))
        if legal and flags[move] & (OWN_EYE | SAVES) != OWN_EYE and forbidden[move] <= here.ply:
            count += 1
        else:
            priors[move] = 0
    if count == 0 or forbidden[points] <= here.ply:
        count += 1
    else:
        priors[points] = 0
    if options.policy_share < 1:
        for move in range(points + 1):
            if priors[move] > 0:
                policy = priors[move] / PRIOR_UNIT
                priors[move] = kept_prior(options.policy_share * policy + (1 - options.policy_share) / count)
    here.state = EXPANDED
    find_next_move(tree, node)


@kernel
def set_priors(tree: SearchTree, policy: Float32) -> None:
    """Give the moves of the root other priors: float32 (N*N + 1,), the probability of each move."""
    root = tree.nodes[0]
    for move in range(len(policy)):
        if tree.priors[0, move] > 0:
            tree.priors[0, move] = kept_prior(policy[move])
    find_next_move(tree, 0)
    root.visited_policy = 0.0
    child = root.first_child
    while child != NONE:
        each = tree.nodes[child]
        each.prior = policy[each.move]
        root.visited_policy += each.prior
        child = each.next_sibling


@inner
def find_next_move(tree: SearchTree, node: int) -> None:
    """Find the likeliest move of a node that was not tried, the first one of several."""
    best, found = 0, NONE
    for move in range(tree.priors.shape[1]):
        if tree.priors[node, move] > best:
            best, found = tree.priors[node, move], move
    tree.nodes[node].next_move, tree.nodes[node].next_prior = found, best / PRIOR_UNIT


@inner
def kept_prior(prior: float) -> int:
    """Return a prior in PRIOR_UNIT, at least 1: the move may be tried."""
    return max(1, int(PRIOR_UNIT * min(1.0, prior) + 0.5))
