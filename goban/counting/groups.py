"""Groups of a finished position, and the assignments of dead or alive to them that are worth trying."""

from collections.abc import Iterator
from itertools import product
from math import prod

import numpy as np

from goban.coords import BLACK, EMPTY, WHITE
from goban.kernels import label
from goban.regions import Mask, Stones


def groups(stones: Stones, chosen: Mask) -> list[Mask]:
    """Return the groups, bool (N, N) each, of the chosen stones: chains of one colour that empty points connect.

    Args:
        stones: int8 (N, N).
        chosen: bool (N, N), whole chains.
    """
    found = []
    for colour in (BLACK, WHITE):
        own = chosen & (stones == colour)
        passable = (own | (stones == EMPTY)).astype(np.int8)
        areas = label(len(stones), passable.ravel()).reshape(stones.shape)
        found += [own & (areas == area) for area in np.unique(areas[own])]
    return found


def group_choices(marked: Mask, group: Mask) -> list[Mask]:
    """Return which stones of a group may be dead: those that are marked, all, none; each choice once."""
    return list({choice.tobytes(): choice for choice in (marked & group, group, ~group & False)}.values())


def assignments(marked: Mask, open_groups: list[Mask], most: int) -> Iterator[Mask]:
    """Yield the dead stones, bool (N, N), for every combination of the groups' choices.

    Args:
        marked: bool (N, N), the dead stones to begin with, which are the first assignment.
        open_groups: of `groups`; no other stones change.
        most: yields nothing if there are more combinations.
    """
    choices = [group_choices(marked, group) for group in open_groups]
    if prod(map(len, choices)) > most:
        return
    fixed = marked & ~np.logical_or.reduce([np.zeros_like(marked), *open_groups])
    for parts in product(*choices):
        yield np.logical_or.reduce([fixed, *parts])


def consistent(stones: Stones, owner: Stones, dead: Mask) -> bool:
    """Return whether the dead stones lie with the enemy; owner: int8 (N, N), of each point once they are gone."""
    return np.array_equal(owner[dead], -stones[dead])
