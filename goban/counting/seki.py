"""Which living stones of a finished position stand in seki."""

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.score import owners
from goban.kernels import label, neighbour_table
from goban.position import Position

_LARGEST_SINGLE_EYE = 2
_SHARED_LIBERTIES = 2


def seki_stones(position: Position, dead: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return bool (N, N): stones of groups without two eyes that share liberties with such a group of the other side.

    Args: `position`; `dead` bool (N, N), stones that are taken off first. A group is what living stones of one
    colour and the empty regions that only they touch connect. Groups that share one point only, with no eye, are
    taken to be neighbours at a dame. Does not read: the dead stones decide who lives.
    """
    side = position.side
    owner = owners(position.stones, dead)
    groups = label(side, owner.ravel())
    left = np.where(dead, EMPTY, position.stones).ravel()
    weak = _weak_groups(side, left, owner.ravel(), groups)
    found = np.zeros(side * side, np.bool_)
    for region in np.unique(groups[owner.ravel() == EMPTY]).tolist():
        shared = _shared(side, groups == region, owner.ravel(), groups, weak)
        found |= np.isin(groups, shared)
    stones: NDArray[np.bool_] = (found & (left != EMPTY)).reshape(side, side)
    return stones


def _weak_groups(
    side: int, left: NDArray[np.int8], owner: NDArray[np.int8], groups: NDArray[np.int32]
) -> dict[int, int]:
    """Return the groups that have one small eye or none, with the points of their eyes."""
    regions = label(side, left)
    weak = {}
    for group in np.unique(groups[owner != EMPTY]).tolist():
        inside = (groups == group) & (left == EMPTY)
        points, eyes = int(inside.sum()), len(np.unique(regions[inside]))
        if points <= _LARGEST_SINGLE_EYE and eyes <= 1:
            weak[group] = points
    return weak


def _shared(
    side: int,
    dame: NDArray[np.bool_],
    owner: NDArray[np.int8],
    groups: NDArray[np.int32],
    weak: dict[int, int],
) -> list[int]:
    """Return the weak groups around a region of dame, if both sides have some there and neither can be taken."""
    beside = neighbour_table(side)[dame]
    around = [group for group in np.unique(groups[beside[beside >= 0]]).tolist() if group in weak]
    if {int(owner[group]) for group in around} != {-1, 1}:
        return []
    enough = int(dame.sum()) >= _SHARED_LIBERTIES or all(weak[group] for group in around)
    return around if enough else []
