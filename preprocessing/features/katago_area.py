"""Area as KataGo's networks read it, as a kernel.

- `katago_area(side, stones, suicide) -> int8[N*N]`: pass-alive chains with what is dead inside, other stones, and empty
  regions that touch one colour only
"""

from typing import NamedTuple

import numpy as np

from goban.jit import inner
from goban.kernels import Bool, Int8, Int16, label, neighbour_table
from goban.regions import numbered


class _Regions(NamedTuple):
    """What one colour surrounds: R regions without its stones, beside C chains of it.

    Attributes:
        number: int16 (N*N,), the chain or region of each point.
        touching: bool (C, R), whether a chain is beside a region.
        vital: bool (C, R), whether all points of a region that count are liberties of a chain.
        inner: int16 (R,), points without a stone of the colour beside them.
        invaded: bool (R,), whether there are stones of the other colour.
    """

    number: Int16
    touching: Bool
    vital: Bool
    inner: Int16
    invaded: Bool


@inner
def katago_area(side: int, stones: Int8, suicide: bool) -> Int8:
    """Return int8 (N*N,): the owner of each point, else 0.

    Args:
        side: of the board.
        stones: int8 (N*N,).
        suicide: whether it is allowed: a region is then vital to a chain only if the stones inside are
            beside the chain, too.

    A region of pass-alive chains with one inner point at most, or without stones, is theirs with all that is in it.
    """
    area = np.zeros(side * side, np.int8)
    _mark(side, stones, 1, suicide, area)
    _mark(side, stones, -1, suicide, area)
    for point in range(side * side):
        if area[point] == 0:
            area[point] = stones[point]
    return area


@inner
def _mark(side: int, stones: Int8, colour: int, suicide: bool, area: Int8) -> None:
    """Write `colour` into `area` where it is pass-alive, and where an empty region touches it alone."""
    regions = _regions(side, stones, colour, suicide)
    living, enclosed = _benson(regions)
    if len(living) == 0:
        return
    for point in range(side * side):
        number = regions.number[point]
        if stones[point] == colour:
            if living[number]:
                area[point] = colour
            continue
        empty = not regions.invaded[number]
        if (enclosed[number] and (regions.inner[number] <= 1 or empty)) or (empty and area[point] == 0):
            area[point] = colour


@inner
def _regions(side: int, stones: Int8, colour: int, suicide: bool) -> _Regions:
    own = (stones == colour).astype(np.int8)
    number, chains, count = numbered(label(side, own), own, np.ones(side * side, np.bool_))
    neighbours = neighbour_table(side)
    touching, liberties = np.zeros((chains, count), np.bool_), np.zeros((chains, count), np.int16)
    inner, counted, invaded = np.zeros(count, np.int16), np.zeros(count, np.int16), np.zeros(count, np.bool_)
    beside = np.empty(4, np.int16)
    for point in range(side * side):
        if own[point] != 0:
            continue
        region = number[point]
        found = _chains_beside(neighbours, own, number, point, beside)
        inner[region] += int(found == 0)
        invaded[region] = invaded[region] or stones[point] != 0
        counts = suicide or stones[point] == 0
        counted[region] += int(counts)
        for chain in beside[:found]:
            touching[chain, region] = True
            liberties[chain, region] += int(counts)
    vital = np.zeros((chains, count), np.bool_)
    for chain in range(chains):
        for region in range(count):
            vital[chain, region] = liberties[chain, region] == counted[region]
    return _Regions(number, touching, vital, inner, invaded)


@inner
def _chains_beside(neighbours: Int16, own: Int8, number: Int16, point: int, beside: Int16) -> int:
    """Write the different chains beside a point to `beside`; return how many there are."""
    found = 0
    for k in range(4):
        other = neighbours[point, k]
        if other < 0:
            break
        if own[other] != 0 and not (beside[:found] == number[other]).any():
            beside[found] = number[other]
            found += 1
    return found


@inner
def _benson(regions: _Regions) -> tuple[Bool, Bool]:
    """Return bool (C,) and (R,): the pass-alive chains, and the regions that only such chains are beside."""
    chains, count = regions.touching.shape
    living, enclosed = np.ones(chains, np.bool_), np.ones(count, np.bool_)
    dropped = True
    while dropped:
        dropped = False
        for chain in range(chains):
            if living[chain] and (regions.vital[chain] & enclosed).sum() < 2:
                living[chain] = False
                dropped = True
                for region in range(count):
                    if regions.touching[chain, region]:
                        enclosed[region] = False
    return living, enclosed
