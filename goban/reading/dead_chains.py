"""Dead chains of which a model is sure: whether they live by moving first, or by a ko."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from goban.array_types import Mask, Stones
from goban.coords import EMPTY
from goban.position import Chain
from goban.reading.capture_search import Area, Limit, read_capture, with_chains_inside
from goban.reading.position_reader import Groups, PositionReader
from goban.reading.search_stack import CAPTURED, SAFE
from goban.reading.weak_groups import LEAST_READ
from goban.regions import connected, points_beside

_DEAD_GROUP: Final = Limit(8, 10_000)  # around dead chains of which the network is sure


class DeadChainVerdicts(NamedTuple):
    """The results of reading for dead chains, bool (N, N) each.

    Attributes:
        open: chains that live if their side moves first, or wins every ko.
        unread: chains of which reading does not show that they are captured.
    """

    open: Mask
    unread: Mask


def read_dead_chains(reader: PositionReader, dead: Mask) -> DeadChainVerdicts:
    """Return the fate of the dead chains if their own side moves first and wins every ko.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.

    They are read in the territory around them, with the chains that enclose it as walls, but for those that have no
    liberties elsewhere. Of a larger territory the points nearest to a group of some size are read, as if the other side
    had stones around these: a group that lives in there is open, but one that is captured is unread.
    """
    groups = reader.groups(dead)
    open_, unread = [], []
    for chains in _regions(reader, groups, dead):
        region = np.flatnonzero(groups.territory == groups.territory[chains[0].points[0]]).astype(np.int16)
        small = np.count_nonzero(reader.stones.flat[region] == EMPTY) <= _DEAD_GROUP.empty
        for chain in sorted(chains, key=lambda each: -len(each.points)):
            if small:
                found = _outcome(reader, chain, reader.stones, _with_weak_walls(reader, groups, region, chain))
            else:
                found = _outcome_nearby(reader, chain, region)
            if found == SAFE:
                open_.append(chain)
            elif found != CAPTURED or not small:
                unread.append(chain)
    return DeadChainVerdicts(reader.mask(open_), reader.mask(unread))


def _regions(reader: PositionReader, groups: Groups, dead: Mask) -> Iterator[list[Chain]]:
    """Yield the dead chains of each territory, less those in territory that lives although its owner always passes."""
    found: dict[int, list[Chain]] = {}
    for chain in reader.chains:
        first = chain.points[0]
        if dead.flat[first] and reader.pass_alive.flat[first] != -chain.colour:
            found.setdefault(int(groups.territory[first]), []).append(chain)
    yield from found.values()


def _outcome(reader: PositionReader, chain: Chain, stones: Stones, area: Area) -> int:
    return read_capture(stones, chain.points[0], area, False, _DEAD_GROUP, chain.colour)


def _with_weak_walls(reader: PositionReader, groups: Groups, region: Area, chain: Chain) -> Area:
    """Return the points of a region and of the living chains around it that have no liberty elsewhere."""
    walls = (each for each in reader.chains if each.colour != chain.colour and groups.left.flat[each.points[0]])
    return with_chains_inside(set(region.tolist()), walls)


def _outcome_nearby(reader: PositionReader, chain: Chain, region: Area) -> int:
    """Return SAFE if a chain of some size lives on the nearest points of a region, whether the other side holds or
    leaves empty those around them; else CAPTURED.
    """
    if len(chain.points) < LEAST_READ:
        return CAPTURED
    among = np.zeros(reader.stones.size, np.bool_)
    among[region] = True
    near = connected(reader.side, chain.points, among, len(chain.points) + _DEAD_GROUP.empty - 1)
    area = np.array(sorted(near), np.int16)
    among[area] = False
    alone = np.where(among.reshape(reader.stones.shape) & (reader.stones == chain.colour), -chain.colour, reader.stones)
    enclosed = alone.copy()
    around = [other for point in near for other in points_beside(reader.side)[point] if among[other]]
    enclosed.flat[around] = -chain.colour
    lives = all(_outcome(reader, chain, stones, area) == SAFE for stones in (enclosed, alone))
    return SAFE if lives else CAPTURED
