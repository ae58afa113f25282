"""Kernels about regions: who surrounds what, Benson's pass-alive chains, and groups with two eyes.

- `region_owners(side, stones) -> int8[N*N]`: stones, and empty regions that touch one colour only
- `protective_points(side, stones, owners) -> bool[N*N]`: points to fill oneself once the dame are filled
- `numbered(ids, own, counted) -> (int16[N*N], int, int)`: chains and regions of one colour counted from 0 on
- `pass_alive(side, stones) -> int8[N*N]`: what Black (1) or White (-1) owns even if it always passes
- `two_eyed(side, stones, owners) -> bool[N*N]`: stones of groups with two eyes, as far as can be seen without reading
- `weak_points(stones, owners, groups, alive, most) -> bool[N*N]`: points of groups with little territory

For Python, `points_beside(side)` has the neighbours of each point, `connected(...)` what points lead to,
and `owners(stones, dead)` who owns each point.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from goban.array_types import Bool, Int8, Int16, Int32, Mask, Stones
from goban.chain_kernels import label, neighbour_table
from goban.jit import in_place, inner, kernel

ROOMY = 7  # points of a region that makes two eyes
_CONNECTING = 3  # points of a region whose chains cannot be cut there


@cache
def points_beside(side: int) -> list[list[int]]:
    """Return the flat indices of the points beside each point; not to be changed."""
    return [[point for point in row if point >= 0] for row in neighbour_table(side).tolist()]


def connected(side: int, points: Iterable[int], among: Bool, most: int) -> set[int]:
    """Return points and all points of `among`, bool (N*N,), that are connected to them.

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


@kernel
def two_eyed(side: int, stones: Int8, owners: Int8) -> Bool:
    """Return bool (N*N,): the stones of groups that have two eyes.

    Args:
        side: of the board.
        stones: int8 (N*N,), without the dead ones.
        owners: int8 (N*N,), the owner of each point, 0 for dame.

    An eye is a region of a colour's own empty points; one of 7 points or more counts as two. Chains of one colour form
    a group if they share a dame, or a region of 3 points or more. As in Benson's algorithm (1976), groups with fewer
    than two eyes are dropped until there are none, together with the small regions beside them, which are false eyes.
    Unlike there, no group is proved to live.
    """
    kinds = np.empty(side * side, np.int8)
    for point in range(side * side):
        kinds[point] = stones[point] if stones[point] != 0 else 2 * owners[point]
    regions = label(side, kinds)
    sizes = np.zeros(side * side, np.int16)
    for point in range(side * side):
        sizes[regions[point]] += 1
    groups = _groups(side, stones, owners, regions, sizes)
    contacts = _contacts(side, stones, owners, regions, groups)
    living, enclosed = np.ones(side * side, np.bool_), np.ones(side * side, np.bool_)
    while _drop(contacts, sizes, living, enclosed):
        pass
    found = np.zeros(side * side, np.bool_)
    for point in range(side * side):
        found[point] = stones[point] != 0 and living[groups[point]]
    return found


@kernel
def weak_points(stones: Int8, owners: Int8, groups: Int32, alive: Int8, most: int) -> Bool:
    """Return bool (N*N,): the points of groups that have little territory and stones that are not proved to live.

    Args:
        stones: int8 (N*N,), without the dead ones.
        owners: int8 (N*N,), the owner of each point, 0 for dame.
        groups: int32 (N*N,), the first point of each point's group.
        alive: int8 (N*N,), not 0 where something lives unconditionally.
        most: points of territory that a group may have.
    """
    territory, unproved = np.zeros(len(stones), np.int16), np.zeros(len(stones), np.bool_)
    for point in range(len(stones)):
        if stones[point] == 0 and owners[point] != 0:
            territory[groups[point]] += 1
        elif stones[point] != 0 and alive[point] == 0:
            unproved[groups[point]] = True
    found = np.zeros(len(stones), np.bool_)
    for point in range(len(stones)):
        group = groups[point]
        found[point] = owners[point] != 0 and unproved[group] and territory[group] <= most
    return found


@inner
def _groups(side: int, stones: Int8, owners: Int8, regions: Int32, sizes: Int16) -> Int32:
    """Return int32 (N*N,): for each stone the number of its group, a point of one of the chains."""
    neighbours = neighbour_table(side)
    parents = np.empty(side * side, np.int32)
    for point in range(side * side):
        parents[point] = point
    first = np.full((2, side * side), -1, np.int32)  # by colour and by region, or by dame, the first chain beside it
    for point in range(side * side):
        if stones[point] != 0 or (owners[point] != 0 and sizes[regions[point]] < _CONNECTING):
            continue
        place = point if owners[point] == 0 else regions[point]
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] == 0 or stones[beside] == -owners[point]:
                continue
            colour = int(stones[beside] > 0)
            if first[colour, place] < 0:
                first[colour, place] = regions[beside]
            parents[_root(parents, regions[beside])] = _root(parents, first[colour, place])
    found = np.zeros(side * side, np.int32)
    for point in range(side * side):
        found[point] = _root(parents, regions[point])
    return found


@in_place
def _root(parents: Int32, chain: int) -> int:
    while parents[chain] != chain:
        chain = parents[chain]
    return chain


@inner
def _contacts(side: int, stones: Int8, owners: Int8, regions: Int32, groups: Int32) -> Int32:
    """Return int32 (K, 2): each region of a colour's own points with each group of that colour beside it, once."""
    neighbours = neighbour_table(side)
    listed = np.zeros((side * side, side * side), np.bool_)
    found = np.empty((4 * side * side, 2), np.int32)
    count = 0
    for point in range(side * side):
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0 or stones[point] != 0 or owners[point] == 0:
                break
            region, group = regions[point], groups[beside]
            if stones[beside] == owners[point] and not listed[region, group]:
                listed[region, group] = True
                found[count, 0], found[count, 1] = region, group
                count += 1
    return found[:count]


@inner
def _drop(contacts: Int32, sizes: Int16, living: Bool, enclosed: Bool) -> bool:
    """Drop the groups that have fewer than two eyes, each with the small regions beside it; return whether any was."""
    eyes = np.zeros(len(living), np.int16)
    for row in range(len(contacts)):
        region, group = contacts[row]
        if enclosed[region]:
            eyes[group] += 2 if sizes[region] >= ROOMY else 1
    dropped = False
    for row in range(len(contacts)):
        region, group = contacts[row]
        if living[group] and eyes[group] < 2:
            dropped = True
        if eyes[group] < 2 and sizes[region] < ROOMY:
            enclosed[region] = False
    for group in range(len(living)):
        living[group] = living[group] and eyes[group] >= 2
    return dropped
