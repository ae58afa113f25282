"""Shortage of liberties (damezumari): living chains that are captured in their territory if the other side moves."""

import numpy as np

from goban.coords import EMPTY
from goban.position import Chain
from goban.reading.limits import SHORT_OF_LIBERTIES, SHORTAGE
from goban.reading.reader import Reader, outcome
from goban.reading.search_stack import CAPTURED
from goban.regions import Mask, connected, points_beside


def short_of_liberties(reader: Reader, dead: Mask, proved: Mask) -> Mask:
    """Return bool (N, N): living chains of few liberties that are captured if the other side moves first.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.
        proved: bool (N, N), those of them that are captured although their own side moves first.

    A chain is read in the nearest points of its own territory, dead stones there included. A chain whose liberties are
    all in one territory with proved stones beside it is left out, and a stone alone beside any: what captures it is
    captured in return, or lives, which is read for its own sake.
    """
    groups = reader.groups(dead)
    territory = np.where(groups.left == EMPTY, groups.owner, EMPTY).ravel()
    spared = ((reader.pass_alive != EMPTY) | dead).ravel().tolist()
    owner, beside = territory.tolist(), points_beside(reader.side)
    found = []
    for chain in reader.chains:
        first, colour = chain.points[0], chain.colour
        if len(chain.liberties) > SHORT_OF_LIBERTIES or spared[first]:
            continue
        own = {other for point in chain.points for other in beside[point] if owner[other] == colour}
        if not own.issuperset(chain.liberties):
            continue
        invaders = own.difference(chain.liberties)
        in_one = len(set(groups.territory[list(own)].tolist())) == 1
        if invaders and (len(chain.points) == 1 or (in_one and proved.flat[list(invaders)].all())):
            continue
        if _is_captured(reader, chain, own, territory == colour):
            found.append(chain)
    return reader.mask(found)


def _is_captured(reader: Reader, chain: Chain, beside: set[int], own: Mask) -> bool:
    """Return whether a chain is captured on the points of its territory, bool (N*N,), nearest to those beside it."""
    inside = connected(reader.side, beside, own, SHORTAGE.empty - 1)
    area = np.array(sorted({*chain.points, *inside}), np.int16)
    return outcome(reader.stones, chain.points[0], area, True, SHORTAGE) == CAPTURED
