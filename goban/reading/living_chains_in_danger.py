"""Living chains that the next move can capture, so that the count changes.

Here are the chains that have a liberty outside their own territory: a dame, a shared point, or one of the other side's.
`short_of_liberties` reads those that have all liberties in it.
"""

from typing import Final

import numpy as np

from goban.array_types import Mask, Stones
from goban.coords import EMPTY
from goban.position import Chain, Position
from goban.reading.capture_search import Area, Limit, read_capture, with_chains_inside
from goban.reading.position_reader import Groups, PositionReader
from goban.reading.search_stack import CAPTURED
from goban.reading.seki import nakade_seki
from goban.regions import connected, owners, points_beside

_FEW: Final = 2  # liberties of a chain that is read, or one more outside its territory
_NEARBY: Final = Limit(8, 10_000)  # around such a chain


def taken_next(reader: PositionReader, dead: Mask) -> Mask:
    """Return bool (N, N): living chains that are captured if the other side moves first, so that the count changes.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.

    Chains of one or two liberties are read, at least one of which is not in their own territory, and of three, none of
    which is, unless they live unconditionally. A capture that the next move takes back, so that the count stays,
    changes nothing.
    """
    groups = reader.groups(dead)
    spared = ((reader.pass_alive != EMPTY) | dead).ravel()
    territory = np.where(groups.left == EMPTY, groups.owner, EMPTY).ravel()
    chains = (chain for chain in reader.chains if len(chain.liberties) <= _FEW + 1 and not spared[chain.points[0]])
    outside = (chain for chain in chains if _is_short(chain, territory))
    taken = reader.mask([chain for chain in outside if _is_taken(reader, groups, chain, dead)])
    return taken & ~nakade_seki(reader, dead | taken) if taken.any() else taken


def _is_short(chain: Chain, territory: Stones) -> bool:
    """Return whether a chain of few liberties has one outside its own territory; int8 (N*N,) says whose that is."""
    outside = territory[list(chain.liberties)] != chain.colour
    return bool(outside.any() if len(outside) <= _FEW else outside.all())


def _is_taken(reader: PositionReader, groups: Groups, chain: Chain, dead: Mask) -> bool:
    """Return whether the other side, which moves first, captures a chain and has more points for it."""
    if len(chain.liberties) == 1:
        return not is_taken_back(reader, chain, dead)
    area = _nearby(reader, groups, chain)
    return read_capture(reader.stones, chain.points[0], area, True, _NEARBY) == CAPTURED


def _nearby(reader: PositionReader, groups: Groups, chain: Chain) -> Area:
    """Return the points nearest to a chain of few liberties and to those around it, and the chains enclosed there."""
    beside = points_beside(reader.side)
    around = {other for point in chain.points for other in beside[point]}
    few = (each for each in reader.chains if each.colour != chain.colour and len(each.liberties) <= _FEW)
    pressed = [point for each in few if not around.isdisjoint(each.points) for point in each.liberties]
    passable = (groups.left == EMPTY).ravel()
    inside = connected(reader.side, [*chain.liberties, *pressed], passable, _NEARBY.empty - 1)
    return with_chains_inside(inside.union(chain.points), reader.chains)


def is_taken_back(reader: PositionReader, chain: Chain, dead: Mask) -> bool:
    """Return whether the stone that captures a chain in atari is captured in return, without a change of the count.

    A ko is not: it is retaken only after a move elsewhere. Dead: bool (N, N), the dead stones.
    """
    [liberty] = chain.liberties
    captured = Position.from_stones(reader.stones).play(liberty, -chain.colour)
    captor = captured.chain_at(liberty)
    if captor is None or len(captor.liberties) != 1 or not captured.is_legal(captor.liberties[0], chain.colour):
        return False
    [retake] = captor.liberties
    retaken = captured.play(retake, chain.colour)
    again = retaken.chain_at(retake)
    if again is None or len(again.liberties) == 1:
        return False
    before, after = (int(owners(stones, dead).sum()) for stones in (reader.stones, retaken.stones))
    return chain.colour * (after - before) >= 0
