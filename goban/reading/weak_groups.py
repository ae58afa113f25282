"""Groups without two eyes: whether their chains are captured by moves in the area around them.

For stones whose status is assigned: a model can overlook that a large group has one eye only. Dead stones decide which
points are eyes.
"""

from typing import Final, NamedTuple

import numpy as np

from goban.array_types import Int32, Mask, Stones
from goban.coords import EMPTY
from goban.position import Chain
from goban.reading.capture_search import Area, Limit, read_capture, with_chains_inside
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import CAPTURED, SAFE, UNKNOWN
from goban.reading.seki import double_ko_seki
from goban.regions import connected, points_beside

LEAST_READ: Final = 4  # stones of a dead chain that is read in a large territory, or of one that captures such stones
_WEAK_GROUP: Final = Limit(12, 100_000)  # around groups without two eyes
_WEAK_AGAIN: Final = Limit(12, 10_000)  # the same where another group of the area could not be read
_NARROW: Final = Limit(9, 10_000)  # around such groups, with their living neighbours as walls
_KO: Final = Limit(12, 10_000)  # around groups that live unless the other side wins every ko
_MOST_LOST: Final = 5  # empty points that belong to a group only because stones in it are dead


class WeakGroupVerdicts(NamedTuple):
    """The results of reading for the chains of weak groups, bool (N, N) each.

    Attributes:
        dead: chains that are captured although their own side moves first.
        open: chains whose life depends on who moves first, or on a ko.
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
    groups: Int32


class _Places(NamedTuple):
    """Where moves are read.

    Attributes:
        side: of the board.
        passable: bool (N*N,), points that may belong to an area.
        owner: int8 (N*N,).
        groups: int32 (N*N,), the group of each point.
        areas: of the groups that were asked about, by group.
        unread: the areas in which a chain could not be read, as bytes.
    """

    side: int
    passable: Mask
    owner: Stones
    groups: Int32
    areas: dict[int, Area]
    unread: set[bytes]


def read_weak_groups(reader: PositionReader, dead: Mask) -> WeakGroupVerdicts:
    """Return the results of reading for the living chains that are in groups without two eyes.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), the dead stones.

    A group is weak if it has at most 8 points of territory, and no two eyes (`two_eyed`) that Benson (1976) confirms or
    that can be seen. Its chains are read in the area of dame and weak groups around it. All other groups are walls.
    """
    doubtful, places = _doubtful(reader, dead)
    return _read(reader, doubtful, doubtful, places)


def _read(reader: PositionReader, doubtful: Mask, chosen: Mask, places: _Places) -> WeakGroupVerdicts:
    """Return the results of reading for the chosen ones, bool (N*N,), of the stones of weak groups, bool (N*N,)."""
    shape = reader.stones.shape
    captured, open_, unproved, living = np.zeros((4, *shape), np.bool_)
    verdicts = WeakGroupVerdicts(
        captured, open_, unproved, living, doubtful.reshape(shape), places.groups.reshape(shape)
    )
    if chosen.any():
        for chain in reader.chains:
            if chosen[chain.points[0]]:
                _read_chain(reader, chain, places, verdicts)
    return verdicts


def two_eyed_stones(reader: PositionReader, dead: Mask) -> Mask:
    """Return bool (N, N): living stones of groups with two eyes, that Benson (1976) confirms or that can be seen."""
    groups = reader.groups(dead)
    seen = (groups.two_eyed | (groups.pass_alive == groups.left.ravel())).reshape(dead.shape)
    found: Mask = seen & (groups.left != EMPTY)
    return found


def read_dead_groups(reader: PositionReader, dead: Mask) -> Mask:
    """Return bool (N, N): dead stones that reading proves to live, since the group around them is weak without them.

    Stones beside them whose life depends on who moves first, as in a ko, are among them.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), the dead stones.
    """
    living = np.zeros(dead.shape, np.bool_)
    stones, owner = reader.stones, reader.groups(dead).owner
    regions = reader.groups(dead).ids.reshape(dead.shape)
    chains = [each for each in reader.chains if dead.flat[each.points[0]]]
    for region in {int(regions.flat[chain.points[0]]) for chain in chains}:
        inside = regions == region
        revived = dead & ~inside
        if np.count_nonzero((owner != reader.groups(revived).owner) & (stones == EMPTY)) > _MOST_LOST:
            continue
        doubtful, places = _doubtful(reader, revived)
        weak = doubtful.reshape(dead.shape) & inside
        if not (weak & ~dead).any() or not (weak & dead).any():
            continue
        verdicts = _read(reader, doubtful, (weak & dead).ravel(), places)
        proved = [each for each in chains if inside.flat[each.points[0]] and _is_proved(reader, each, places)]
        if (verdicts.living & reader.mask(proved)).any():
            living |= verdicts.living | verdicts.open
    return living


def _is_proved(reader: PositionReader, chain: Chain, places: _Places) -> bool:
    """Return whether a chain that lives in its area has no liberties that lead out of it, or is of some size."""
    if len(chain.points) >= LEAST_READ:
        return True
    area = _area(places, chain.points[0])
    reached = connected(reader.side, chain.liberties, reader.stones.ravel() == EMPTY, len(area))
    return reached.issubset(area.tolist())


def captured_in_return(reader: PositionReader, chain: Chain) -> bool:
    """Return whether the chain that captures a chain in atari, all of it in weak groups, is captured next.

    Only captors of four stones or more are read; their side can spare smaller ones. No stone is taken for dead;
    arguments as above.
    """
    position, [liberty] = reader.position, chain.liberties
    if liberty == position.ko:  # whose captor is a stone alone
        return False
    beside = set(points_beside(reader.side)[liberty])
    joined = [each for each in reader.chains if each.colour != chain.colour and not beside.isdisjoint(each.points)]
    if 1 + sum(len(each.points) for each in joined) < LEAST_READ:
        return False
    doubtful, places = _doubtful(reader, np.zeros(reader.stones.shape, np.bool_))
    if not doubtful[[chain.points[0], *(each.points[0] for each in joined)]].all():
        return False
    after = position.play(liberty, -chain.colour)
    return read_capture(after.stones, liberty, _area(places, chain.points[0]), True, _WEAK_GROUP) == CAPTURED


def _doubtful(reader: PositionReader, dead: Mask) -> tuple[Mask, _Places]:
    """Return bool (N*N,): the stones of weak groups that have no two eyes; and where they are read."""
    groups = reader.groups(dead)
    owner, weak = groups.owner.ravel(), groups.weak
    doubtful = weak & (groups.left.ravel() != EMPTY) & ~groups.two_eyed
    doubtful &= ~double_ko_seki(reader.position, dead).ravel()
    return doubtful, _Places(reader.side, weak | (owner == EMPTY), owner, groups.ids, {}, set())


def _read_chain(reader: PositionReader, chain: Chain, places: _Places, verdicts: WeakGroupVerdicts) -> None:
    """Write the result of reading for a chain into `verdicts`.

    Where the area is too large, the chain is read with its living neighbours as walls: that proves neither death nor
    life. A chain that is not captured may have escaped along dame, so it is read with all of these, too.
    """
    points = list(chain.points)
    area = _area(places, points[0])
    wide = np.count_nonzero(reader.stones.flat[area] == EMPTY) <= _WEAK_GROUP.empty
    if not wide:
        area = _narrow_area(reader, places, chain)
    limit = _NARROW if not wide else _WEAK_AGAIN if area.tobytes() in places.unread else _WEAK_GROUP
    attacked = read_capture(reader.stones, points[0], area, True, limit)
    dead = wide and attacked == CAPTURED and _is_dead(reader, points[0], area)
    if wide and attacked != UNKNOWN and not dead:
        with_dame = _points_around(places, int(places.groups[points[0]]), dame_beside_dame=True)
        if (
            len(with_dame) > len(area)
            and read_capture(reader.stones, points[0], with_dame, True, _WEAK_GROUP) == CAPTURED
        ):
            attacked, dead = CAPTURED, _is_dead(reader, points[0], with_dame)
    if attacked == SAFE:
        in_ko = read_capture(reader.stones, points[0], area, True, _KO, -chain.colour) == CAPTURED
        verdicts.open.flat[points] = in_ko
        verdicts.living.flat[points] = not in_ko and not _has_weak_walls(reader, chain.colour, area)
    elif attacked == CAPTURED:
        verdicts.dead.flat[points] = dead
        verdicts.open.flat[points] = not dead
    else:
        places.unread.add(area.tobytes())
        verdicts.unproved.flat[points] = True


def _is_dead(reader: PositionReader, start: int, area: Area) -> bool:
    """Return whether the chain at `start` is captured in an area although its own side moves first."""
    return read_capture(reader.stones, start, area, False, _WEAK_GROUP) == CAPTURED


def _narrow_area(reader: PositionReader, places: _Places, chain: Chain) -> Area:
    """Return a chain's group with the empty points connected to it, and the chains whose liberties are all there."""
    group = places.groups == places.groups[chain.points[0]]
    found = connected(reader.side, np.flatnonzero(group).tolist(), group | (reader.stones.ravel() == EMPTY), group.size)
    return with_chains_inside(found, reader.chains)


def _has_weak_walls(reader: PositionReader, colour: int, area: Area) -> bool:
    """Return whether a chain around an area, of the other colour, could be captured by moves in the area alone."""
    inside = set(area.tolist())
    walls = (chain for chain in reader.chains if chain.colour != colour and chain.points[0] not in inside)
    return any(inside.issuperset(chain.liberties) for chain in walls)


def _area(places: _Places, start: int) -> Area:
    """Return the points around a group: its own, dame beside it, weak groups that these touch, and so on."""
    group = int(places.groups[start])
    if group not in places.areas:
        places.areas[group] = _points_around(places, group, dame_beside_dame=False)
    return places.areas[group]


def _points_around(places: _Places, group: int, *, dame_beside_dame: bool) -> Area:
    beside, passable, owner = points_beside(places.side), places.passable.tolist(), places.owner.tolist()
    waiting = np.flatnonzero(places.groups == group).tolist()
    found = set(waiting)
    while waiting:
        point = waiting.pop()
        for other in beside[point]:
            beside_owned = owner[point] != EMPTY or owner[other] != EMPTY
            if passable[other] and other not in found and (dame_beside_dame or beside_owned):
                found.add(other)
                waiting.append(other)
    return np.array(sorted(found), np.int16)
