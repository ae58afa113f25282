"""Kernels about regions: who surrounds what, and Benson's pass-alive chains.

- `region_owners(side, stones) -> int8[N*N]`: stones, and empty regions that touch one colour only
- `protective_points(side, stones, owners) -> bool[N*N]`: points to fill oneself once the dame are filled
- `numbered(ids, own, counted) -> (int16[N*N], int, int)`: chains and regions of one colour counted from 0 on
- `pass_alive(side, stones) -> int8[N*N]`: what Black (1) or White (-1) owns even if it always passes

For Python, `points_beside(side)` has the neighbours of each point, `connected(...)` what points lead to,
and `owners(stones, dead)` who owns each point.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from goban.jit import in_place, inner, kernel
from goban.kernels import Bool, Int8, Int16, Int32, label, neighbour_table

Stones = Int8
Mask = Bool


@cache
def points_beside(side: int) -> list[list[int]]:
    """Return the flat indices of the points beside each point; not to be changed."""
    return [[point for point in row if point >= 0] for row in neighbour_table(side).tolist()]


def connected(side: int, points: Iterable[int], among: Bool, most: int) -> set[int]:
    """Return points and those of `among`, bool (N*N,), that are connected to them.

    The nearest are found first; the search ends once there are more than `most`.
    """
    return set(_nearest(side, np.array(sorted(set(points)), np.int16), among, most).tolist())


@kernel
def _nearest(side: int, points: Int16, among: Bool, most: int) -> Int16:
    """Return int16 points, and those that `connected` adds to them."""
    neighbours = neighbour_table(side)
    found, seen = np.empty(side * side, np.int16), np.zeros(side * side, np.bool_)
    count, at = 0, 0
    for point in points:
        found[count], seen[point] = point, True
        count += 1
    while at < count <= most:
        for k in range(4):
            beside = neighbours[found[at], k]
            if beside < 0:
                break
            if among[beside] and not seen[beside]:
                found[count], seen[beside] = beside, True
                count += 1
        at += 1
    return found[:count]


def owners(stones: Stones, dead: Mask) -> Stones:
    """Return int8 (N, N): who owns each point once the dead stones are gone.

    Args:
        stones: int8 (N, N).
        dead: bool (N, N), ignored at empty points.

    An empty region belongs to the one colour that it touches, else it is neutral. Does not tell eyes in seki from
    territory.
    """
    side = len(stones)
    left = np.where(dead, 0, stones).astype(np.int8).ravel()
    return region_owners(side, left).reshape(side, side)


@kernel
def region_owners(side: int, stones: Int8) -> Int8:
    """Return int8 (N*N,): each stone's colour, and the only colour that an empty region touches, else 0."""
    regions = label(side, stones)
    neighbours = neighbour_table(side)
    touches = np.zeros((3, side * side), np.bool_)
    for point in range(side * side):
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0 or stones[point] != 0:
                break
            touches[stones[beside] + 1, regions[point]] = True
    owners = stones.copy()
    for point in range(side * side):
        if stones[point] == 0:
            owners[point] = int(touches[2, regions[point]]) - int(touches[0, regions[point]])
    return owners


@kernel
def protective_points(side: int, stones: Int8, owners: Int8) -> Bool:
    """Return bool (N*N,): the last liberties of chains that dame will put into atari; `owners` of `region_owners`.

    Whether the owner has to fill such a point, and so loses it under territory rules, depends on who fills the dame.
    """
    neighbours = neighbour_table(side)
    chains = label(side, stones)
    own_liberties = np.zeros(side * side, np.int16)
    last = np.zeros(side * side, np.int16)
    dame = np.zeros(side * side, np.bool_)
    for point in range(side * side):
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0 or stones[point] != 0:
                break
            if stones[beside] == 0 or not _first_contact(neighbours, stones, chains, point, k):
                continue
            chain = chains[beside]
            if owners[point] == 0:
                dame[chain] = True
            else:
                own_liberties[chain] += 1
                last[chain] = point
    found = np.zeros(side * side, np.bool_)
    for chain in range(side * side):
        if dame[chain] and own_liberties[chain] == 1:
            found[last[chain]] = True
    return found


