"""Which stones of a finished board are dead, given who is likely to own each point.

Dead are the stones of the status assignment that makes the ownership likeliest. A chain is not judged alone: whether it
lives also decides who owns the points around it, and whether its neighbours live. Reading of small areas adds what the
ownership does not show.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.coords import EMPTY
from goban.counting.status_assignments import AS_LIKELY_AS_NOT, SUREST, Likelihood, assignments, group_choices, groups
from goban.reading.position_reader import PositionReader
from goban.reading.seki import double_ko_race, nakade_seki
from goban.reading.under_the_stones import living_under_the_stones
from goban.reading.unsure_chains import LEAST_LIVING, read_unsure_chains
from goban.reading.weak_groups import WeakGroupVerdicts, read_dead_groups, read_weak_groups

SURE_SURVIVAL: Final = 0.85  # |ownership| of a chain from which it is taken as it is
_SURE_OWNERSHIP: Final = 0.95  # the same of the network's alone, where rollouts agree about the side
MOST_ASSIGNMENTS: Final = 243  # to the least sure groups that are all tried; the others are decided one by one
_ROUNDS: Final = 3  # of reading weak groups: one that dies may leave others weak, or alive


@dataclass(frozen=True, eq=False)
class StatusAssignment:
    """Which stones are dead.

    Attributes:
        dead: bool (N, N), stones to take off.
        doubt: float32 (N, N), the probability that a stone's status is wrong: the same for all stones of a group, 0 for
            empty points and for what is certain.
        read: bool (N, N), stones whose status reading has decided.
        open: bool (N, N), stones whose status depends on who moves next, or on a ko, as reading shows.
        unproved: bool (N, N), living stones of groups without two eyes of which reading does not show that they live.
    """

    dead: Mask
    doubt: NDArray[np.float32]
    read: Mask
    open: Mask
    unproved: Mask


def assign_status(reader: PositionReader, claimed: Stones | None = None) -> StatusAssignment:
    """Return the likeliest status of all stones of a finished position.

    Args:
        reader: of the position, N by N, and its ownership from an `Evaluator`.
        claimed: int8 (N, N), 1 for stones that the players claim to live, -1 for dead ones, 0 for all others.
    """
    stones, survival = reader.stones, reader.survival
    known, read = known_status(reader, claimed)
    marked = (stones != EMPTY) & np.where(known, known < 0, survival < 0)
    unsure = groups(stones, (known == 0) & (np.abs(survival) < SURE_SURVIVAL))
    unsure.sort(key=lambda group: abs(float(survival[group].mean())))
    likelihood = Likelihood(stones, reader.judged)
    dead = _improve(likelihood, _likeliest_of_few(likelihood, marked, unsure), unsure)
    dead = _without_living(reader, dead, claimed)
    doubt = np.zeros(stones.shape, np.float32)
    for group in unsure:
        doubt[group] = likelihood.doubt(dead, [dead & ~group | choice for choice in group_choices(dead, group)])
    nothing = np.zeros(stones.shape, np.bool_)
    status = _with_weak_groups_read(reader, claimed, StatusAssignment(dead, doubt, read, nothing, nothing))
    return replace(status, doubt=_with_races(reader, status.doubt, claimed))


def known_status(reader: PositionReader, claimed: Stones | None = None) -> tuple[Stones, Mask]:
    """Return int8 (N, N), 1 for stones that are known to live, -1 for dead ones, 0 for others, and the stones read.

    What the players claim comes first, then unconditional life (Benson, 1976) with the stones in the eyes of living
    chains, then what reading out small areas proves. Reading takes chains of which the ownership is sure as they are.
    """
    unconditional, survival = reader.pass_alive * reader.stones, reader.survival
    known = unconditional if claimed is None else np.where(claimed, claimed, unconditional)
    agreed = (np.abs(reader.means) >= _SURE_OWNERSHIP) & ~reader.contested
    sure = np.sign(survival) * (agreed | (np.abs(survival) >= SURE_SURVIVAL))
    read = read_unsure_chains(reader, np.where(known, known, sure).astype(np.int8), survival > 0)
    return np.where(known, known, read).astype(np.int8), (known == 0) & (read != 0)


def _likeliest_of_few(likelihood: Likelihood, marked: Mask, unsure: list[Mask]) -> Mask:
    """Return the likeliest assignment to the least certain groups, in MOST_ASSIGNMENTS tries; others stay as marked."""
    for count in range(len(unsure), 0, -1):
        tried = list(assignments(marked, unsure[:count], MOST_ASSIGNMENTS))
        if tried:
            return max(tried, key=likelihood.log_likelihood)
    return marked


def _improve(likelihood: Likelihood, dead: Mask, unsure: list[Mask]) -> Mask:
    """Return the assignment after changing it group by group as long as that makes it likelier."""
    best, before = likelihood.log_likelihood(dead), -np.inf
    while best > before:
        before = best
        for group in unsure:
            for choice in group_choices(dead, group):
                other = dead & ~group | choice
                if (log_likelihood := likelihood.log_likelihood(other)) > best:
                    dead, best = other, log_likelihood
    return dead


def _without_living(reader: PositionReader, dead: Mask, claimed: Stones | None) -> Mask:
    """Return the dead stones without those in territory of their own.

    Without those in nakade seki and those that live by stones played where they stood, too, nor those that no longer
    lie with the enemy because these live, unless claimed to be dead.
    """
    dead = dead & (reader.groups(dead).owner != reader.stones)
    asked = dead if claimed is None else dead & (claimed >= 0)
    living = (nakade_seki(reader, dead) | living_under_the_stones(reader, dead)) & asked
    if living.any():
        living |= asked & (reader.groups(dead & ~living).owner == EMPTY)
    return dead & ~living


def _with_races(reader: PositionReader, doubt: NDArray[np.float32], claimed: Stones | None) -> NDArray[np.float32]:
    """Return the doubt about stones with that about races by double ko, which neither network nor reading decides."""
    racing = double_ko_race(reader.position) & (claimed is None or claimed == 0)
    return np.where(racing, np.maximum(doubt, AS_LIKELY_AS_NOT), doubt).astype(np.float32)


def _with_weak_groups_read(
    reader: PositionReader, claimed: Stones | None, status: StatusAssignment
) -> StatusAssignment:
    """Return the assignment with weak groups read: those that are dead taken off, and doubt about those left open."""
    dead = status.dead
    unclaimed = np.ones(dead.shape, np.bool_) if claimed is None else claimed == 0
    read = read_dead_groups(reader, dead) & unclaimed
    dead = dead & ~read
    for _ in range(_ROUNDS):
        verdicts = read_weak_groups(reader, dead)
        captured = _captured(reader, verdicts, dead) & unclaimed
        if not captured.any():
            break
        read |= captured
        dead = _without_living(reader, dead | captured, claimed)
    survival = reader.survival
    doubt = np.where(dead == status.dead, status.doubt, 0)
    open_ = verdicts.open | verdicts.dead
    open_ &= ~nakade_seki(reader, dead | open_)
    unproved = verdicts.unproved & (survival < SURE_SURVIVAL)
    doubted = np.where(open_, AS_LIKELY_AS_NOT, np.where(unproved, np.minimum((1 - survival) / 2, SUREST), 0))
    doubt = np.maximum(doubt, np.where(unclaimed, doubted, 0)).astype(np.float32)
    read = (status.read | read | (verdicts.living & unclaimed)) & ~open_
    return StatusAssignment(dead, doubt, read, open_ & unclaimed, verdicts.unproved & unclaimed)


def _captured(reader: PositionReader, verdicts: WeakGroupVerdicts, dead: Mask) -> Mask:
    """Return bool (N, N): the captured chains in groups with a chain of some size, or next to such a dead chain."""
    large = [chain for chain in reader.chains if len(chain.points) >= LEAST_LIVING]
    captured = [chain for chain in large if verdicts.dead.flat[chain.points[0]]]
    groups = {int(verdicts.groups.flat[chain.points[0]]) for chain in captured}
    gone = captured + [chain for chain in large if dead.flat[chain.points[0]]]
    liberties = {(chain.colour, point) for chain in gone for point in chain.liberties}
    beside = [chain for chain in reader.chains if any((chain.colour, point) in liberties for point in chain.liberties)]
    found: Mask = verdicts.dead & (np.isin(verdicts.groups, list(groups)) | reader.mask(beside))
    return found
