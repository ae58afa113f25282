"""Stones that look dead inside the only eye of a group, which cannot take them off without losing itself: seki."""

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.score import owners
from goban.kernels import label, neighbour_table
from goban.position import Position

_KILLING_STONES = 3  # of a chain that leaves a three-point eye when it is taken off, in which its side plays first
_SHARED = 2

Mask = NDArray[np.bool_]


def living_in_lone_eyes(position: Position, dead: Mask) -> Mask:
    """Return bool (N, N): stones of chains that live although they are called dead.

    Args: `position`, a finished one, N by N; `dead` bool (N, N), stones that seem to be dead.

    A chain lives if it leaves two points of the eye around it, both of them its liberties, the group around it has no
    other eye, and either has no liberties elsewhere, so that whoever takes one of the two points is captured on the
    other one, or would get three points for the stones, which are one eye after the next move. A group that may still
    connect to a friend across a dame is left alone, and so are chains of one or two stones.
    """
    owner = owners(position.stones, dead).ravel()
    groups = label(position.side, owner)
    left = np.where(dead, EMPTY, position.stones).ravel()
    found = np.zeros(dead.size, np.bool_)
    beside = neighbour_table(position.side)[owner == EMPTY]
    for chain in position.chains():
        first = chain.points[0]
        if not dead.flat[first] or len(chain.points) < _KILLING_STONES or len(chain.liberties) != _SHARED:
            continue
        group = groups == groups[first]
        inside = np.flatnonzero(group & (left == EMPTY))
        if set(inside.tolist()) != {*chain.points, *chain.liberties}:
            continue
        dame = _touching(beside, group)
        friends = _touching(beside, (owner == owner[first]) & ~group)
        if not (dame & friends).any() and (len(chain.points) == _KILLING_STONES or not dame.any()):
            found[list(chain.points)] = True
    return found.reshape(dead.shape)


def _touching(beside: NDArray[np.int16], points: Mask) -> Mask:
    """Return for each row of neighbours, -1 for none, whether one of the points is among them."""
    return np.asarray((points[beside] & (beside >= 0)).any(axis=1))
