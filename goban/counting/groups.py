"""Verdicts about the groups of a finished position: which of them there are to try, and whether one is consistent."""

from collections.abc import Iterator
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE
from goban.kernels import label

Dead = NDArray[np.bool_]
Stones = NDArray[np.int8]


def groups(stones: Stones, chosen: Dead) -> list[Dead]:
    """Return the groups, bool (N, N) each, of the chosen stones: chains of one colour that empty points connect.

    stones: int8 (N, N). chosen: bool (N, N), whole chains.
    """
    found = []
    for colour in (BLACK, WHITE):
        own = chosen & (stones == colour)
        passable = (own | (stones == EMPTY)).astype(np.int8)
        areas = label(len(stones), passable.ravel()).reshape(stones.shape)
        found += [own & (areas == area) for area in np.unique(areas[own])]
    return found


def choices(marked: Dead, group: Dead) -> list[Dead]:
    """Return the ways to decide about a group, the dead stones of each: as marked, all, none; each way once."""
    return list({part.tobytes(): part for part in (marked & group, group, ~group & False)}.values())


def verdicts(marked: Dead, open_groups: list[Dead], most: int) -> Iterator[Dead]:
    """Yield the dead stones for every way to decide about the groups, or nothing if there are more than `most`.

    marked: bool (N, N), the dead stones to begin with, which is what the first verdict says.
    """
    ways = [choices(marked, group) for group in open_groups]
    if prod(map(len, ways)) > most:
        return
    sure = marked & ~np.logical_or.reduce([np.zeros_like(marked), *open_groups])
    for parts in product(*ways):
        yield np.logical_or.reduce([sure, *parts])


def consistent(stones: Stones, owner: Stones, dead: Dead) -> bool:
    """Return whether the dead stones lie with the enemy; owner: int8 (N, N), of each point once they are gone."""
    return np.array_equal(owner[dead], -stones[dead])
