"""Which stones of a finished position are dead: the verdict on all its groups that fits the ownership best as a whole.

A chain is not judged alone: whether it lives also says who owns the points around it, and whether its neighbours live.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.groups import Dead, choices, consistent, groups, verdicts
from goban.counting.nakade import living_in_lone_eyes
from goban.counting.reading import read_out
from goban.counting.score import owners
from goban.position import Position
from goban.regions import pass_alive

UNSURE = 0.95  # |ownership| of a chain from which it is taken as it is
MOST_VERDICTS = 243  # verdicts on the least sure groups that are all tried; the others are decided one by one
DAME = 0.3  # probability that a point without any ownership is nobody's in the end
_FLOOR = 0.01  # no point is surer than this
_DAME_FLOOR = 0.02
_AS_LIKELY_AS_NOT = 0.5
_TOGETHER = 4.0  # points that live and die together count as one in so many


@dataclass(frozen=True, eq=False)
class Verdict:
    """dead: bool (N, N), stones to take off. doubt: float32 (N, N), the probability that a stone is judged wrongly,
    the same for stones of a group, 0 for empty points and for what is certain."""

    dead: Dead
    doubt: NDArray[np.float32]


def judge(position: Position, ownership: NDArray[np.float32], known: NDArray[np.int8] | None = None) -> Verdict:
    """Return the likeliest verdict on the stones of a finished position.

    Args:
        position: N by N.
        ownership: float32 (N, N) in [-1, 1], from an `Evaluator`.
        known: int8 (N, N), 1 for stones that live, -1 for dead ones, 0 for those that are to be judged.

    Unconditionally living stones (Benson, 1976) live and those in their eyes are dead, unless `known` says otherwise.
    """
    stones = position.stones
    alive = pass_alive(position.side, stones.ravel()).reshape(stones.shape) * stones
    known = np.zeros(stones.shape, np.int8) if known is None else known
    settled = np.where(known, known, alive)
    smooth = position.chain_means(ownership)
    status = np.where(settled, settled, np.sign(stones * smooth) * (np.abs(smooth) >= UNSURE)).astype(np.int8)
    read = read_out(position, status, alive > 0)
    settled = np.where(settled, settled, read)
    marked: Dead = (stones != EMPTY) & np.where(settled, settled < 0, stones * smooth < 0)
    court = _Court(stones, ownership)
    unsure = groups(stones, (settled == 0) & (np.abs(smooth) < UNSURE))
    unsure.sort(key=lambda group: abs(float(smooth[group].mean())))
    dead = _improved(court, _best_of_few(court, marked, unsure), unsure)
    dead &= owners(stones, dead) != stones  # what lies in its own side's territory lives
    dead &= ~living_in_lone_eyes(position, dead) | (known < 0)
    doubt = np.zeros(stones.shape, np.float32)
    for group in unsure:
        doubt[group] = court.doubt(dead, [dead & ~group | part for part in choices(dead, group)])
    return Verdict(dead, doubt)


class _Court:
    """Says how well a verdict fits the ownership."""

    def __init__(self, stones: NDArray[np.int8], ownership: NDArray[np.float32]) -> None:
        self._stones = stones
        black = np.clip((1 + ownership.astype(np.float64)) / 2, _FLOOR, 1 - _FLOOR)
        nobody = _DAME_FLOOR + DAME * (1 - np.abs(ownership))
        self._logarithms = np.log([1 - black, nobody, black]).reshape(3, -1)
        self._points = np.arange(stones.size)

    def fit(self, dead: Dead) -> float:
        """Return the logarithm of the likelihood, minus infinity if dead stones do not lie with the enemy."""
        owner = owners(self._stones, dead)
        if not consistent(self._stones, owner, dead):
            return -np.inf
        return float(self._logarithms[owner.ravel() + 1, self._points].sum())

    def doubt(self, dead: Dead, others: list[Dead]) -> float:
        """Return the probability that one of the other verdicts is right and not `dead`, which may be among them."""
        best = self.fit(dead)
        if best == -np.inf:
            return _AS_LIKELY_AS_NOT
        fits = np.array([self.fit(other) for other in others]) - best
        return float(1 - 1 / np.exp(np.minimum(fits, 0) / _TOGETHER).sum())


def _best_of_few(court: _Court, marked: Dead, unsure: list[Dead]) -> Dead:
    """Return the best verdict on the least sure groups, as many as can be tried, the others as marked."""
    for count in range(len(unsure), 0, -1):
        tried = list(verdicts(marked, unsure[:count], MOST_VERDICTS))
        if tried:
            return max(tried, key=court.fit)
    return marked


def _improved(court: _Court, dead: Dead, unsure: list[Dead]) -> Dead:
    """Return the verdict after changing it group by group as long as that fits better."""
    best, before = court.fit(dead), -np.inf
    while best > before:
        before = best
        for group in unsure:
            for part in choices(dead, group):
                other = dead & ~group | part
                if (fit := court.fit(other)) > best:
                    dead, best = other, fit
    return dead
