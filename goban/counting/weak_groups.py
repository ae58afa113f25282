"""Groups without two eyes that are marked alive, read out: a model can overlook that a large group has one eye only.

Dead stones decide which points are eyes, so this comes after the status of all stones is assigned.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.double_ko import double_ko_seki
from goban.counting.score import Mask, owners
from goban.eyes import two_eyed
from goban.kernels import label, neighbour_table
from goban.life import capture
from goban.position import Chain, Position
from goban.regions import pass_alive
from goban.search_stack import CAPTURED, SAFE, UNKNOWN

OWNED: Final = 0.9  # |ownership| from which an empty point beside both colours belongs to one of them
MOST_TERRITORY: Final = 8  # points of a group that may be weak
MOST_LOST: Final = 5  # empty points that belong to a group only because stones in it are dead
MOST_EMPTY: Final = 12  # empty points of an area that is read
LEAST_READ: Final = 4  # stones of a chain that is read although it is dead, or of one that captures such stones
MOST_MOVES: Final = 100_000  # tried for a chain and a side to move first


class Verdicts(NamedTuple):
    """The results of reading for the chains of weak groups, bool (N, N) each.

    Attributes:
        dead: chains that are captured although their own side moves first.
        open: chains whose life depends on who moves first.
        unproved: chains that may live: the area is too large to be read.
        living: chains that cannot be captured although the other side moves first.
        read: all chains of weak groups.
        groups: int32 (N, N), the group of each point, which its territory connects.
    """

    dead: Mask
    open: Mask
    unproved: Mask
    living: Mask
    read: Mask
    groups: NDArray[np.int32]


def read_weak_groups(position: Position, dead: Mask, ownership: NDArray[np.float32]) -> Verdicts:
    """Return the results of reading for the living chains that are in groups without two eyes.

    Args:
        position: a finished one, N by N.
        dead: bool (N, N), the dead stones.
        ownership: float32 (N, N), divides empty areas that both colours touch.

    A group is weak if it has at most 8 points of territory, and no two eyes (`two_eyed`) that Benson (1976) confirms or
    that can be seen. Its chains are read in the area of dame and weak groups around it. All other groups are walls.
    """
    doubtful, places = _doubtful(position, dead, ownership)
    shape = dead.shape
    captured, open_, unproved, living = np.zeros((4, *shape), np.bool_)
    verdicts = Verdicts(captured, open_, unproved, living, doubtful.reshape(shape), places.groups.reshape(shape))
    if doubtful.any():
        for chain in position.chains():
            if doubtful[chain.points[0]]:
                _read(position, chain, places, verdicts)
    return verdicts


def read_dead_groups(position: Position, dead: Mask, ownership: NDArray[np.float32]) -> Mask:
    """Return bool (N, N): dead stones that reading proves to live, since the group around them is weak without them.

    Stones beside them whose life depends on who moves first, as in a ko, are among them.

    Args:
        position: a finished one, N by N.
        dead: bool (N, N), the dead stones.
        ownership: float32 (N, N), divides empty areas that both colours touch.
    """
    living = np.zeros(dead.shape, np.bool_)
    owner = owners(position.stones, dead)
    regions = label(position.side, owner.ravel()).reshape(dead.shape)
    chains = [chain for chain in position.chains() if dead.flat[chain.points[0]] and len(chain.points) >= LEAST_READ]
    for region in {int(regions.flat[chain.points[0]]) for chain in chains}:
        inside = regions == region
        revived = dead & ~inside
        if np.count_nonzero((owner != owners(position.stones, revived)) & (position.stones == EMPTY)) > MOST_LOST:
            continue
        verdicts = read_weak_groups(position, revived, ownership)
        if (verdicts.read & inside & ~dead).any() and (verdicts.living & inside & dead).any():
            living |= (verdicts.living | verdicts.open) & inside & dead
    return living


def captured_in_return(position: Position, ownership: NDArray[np.float32], chain: Chain) -> bool:
    """Return whether the chain that captures a chain in atari, all of it in weak groups, is captured next.

    Only captors of four stones or more are read; their side can spare smaller ones. No stone is taken for dead;
    arguments as above.
    """
    [liberty] = chain.liberties
    if liberty == position.ko:  # whose captor is a stone alone
        return False
    after = position.play(liberty, -chain.colour)
    captor = after.chain_at(liberty)
    assert captor is not None
    if len(captor.points) < LEAST_READ:
        return False
    doubtful, places = _doubtful(position, np.zeros(ownership.shape, np.bool_), ownership)
    connected = [point for point in captor.points if point != liberty]
    if not doubtful[[chain.points[0], *connected]].all():
        return False
    return _outcome(after, liberty, _area(places, chain.points[0]), attacker_first=True) == CAPTURED


class _Places(NamedTuple):
    """Where moves are read: the board side, and by point bool whether it may belong to an area, owner and group."""

    side: int
    passable: Mask
    owner: NDArray[np.int8]
    groups: NDArray[np.int32]


def _doubtful(position: Position, dead: Mask, ownership: NDArray[np.float32]) -> tuple[Mask, _Places]:
    """Return bool (N*N,): the stones of weak groups that have no two eyes; and where they are read."""
    side = position.side
    left = np.where(dead, EMPTY, position.stones).ravel()
    owner = owners(position.stones, dead).ravel()
    groups = label(side, owner)
    weak = _weak_points(side, left, owner, groups)
    shared = np.where((owner == EMPTY) & (np.abs(ownership.ravel()) >= OWNED), np.sign(ownership.ravel()), owner)
    doubtful = weak & (left != EMPTY) & ~two_eyed(side, left, shared.astype(np.int8))
    doubtful &= ~double_ko_seki(position, dead).ravel()
    return doubtful, _Places(side, weak | (owner == EMPTY), owner, groups)


def _weak_points(side: int, left: NDArray[np.int8], owner: NDArray[np.int8], groups: NDArray[np.int32]) -> Mask:
    """Return bool (N*N,): the points of groups with little territory, not all of whose stones live unconditionally."""
    territory = np.bincount(groups[(left == EMPTY) & (owner != EMPTY)], minlength=left.size)
    unproved = np.bincount(groups[(left != EMPTY) & (pass_alive(side, left) == EMPTY)], minlength=left.size)
    weak: Mask = (territory[groups] <= MOST_TERRITORY) & (unproved[groups] > 0) & (owner != EMPTY)
    return weak


def _read(position: Position, chain: Chain, places: _Places, verdicts: Verdicts) -> None:
    """Write the result of reading for a chain into `verdicts`."""
    points = list(chain.points)
    area = _area(places, points[0])
    outcome = _outcome(position, points[0], area, attacker_first=True)
    if outcome == SAFE:
        verdicts.living.flat[points] = not _has_weak_walls(position, chain.colour, area)
        return
    if outcome == CAPTURED:
        outcome = _outcome(position, points[0], area, attacker_first=False)
        verdicts.dead.flat[points] = outcome == CAPTURED
        verdicts.open.flat[points] = outcome != CAPTURED
    else:
        verdicts.unproved.flat[points] = True


def _outcome(position: Position, target: int, area: NDArray[np.int16], attacker_first: bool) -> int:
    """Return what `capture` does for the chain at a point in an area, UNKNOWN if that is too large."""
    stones = position.stones.ravel().copy()
    if np.count_nonzero(stones[area] == EMPTY) > MOST_EMPTY:
        return UNKNOWN
    return capture(position.side, stones, target, area, attacker_first, MOST_MOVES)


def _has_weak_walls(position: Position, colour: int, area: NDArray[np.int16]) -> bool:
    """Return whether a chain around an area, of the other colour, could be captured by moves in the area alone."""
    inside = set(area.tolist())
    walls = (chain for chain in position.chains() if chain.colour != colour and chain.points[0] not in inside)
    return any(inside.issuperset(chain.liberties) for chain in walls)


def _area(places: _Places, start: int) -> NDArray[np.int16]:
    """Return the points around a group: its own, dame beside it, weak groups that these touch, and so on."""
    neighbours = neighbour_table(places.side)
    waiting = np.flatnonzero(places.groups == places.groups[start]).tolist()
    found = set(waiting)
    while waiting:
        point = waiting.pop()
        for beside in neighbours[point].tolist():
            if beside < 0 or beside in found or not places.passable[beside]:
                continue
            if places.owner[point] != EMPTY or places.owner[beside] != EMPTY:
                found.add(beside)
                waiting.append(beside)
    return np.array(sorted(found), np.int16)
