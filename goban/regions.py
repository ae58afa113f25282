"""Who surrounds what, and what is connected.

- `region_owners(side, stones) -> int8[N*N]`: stones, and empty regions that touch one colour only
- `protective_points(side, stones, owners) -> bool[N*N]`: points to fill oneself once the dame are filled

For Python, `points_beside(side)` has the neighbours of each point, `connected(...)` what points lead to,
and `owners(stones, dead)` who owns each point.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from goban.array_types import Bool, Int8, Int16, Mask, Stones
from goban.chain_kernels import first_contact, label, neighbour_table
from goban.jit import kernel


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
            if stones[beside] == 0 or not first_contact(neighbours, stones, chains, point, k):
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
