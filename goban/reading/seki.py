"""Seki: which groups of a finished position live without two eyes, because neither side can start to capture.

This is the one definition: territory rules give no points for the eyes of these groups, and their stones are what
status lists and pictures show.
"""

import numpy as np

from goban.jit import inner, kernel
from goban.kernels import Bool, Int8, Int16, Int32, label, neighbour_table

_LARGEST_SINGLE_EYE = 2


@kernel
def seki_groups(side: int, stones: Int8, owners: Int8, claimed: Bool) -> Bool:
    """Return bool (N*N,): the stones and the eyes of groups in seki.

    Args:
        side: of the board.
        stones: int8 (N*N,), without the dead ones.
        owners: int8 (N*N,), of `region_owners` for these stones.
        claimed: bool (N*N,), stones that the players claim to be in seki.

    A group is what stones of one colour and the empty regions that only they touch connect. It is weak if it has no
    eye, or a single one of at most two points, in which no second eye can be made. Two weak groups of different colours
    are in seki if they meet at a dame and one of them has an eye, or if they meet at two dame: groups without eyes that
    share one point are neighbours at a dame, and one of them will connect there. Groups with claimed stones are in seki
    too, and with them every weak group beside their dame.

    Trusts that dead stones are gone; does not look at what will be connected once dame are filled.
    """
    groups = label(side, owners)
    eyes, eye_points = _count_eyes(side, stones, owners, groups)
    weak = (eyes <= 1) & (eye_points <= _LARGEST_SINGLE_EYE)
    in_seki = _meeting_at_dame(side, owners, groups, weak, eyes)
    _add_claimed(side, stones, owners, groups, weak, claimed, in_seki)
    found = np.zeros(side * side, np.bool_)
    for point in range(side * side):
        found[point] = in_seki[groups[point]]
    return found


@inner
def _count_eyes(side: int, stones: Int8, owners: Int8, groups: Int32) -> tuple[Int16, Int16]:
    """Return two int16 (N*N,), each at the first point of a group: its eyes, and the points of all of them."""
    regions = label(side, stones)
    eyes = np.zeros(side * side, np.int16)
    points = np.zeros(side * side, np.int16)
    for point in range(side * side):
        if stones[point] == 0 and owners[point] != 0:
            points[groups[point]] += 1
            eyes[groups[point]] += int(regions[point] == point)
    return eyes, points


@inner
def _meeting_at_dame(side: int, owners: Int8, groups: Int32, weak: Bool, eyes: Int16) -> Bool:
    """Return bool (N*N,), at the first point of each weak group: whether one of the other colour keeps it in seki."""
    neighbours = neighbour_table(side)
    meeting = np.zeros(side * side, np.bool_)
    for point in range(side * side):
        if owners[point] != 0:
            continue
        for k in range(4):
            one = neighbours[point, k]
            if one < 0:
                break
            for j in range(k):
                other = neighbours[point, j]
                first, second = groups[one], groups[other]
                if owners[one] * owners[other] != -1 or not weak[first] or not weak[second]:
                    continue
                if eyes[first] + eyes[second] > 0 or _meet_after(neighbours, owners, groups, point, first, second):
                    meeting[first] = True
                    meeting[second] = True
    return meeting


@inner
def _add_claimed(
    side: int, stones: Int8, owners: Int8, groups: Int32, weak: Bool, claimed: Bool, in_seki: Bool
) -> None:
    """Mark, at their first points, groups with claimed stones and the weak groups that share their areas of dame."""
    neighbours = neighbour_table(side)
    chosen = np.zeros(side * side, np.bool_)  # at the first points of groups
    shared = np.zeros(side * side, np.bool_)  # at the first points of areas of dame
    for point in range(side * side):
        if claimed[point] and stones[point] != 0:
            chosen[groups[point]] = True
    for adding in (False, True):
        for point in range(side * side):
            if owners[point] != 0:
                continue
            for k in range(4):
                beside = neighbours[point, k]
                if beside < 0:
                    break
                if chosen[groups[beside]]:
                    shared[groups[point]] = True
                if adding and shared[groups[point]] and owners[beside] != 0 and weak[groups[beside]]:
                    in_seki[groups[beside]] = True
    in_seki |= chosen


@inner
def _meet_after(neighbours: Int16, owners: Int8, groups: Int32, point: int, one: int, other: int) -> bool:
    """Return whether two groups, given by their first points, also meet at a dame after `point`."""
    for dame in range(point + 1, len(owners)):
        if owners[dame] == 0 and _touches(neighbours, groups, dame, one) and _touches(neighbours, groups, dame, other):
            return True
    return False


@inner
def _touches(neighbours: Int16, groups: Int32, point: int, group: int) -> bool:
    """Return whether a point is beside a group, given by its first point."""
    for k in range(4):
        beside = neighbours[point, k]
        if beside < 0:
            break
        if groups[beside] == group:
            return True
    return False
