"""Living chains that are short of liberties: their own territory does not save them if the other side moves first.

Here are the chains that have all liberties in their own territory; `living_chains_in_danger` reads the others.
"""

from typing import Final

import numpy as np

from goban.array_types import Mask
from goban.coords import EMPTY
from goban.position import Chain
from goban.reading.capture_search import Limit, read_capture
from goban.reading.position_reader import Groups, PositionReader
from goban.reading.search_stack import CAPTURED
from goban.regions import connected, points_beside

_SHORTAGE: Final = Limit(8, 1_000)  # around chains short of liberties
_FEW: Final = 2  # liberties of a chain that its own territory may not save


def short_of_liberties(reader: PositionReader, dead: Mask, proved: Mask) -> Mask:
    """Return bool (N, N): living chains of few liberties that are captured if the other side moves first.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.
        proved: bool (N, N), the stones among them that are captured although their own side moves first.

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
        if len(chain.liberties) > _FEW or spared[first]:
            continue
        own = {other for point in chain.points for other in beside[point] if owner[other] == colour}
        if not own.issuperset(chain.liberties):
            continue
        invaders = own.difference(chain.liberties)
        if invaders and (len(chain.points) == 1 or _are_proved(invaders, own, proved, groups)):
            continue
        if _is_captured_in_territory(reader, chain, own, territory == colour):
            found.append(chain)
    return reader.mask(found)


def _are_proved(invaders: set[int], own: set[int], proved: Mask, groups: Groups) -> bool:
    """Return whether all invaders are proved to be captured, and the points of territory around them are in one."""
    return bool(proved.flat[list(invaders)].all()) and len(set(groups.territory[list(own)].tolist())) == 1


def _is_captured_in_territory(reader: PositionReader, chain: Chain, beside: set[int], own: Mask) -> bool:
    """Return whether a chain is captured on the points of its territory, bool (N*N,), nearest to those beside it."""
    inside = connected(reader.side, beside, own, _SHORTAGE.empty - 1)
    area = np.array(sorted({*chain.points, *inside}), np.int16)
    return read_capture(reader.stones, chain.points[0], area, True, _SHORTAGE) == CAPTURED
