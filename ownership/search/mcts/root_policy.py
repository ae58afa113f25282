"""The policy at the root of a tree: as the network gives it, and with temperature and noise."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ownership.search.mcts.tree import NONE, PRIOR_UNIT, SearchTree
from ownership.search.mcts.tree_options import TreeOptions

_NOISE: Final = 10.0  # sum of the parameters of the Dirichlet distribution that noise is drawn from


def root_policy(tree: SearchTree) -> NDArray[np.float32]:
    """Return float32 (N*N + 1,): the priors of the root, those of moves that are being evaluated included."""
    priors: NDArray[np.float32] = tree.priors[0] / np.float32(PRIOR_UNIT)
    child = int(tree.nodes[0]["first_child"])
    while child != NONE:
        priors[tree.nodes[child]["move"]] = tree.nodes[child]["prior"]
        child = int(tree.nodes[child]["next_sibling"])
    return priors


def stirred_policy(policy: NDArray[np.float32], options: TreeOptions, plies: int) -> NDArray[np.float32]:
    """Return a policy with the options' temperature and noise, which depends on the number of moves played."""
    moves = np.flatnonzero(policy)
    chances = policy[moves].astype(np.float64) ** (1 / options.policy_temperature)
    chances /= chances.sum()
    if options.noise:
        generator = np.random.default_rng((options.seed, plies))
        drawn = generator.dirichlet(np.full(len(moves), _NOISE / len(moves)))
        chances = (1 - options.noise) * chances + options.noise * drawn
    stirred = np.zeros_like(policy)
    stirred[moves] = chances
    return stirred
