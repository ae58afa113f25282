"""Groups with two eyes, and groups with little territory, as far as can be seen without reading.

- `two_eyed(side, stones, owners) -> bool[N*N]`: stones of groups with two eyes
- `weak_points(stones, owners, groups, alive, most) -> bool[N*N]`: points of groups with little territory
"""

import numpy as np

from goban.array_types import Bool, Int8, Int16, Int32
from goban.chain_kernels import label, neighbour_table
from goban.jit import in_place, inner, kernel

_ROOMY = 7  # points of a region that makes two eyes
_CONNECTING = 3  # points of a region whose chains cannot be cut there


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
            eyes[group] += 2 if sizes[region] >= _ROOMY else 1
    dropped = False
    for row in range(len(contacts)):
        region, group = contacts[row]
        if living[group] and eyes[group] < 2:
            dropped = True
        if eyes[group] < 2 and sizes[region] < _ROOMY:
            enclosed[region] = False
    for group in range(len(living)):
        living[group] = living[group] and eyes[group] >= 2
    return dropped
