"""Dead stones, read out although a network is sure of them: whether they live after all.

They may live by moving first, by a ko, or under the stones: by what their side plays where they stood.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from goban.coords import EMPTY
from goban.position import Chain
from goban.reading.limits import DEAD_GROUP, LEAST_READ, LEAST_UNDER, UNDER_THE_STONES
from goban.reading.reader import Groups, Points, Reader, outcome
from goban.reading.search_stack import CAPTURED, SAFE
from goban.reading.weak_groups import captured_in_return
from goban.regions import Mask, Stones, connected, points_beside


class DeadVerdicts(NamedTuple):
    """The results of reading for dead chains, bool (N, N) each.

    Attributes:
        open: chains that live if their side moves first, or wins every ko.
        unread: chains of which reading does not show that they are captured.
    """

    open: Mask
    unread: Mask


def read_dead_chains(reader: Reader, dead: Mask) -> DeadVerdicts:
    """Return what becomes of the dead chains if their own side moves first and wins every ko.

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
        small = np.count_nonzero(reader.stones.flat[region] == EMPTY) <= DEAD_GROUP.empty
        for chain in sorted(chains, key=lambda each: -len(each.points)):
            if small:
                found = _outcome(reader, chain, reader.stones, _with_weak_walls(reader, groups, region, chain))
            else:
                found = _outcome_nearby(reader, chain, region)
            if found == SAFE:
                open_.append(chain)
            elif found != CAPTURED or not small:
                unread.append(chain)
    return DeadVerdicts(reader.mask(open_), reader.mask(unread))


def _regions(reader: Reader, groups: Groups, dead: Mask) -> Iterator[list[Chain]]:
    """Yield the dead chains of each territory, less those in territory that lives although its owner always passes."""
    found: dict[int, list[Chain]] = {}
    for chain in reader.chains:
        first = chain.points[0]
        if dead.flat[first] and reader.pass_alive.flat[first] != -chain.colour:
            found.setdefault(int(groups.territory[first]), []).append(chain)
    yield from found.values()


def _outcome(reader: Reader, chain: Chain, stones: Stones, area: Points) -> int:
    return outcome(stones, chain.points[0], area, False, DEAD_GROUP, chain.colour)


def _with_weak_walls(reader: Reader, groups: Groups, region: Points, chain: Chain) -> Points:
    """Return the points of a region and of the living chains around it that have no liberty elsewhere."""
    inside = set(region.tolist())
    weak = (
        each.points
        for each in reader.chains
        if each.colour != chain.colour and groups.left.flat[each.points[0]] and inside.issuperset(each.liberties)
    )
    return np.array(sorted(inside.union(*weak)), np.int16)


def _outcome_nearby(reader: Reader, chain: Chain, region: Points) -> int:
    """Return SAFE if a chain of some size lives on the nearest points of a region, whether the other side holds or
    leaves empty those around them; else CAPTURED.
    """
    if len(chain.points) < LEAST_READ:
        return CAPTURED
    among = np.zeros(reader.stones.size, np.bool_)
    among[region] = True
    near = _nearest(reader, chain, among)
    area = np.array(sorted(near), np.int16)
    among[area] = False
    alone = np.where(among.reshape(reader.stones.shape) & (reader.stones == chain.colour), -chain.colour, reader.stones)
    enclosed = alone.copy()
    around = [other for point in near for other in points_beside(reader.side)[point] if among[other]]
    enclosed.flat[around] = -chain.colour
    lives = all(_outcome(reader, chain, stones, area) == SAFE for stones in (enclosed, alone))
    return SAFE if lives else CAPTURED


def _nearest(reader: Reader, chain: Chain, among: Mask) -> set[int]:
    """Return the chain and the nearest points of a region, as many as there may be empty ones."""
    return connected(reader.side, chain.points, among, len(chain.points) + DEAD_GROUP.empty - 1)


def living_under_the_stones(reader: Reader, dead: Mask) -> Mask:
    """Return bool (N, N): the chains in atari that live because capturing them enables a stone that cannot be captured.

    Japanese rules of 1989, Article 7.1; three points without capturing (torazu sanmoku) is the best known case. In
    hanezeki the chains that capture would be captured in return.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), stones that seem to be dead.
    """
    in_atari = (chain for chain in reader.chains if len(chain.liberties) == 1 and dead.flat[chain.points[0]])
    return reader.mask(
        [chain for chain in in_atari if _enables_a_stone(reader, chain, dead) or captured_in_return(reader, chain)]
    )


def _enables_a_stone(reader: Reader, chain: Chain, dead: Mask) -> bool:
    """Return whether the chain's side can play a stone that cannot be captured, once the chain is captured."""
    if len(chain.points) < LEAST_UNDER:
        return False
    regions = reader.groups(dead & (reader.stones == chain.colour)).territory  # what captures it lives
    region = np.flatnonzero(regions == regions[chain.points[0]]).tolist()
    if len(region) > UNDER_THE_STONES.empty:
        return False
    [liberty] = chain.liberties
    captured = reader.position.play(liberty, -chain.colour)
    inside = set(region)
    weak = (each.points for each in captured.chains() if inside.issuperset(each.liberties))
    area = np.array(sorted(inside.union(*weak)), np.int16)
    new = (captured.play(point, chain.colour) for point in chain.points if captured.is_legal(point, chain.colour))
    return any(outcome(after.stones, after.recent[0], area, True, UNDER_THE_STONES) == SAFE for after in new)
