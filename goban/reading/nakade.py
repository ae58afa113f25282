"""Nakade seki: stones that look dead inside the only eye of a group, which cannot capture them without dying itself."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.kernels import neighbour_table
from goban.position import Chain
from goban.reading.limits import LEAST_NAKADE, NAKADE
from goban.reading.reader import Reader, outcome
from goban.reading.search_stack import CAPTURED
from goban.regions import Mask

_SHARED: Final = 2  # liberties

Points = NDArray[np.int64]


def nakade_seki(reader: Reader, dead: Mask) -> Mask:
    """Return bool (N, N): stones of chains that live in the only eye of a group although they are called dead.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), stones that seem to be dead.

    Such a chain leaves two points of the eye around it, both of them its liberties. The group around it has no other
    eye, and either has no liberties elsewhere, so that the side that takes one of the two points is captured on the
    other one, or would be captured after it has taken the stones: their shape is one eye after the next move. A group
    that may still connect to a friend across a dame is left alone, and so are chains of one or two stones.
    """
    owner, groups, left = reader.groups(dead).owner.ravel(), reader.groups(dead).ids, reader.groups(dead).left.ravel()
    found = np.zeros(dead.size, np.bool_)
    dame = np.flatnonzero(owner == EMPTY)
    beside_dame = neighbour_table(reader.side)[dame]
    for chain in reader.chains:
        first = chain.points[0]
        if not dead.flat[first] or len(chain.points) < LEAST_NAKADE or len(chain.liberties) != _SHARED:
            continue
        group = groups == groups[first]
        eyes = np.flatnonzero(group & (left == EMPTY))
        if set(eyes.tolist()) != {*chain.points, *chain.liberties}:
            continue
        own_dame = _touching(beside_dame, group)
        friendly_dame = _touching(beside_dame, (owner == owner[first]) & ~group)
        if not (own_dame & friendly_dame).any() and (not own_dame.any() or _is_fatal(reader, chain, dame[own_dame])):
            found[list(chain.points)] = True
    return found.reshape(dead.shape)


def _is_fatal(reader: Reader, chain: Chain, dame: Points) -> bool:
    """Return whether the chains around another, which has two liberties, are captured after they have captured it.

    They have no other liberties than dame, which do not help them.
    """
    stones = reader.stones.copy()
    stones.flat[[*dame, *chain.liberties]] = [*(chain.colour,) * len(dame), *(-chain.colour,) * len(chain.liberties)]
    stones.flat[list(chain.points)] = EMPTY
    area = np.array(sorted(chain.points), np.int16)
    return outcome(stones, chain.liberties[0], area, True, NAKADE) == CAPTURED


def _touching(neighbours: NDArray[np.int16], points: Mask) -> Mask:
    """Return for each row of neighbours, -1 for none, whether one of the points is among them."""
    return np.asarray((points[neighbours] & (neighbours >= 0)).any(axis=1))
