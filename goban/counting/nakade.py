"""Nakade seki: stones that look dead inside the only eye of a group, which cannot capture them without dying itself."""

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.score import Mask, owners
from goban.kernels import label, neighbour_table
from goban.position import Position

_SHAPE = 3  # stones of a chain that leaves a three-point eye when it is captured, in which its side plays first
_SHARED = 2  # liberties


def nakade_seki(position: Position, dead: Mask) -> Mask:
    """Return bool (N, N): stones of chains that live in the only eye of a group although they are called dead.

    Args:
        position: a finished one, N by N.
        dead: bool (N, N), stones that seem to be dead.

    Such a chain leaves two points of the eye around it, both of them its liberties. The group around it has no other
    eye, and either has no liberties elsewhere, so that the side that takes one of the two points is captured on the
    other one, or would get three points for the stones, which are one eye after the next move. A group that may still
    connect to a friend across a dame is left alone, and so are chains of one or two stones.
    """
    owner = owners(position.stones, dead).ravel()
    groups = label(position.side, owner)
    left = np.where(dead, EMPTY, position.stones).ravel()
    found = np.zeros(dead.size, np.bool_)
    beside_dame = neighbour_table(position.side)[owner == EMPTY]
    for chain in position.chains():
        first = chain.points[0]
        if not dead.flat[first] or len(chain.points) < _SHAPE or len(chain.liberties) != _SHARED:
            continue
        group = groups == groups[first]
        eyes = np.flatnonzero(group & (left == EMPTY))
        if set(eyes.tolist()) != {*chain.points, *chain.liberties}:
            continue
        own_dame = _touching(beside_dame, group)
        friendly_dame = _touching(beside_dame, (owner == owner[first]) & ~group)
        if not (own_dame & friendly_dame).any() and (len(chain.points) == _SHAPE or not own_dame.any()):
            found[list(chain.points)] = True
    return found.reshape(dead.shape)


def _touching(neighbours: NDArray[np.int16], points: Mask) -> Mask:
    """Return for each row of neighbours, -1 for none, whether one of the points is among them."""
    return np.asarray((points[neighbours] & (neighbours >= 0)).any(axis=1))
