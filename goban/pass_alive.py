"""Chains and regions that live even if their owner always passes, by Benson's algorithm (1976).

- `pass_alive(side, stones) -> int8[N*N]`: what Black (1) or White (-1) owns even if it always passes
- `numbered(ids, own, counted) -> (int16[N*N], int, int)`: chains and regions of one colour counted from 0 on
"""

import numpy as np

from goban.array_types import Bool, Int8, Int16, Int32
from goban.chain_kernels import first_contact, label, neighbour_table
from goban.jit import in_place, inner, kernel


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
                if stones[point] == 0 and first_contact(neighbours, stones, index, point, k):
                    contact[chain, region] += 1
    return contact, empties


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
