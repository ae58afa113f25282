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

    A chain is read in the nearest points of its own territory, dead stones there included. A chain beside proved ones is
    left out, and a stone alone beside any: what captures it is captured in return, or lives, which is read for its own
    sake.
    """
    groups = reader.groups(dead)
    territory = np.where(groups.left == EMPTY, groups.owner, EMPTY).ravel()
    alive, owner = reader.pass_alive.ravel().tolist(), territory.tolist()
    return reader.mask(
        [
            chain
            for chain in reader.chains
            if len(chain.liberties) <= SHORT_OF_LIBERTIES
            and not alive[chain.points[0]]
            and not dead.flat[chain.points[0]]
            and all(owner[point] == chain.colour for point in chain.liberties)
            and _is_captured(reader, chain, territory == chain.colour, proved)
        ]
    )


def _is_captured(reader: Reader, chain: Chain, own: Mask, proved: Mask) -> bool:
    """Return whether a chain is captured on the nearest points of its territory, bool (N*N,)."""
    beside = points_beside(reader.side)
    start = {other for point in chain.points for other in beside[point] if own[other]}
    invaders = start.difference(chain.liberties)
    if invaders and (len(chain.points) == 1 or proved.flat[list(invaders)].all()):
        return False
    inside = connected(reader.side, start, own, SHORTAGE.empty - 1)
    area = np.array(sorted({*chain.points, *inside}), np.int16)
    return outcome(reader.stones, chain.points[0], area, True, SHORTAGE) == CAPTURED
