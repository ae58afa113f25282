"""Nakade seki: stones that look dead inside the only eye of a group, which cannot capture them without dying itself."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.score import Mask, owners
from goban.kernels import label, neighbour_table
from goban.life import capture
from goban.position import Chain, Position
from goban.search_stack import CAPTURED

MOST_MOVES: Final = 10_000  # tried after the stones are captured
_LEAST_STONES: Final = 3  # of a chain: fewer leave no shape in which its side could play
_SHARED: Final = 2  # liberties

Points = NDArray[np.int64]


def nakade_seki(position: Position, dead: Mask) -> Mask:
    """Return bool (N, N): stones of chains that live in the only eye of a group although they are called dead.

    Args:
        position: a finished one, N by N.
        dead: bool (N, N), stones that seem to be dead.

    Such a chain leaves two points of the eye around it, both of them its liberties. The group around it has no other
    eye, and either has no liberties elsewhere, so that the side that takes one of the two points is captured on the
    other one, or would be captured after it has taken the stones: their shape is one eye after the next move. A group
    that may still connect to a friend across a dame is left alone, and so are chains of one or two stones.
    """
    owner = owners(position.stones, dead).ravel()
    groups = label(position.side, owner)
    left = np.where(dead, EMPTY, position.stones).ravel()
    found = np.zeros(dead.size, np.bool_)
    dame = np.flatnonzero(owner == EMPTY)
    beside_dame = neighbour_table(position.side)[dame]
    for chain in position.chains():
        first = chain.points[0]
        if not dead.flat[first] or len(chain.points) < _LEAST_STONES or len(chain.liberties) != _SHARED:
            continue
        group = groups == groups[first]
        eyes = np.flatnonzero(group & (left == EMPTY))
        if set(eyes.tolist()) != {*chain.points, *chain.liberties}:
            continue
        own_dame = _touching(beside_dame, group)
        friendly_dame = _touching(beside_dame, (owner == owner[first]) & ~group)
        if not (own_dame & friendly_dame).any() and (not own_dame.any() or _is_fatal(position, chain, dame[own_dame])):
            found[list(chain.points)] = True
    return found.reshape(dead.shape)


def _is_fatal(position: Position, chain: Chain, dame: Points) -> bool:
    """Return whether the chains around another, which has two liberties, are captured after they have captured it.

    They have no other liberties than dame, which do not help them.
    """
    stones = position.stones.ravel().copy()
    stones[[*dame, *chain.liberties]] = [*(chain.colour,) * len(dame), *(-chain.colour,) * len(chain.liberties)]
    stones[list(chain.points)] = EMPTY
    area = np.array(sorted(chain.points), np.int16)
    return capture(position.side, stones, chain.liberties[0], area, True, MOST_MOVES) == CAPTURED


def _touching(neighbours: NDArray[np.int16], points: Mask) -> Mask:
    """Return for each row of neighbours, -1 for none, whether one of the points is among them."""
    return np.asarray((points[neighbours] & (neighbours >= 0)).any(axis=1))