@kernel
def pass_alive(side: int, stones: Int8) -> Int8:
    """Return int8 (N*N,): the chains, and regions within, that live even if their owner always passes, else 0.

    Benson's theorem: chains with two vital regions each, in regions bounded by such chains alone. A region
    belongs to them if all its empty points are their liberties, so that nothing can live inside.
    """
    alive = np.zeros(side * side, np.int8)
    neighbours = neighbour_table(side)
    _mark_pass_alive(side, neighbours, stones, 1, alive)
    _mark_pass_alive(side, neighbours, stones, -1, alive)
    return alive


@inner
def _mark_pass_alive(side: int, neighbours: Int16, stones: Int8, colour: int, alive: Int8) -> None:
    """Write `colour` into `alive` wherever that colour is pass-alive."""
    own = (stones == colour).astype(np.int8)
    ids = label(side, own)
    index, chains, regions = numbered(ids, own, _small_regions(neighbours, stones, colour, ids))
    if regions < 2:
        return  # as in every opening: only a small region can be vital, and two are needed
    contact, empties = _region_table(neighbours, stones, colour, index, (chains, regions))
    living = np.ones(chains, np.bool_)
    enclosed = np.ones(regions, np.bool_)
    while _benson_step(contact, empties, living, enclosed):
        pass
    for point in range(side * side):
        number = index[point]
        if number >= 0 and (living[number] if own[point] != 0 else enclosed[number]):
            alive[point] = colour


@inner
def numbered(ids: Int32, own: Int8, counted: Bool) -> tuple[Int16, int, int]:
    """Return (int16 (N*N,): the number of each point's chain or region from 0 on, chains, regions).

    counted: bool (N*N,), by id, whether a region counts; the number of one that does not is -1.
    """
    index = np.empty(len(ids), np.int16)
    chains, regions = 0, 0
    for point in range(len(ids)):
        if ids[point] != point:
            index[point] = index[ids[point]]
        elif own[point] != 0:
            index[point] = chains
            chains += 1
        elif counted[point]:
            index[point] = regions
            regions += 1
        else:
            index[point] = -1
    return index, chains, regions


@inner
def _small_regions(neighbours: Int16, stones: Int8, colour: int, ids: Int32) -> Bool:
    """Return bool (N*N,): by id, whether each empty point of a region is a liberty of some chain of the colour."""
    small = np.ones(len(stones), np.bool_)
    for point in range(len(stones)):
        if stones[point] == 0 and small[ids[point]]:
            small[ids[point]] = _touches(neighbours, stones, colour, point)
    return small


@in_place
def _touches(neighbours: Int16, stones: Int8, colour: int, point: int) -> bool:
    """Return whether a stone of the colour is beside a point."""
    for k in range(4):
        beside = neighbours[point, k]
        if beside < 0:
            break
        if stones[beside] == colour:
            return True
    return False


@inner
def _region_table(
    neighbours: Int16, stones: Int8, colour: int, index: Int16, shape: tuple[int, int]
) -> tuple[Int16, Int16]:
    """Return which chains and small regions are in contact.

    Returns int16 (chains, regions): a region's empty points that are liberties of a chain, -1 if they are apart;
    int16 (regions,): its empty points.
    """
    contact = np.full(shape, -1, np.int16)
    empties = np.zeros(shape[1], np.int16)
    for point in range(len(stones)):
        region = index[point]
        if stones[point] == colour or region < 0:
            continue
        empties[region] += int(stones[point] == 0)
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] == colour:
                chain = index[beside]
                contact[chain, region] = max(contact[chain, region], 0)
                if stones[point] == 0 and _first_contact(neighbours, stones, index, point, k):
                    contact[chain, region] += 1
    return contact, empties


@in_place
def _first_contact(neighbours: Int16, stones: Int8, index: Int16 | Int32, point: int, k: int) -> bool:
    """Return whether no earlier neighbour of `point` belongs to the chain of its neighbour `k`."""
    beside = neighbours[point, k]
    for j in range(k):
        earlier = neighbours[point, j]
        if stones[earlier] == stones[beside] and index[earlier] == index[beside]:
            return False
    return True


@in_place
def _benson_step(contact: Int16, empties: Int16, living: Bool, enclosed: Bool) -> bool:
    """Drop chains without two vital regions, each with the regions beside it; return whether any was dropped."""
    chains, regions = contact.shape
    dropped = False
    for chain in range(chains):
        if not living[chain]:
            continue
        vital = 0
        for region in range(regions):
            vital += int(enclosed[region] and contact[chain, region] == empties[region])
        if vital < 2:
            living[chain] = False
            dropped = True
            for region in range(regions):
                enclosed[region] = enclosed[region] and contact[chain, region] < 0
    return dropped
