"""The numbers of a tree search that its kernels need."""

from typing import NamedTuple

from ownership.search.mcts.tree_options import TreeOptions


class KernelOptions(NamedTuple):
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


def kernel_options(options: TreeOptions, side: int, suicide: bool, centre: float) -> KernelOptions:
    """Return the numbers of a search by options: with rollouts, whose results differ by chance, without some of them.

    Args:
        options: how to search.
        side: of the board.
        suicide: whether it is allowed.
        centre: points around which the score counts.
    """
    return KernelOptions(
        side,
        suicide,
        options.exploration,
        0.0 if options.rollouts else options.exploration_scaling,
        options.first_play,
        options.minimax,
        0.0 if options.rollouts else options.value_weighting,
        options.policy_share,
        options.rave,
        options.score_weight,
        options.score_scale,
        centre,
    )
