"""Assignments of a status to the stones of a finished board: which ones there are, and how likely each is.

An assignment says which stones are dead. With the ownership, it has a likelihood: a point that belongs to a colour
once the dead stones are gone is likely to be owned by that colour.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.chain_kernels import label
from goban.coords import BLACK, EMPTY, WHITE
from goban.regions import owners

AS_LIKELY_AS_NOT = 0.5
DAME_PROBABILITY: Final = 0.3  # that a point without any ownership belongs to neither colour in the end
SUREST: Final = 0.99  # no point is surer than this
_DAME_FLOOR: Final = 0.02
_CORRELATED: Final = 4.0  # of points that live and die together, this many count as one


class Likelihood:
    """How likely a status assignment makes the ownership of the whole board.

    Each point is Black's, White's or neutral with a probability of its own; an assignment fixes which.
    """

    def __init__(self, stones: Stones, ownership: NDArray[np.float32]) -> None:
        """Prepare for assignments to the stones, int8 (N, N), given the ownership, float32 (N, N)."""
        self._stones = stones
        black = np.clip((1 + ownership.astype(np.float64)) / 2, 1 - SUREST, SUREST)
        neutral = _DAME_FLOOR + DAME_PROBABILITY * (1 - np.abs(ownership))
        self._logarithms = np.log([1 - black, neutral, black]).reshape(3, -1)
        self._points = np.arange(stones.size)

    def log_likelihood(self, dead: Mask) -> float:
        """Return the log-likelihood of an assignment, minus infinity if dead stones do not lie with the enemy."""
        owner = owners(self._stones, dead)
        if not consistent(self._stones, owner, dead):
            return -np.inf
        return float(self._logarithms[owner.ravel() + 1, self._points].sum())

    def doubt(self, dead: Mask, alternatives: list[Mask]) -> float:
        """Return the probability that one of the alternatives is right and not `dead`, which may be among them."""
        best = self.log_likelihood(dead)
        if best == -np.inf:
            return AS_LIKELY_AS_NOT
        differences = np.array([self.log_likelihood(other) for other in alternatives]) - best
        return float(1 - 1 / np.exp(np.minimum(differences, 0) / _CORRELATED).sum())


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
    if math.prod(map(len, choices)) > most:
        return
    fixed = marked & ~np.logical_or.reduce([np.zeros_like(marked), *open_groups])
    for parts in product(*choices):
        yield np.logical_or.reduce([fixed, *parts])


def consistent(stones: Stones, owner: Stones, dead: Mask) -> bool:
    """Return whether the dead stones lie with the enemy; owner: int8 (N, N), of each point once they are gone."""
    return np.array_equal(owner[dead], -stones[dead])
