"""Groups read out although their status is assigned: those without two eyes that seem to live, and dead ones.

A model can overlook that a large group has one eye only; dead stones decide which points are eyes. Dead stones may live
by moving first, by a ko, or under the stones: by what their side plays where they stood.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.position import Chain
from goban.reading.reader import (
    DEAD_GROUP,
    KO,
    LEAST_READ,
    LEAST_UNDER,
    MOST_LOST,
    NARROW,
    UNDER_THE_STONES,
    WEAK_AGAIN,
    WEAK_GROUP,
    Groups,
    Points,
    Reader,
    outcome,
)
from goban.reading.search_stack import CAPTURED, SAFE
from goban.reading.seki import double_ko_seki
from goban.regions import Mask, Stones, connected, points_beside


class Verdicts(NamedTuple):
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
    groups: NDArray[np.int32]


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
    owner: NDArray[np.int8]
    groups: NDArray[np.int32]
    areas: dict[int, NDArray[np.int16]]
    unread: set[bytes]


def read_weak_groups(reader: Reader, dead: Mask) -> Verdicts:
    """Return the results of reading for the living chains that are in groups without two eyes.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), the dead stones.

    A group is weak if it has at most 8 points of territory, and no two eyes (`two_eyed`) that Benson (1976) confirms or
    that can be seen. Its chains are read in the area of dame and weak groups around it. All other groups are walls.
    """
    doubtful, places = _doubtful(reader, dead)
    return _read(reader, doubtful, doubtful, places)


def _read(reader: Reader, doubtful: Mask, chosen: Mask, places: _Places) -> Verdicts:
    """Return the results of reading for the chosen ones, bool (N*N,), of the stones of weak groups, bool (N*N,)."""
    shape = reader.stones.shape
    captured, open_, unproved, living = np.zeros((4, *shape), np.bool_)
    verdicts = Verdicts(captured, open_, unproved, living, doubtful.reshape(shape), places.groups.reshape(shape))
    if chosen.any():
        for chain in reader.chains:
            if chosen[chain.points[0]]:
                _read_chain(reader, chain, places, verdicts)
    return verdicts


def two_eyed_stones(reader: Reader, dead: Mask) -> Mask:
    """Return bool (N, N): living stones of groups with two eyes, that Benson (1976) confirms or that can be seen."""
    groups = reader.groups(dead)
    seen = (groups.two_eyed | (groups.pass_alive == groups.left.ravel())).reshape(dead.shape)
    found: Mask = seen & (groups.left != EMPTY)
    return found


def read_dead_groups(reader: Reader, dead: Mask) -> Mask:
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
        if np.count_nonzero((owner != reader.groups(revived).owner) & (stones == EMPTY)) > MOST_LOST:
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


def _is_proved(reader: Reader, chain: Chain, places: _Places) -> bool:
    """Return whether a chain that lives in its area has no liberties that lead out of it, or is of some size."""
    if len(chain.points) >= LEAST_READ:
        return True
    area = _area(places, chain.points[0])
    reached = connected(reader.side, chain.liberties, reader.stones.ravel() == EMPTY, len(area))
    return reached.issubset(area.tolist())


def captured_in_return(reader: Reader, chain: Chain) -> bool:
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
    return outcome(after.stones, liberty, _area(places, chain.points[0]), True, WEAK_GROUP) == CAPTURED


def _doubtful(reader: Reader, dead: Mask) -> tuple[Mask, _Places]:
    """Return bool (N*N,): the stones of weak groups that have no two eyes; and where they are read."""
    groups = reader.groups(dead)
    owner, weak = groups.owner.ravel(), groups.weak
    doubtful = weak & (groups.left.ravel() != EMPTY) & ~groups.two_eyed
    doubtful &= ~double_ko_seki(reader.position, dead).ravel()
    return doubtful, _Places(reader.side, weak | (owner == EMPTY), owner, groups.ids, {}, set())


def _read_chain(reader: Reader, chain: Chain, places: _Places, verdicts: Verdicts) -> None:
    """Write the result of reading for a chain into `verdicts`.

    Where the area is too large, the chain is read with its living neighbours as walls: that proves neither death nor
    life.
    """
    points = list(chain.points)
    area = _area(places, points[0])
    wide = np.count_nonzero(reader.stones.flat[area] == EMPTY) <= WEAK_GROUP.empty
    if not wide:
        area = _narrow_area(reader, places, chain)
    limit = NARROW if not wide else WEAK_AGAIN if area.tobytes() in places.unread else WEAK_GROUP
    attacked = outcome(reader.stones, points[0], area, True, limit)
    if attacked == SAFE:
        in_ko = outcome(reader.stones, points[0], area, True, KO, -chain.colour) == CAPTURED
        verdicts.open.flat[points] = in_ko
        verdicts.living.flat[points] = not in_ko and not _has_weak_walls(reader, chain.colour, area)
    elif attacked == CAPTURED:
        dead = wide and outcome(reader.stones, points[0], area, False, WEAK_GROUP) == CAPTURED
        verdicts.dead.flat[points] = dead
        verdicts.open.flat[points] = not dead
    else:
        places.unread.add(area.tobytes())
        verdicts.unproved.flat[points] = True


def _narrow_area(reader: Reader, places: _Places, chain: Chain) -> NDArray[np.int16]:
    """Return a chain's group with the empty points connected to it, and the chains whose liberties are all there."""
    group = places.groups == places.groups[chain.points[0]]
    found = connected(reader.side, np.flatnonzero(group).tolist(), group | (reader.stones.ravel() == EMPTY), group.size)
    inside = (each.points for each in reader.chains if found.issuperset(each.liberties))
    return np.array(sorted(found.union(*inside)), np.int16)


def _has_weak_walls(reader: Reader, colour: int, area: NDArray[np.int16]) -> bool:
    """Return whether a chain around an area, of the other colour, could be captured by moves in the area alone."""
    inside = set(area.tolist())
    walls = (chain for chain in reader.chains if chain.colour != colour and chain.points[0] not in inside)
    return any(inside.issuperset(chain.liberties) for chain in walls)


def _area(places: _Places, start: int) -> NDArray[np.int16]:
    """Return the points around a group: its own, dame beside it, weak groups that these touch, and so on."""
    group = int(places.groups[start])
    if group not in places.areas:
        places.areas[group] = _points_around(places, group)
    return places.areas[group]


def _points_around(places: _Places, group: int) -> NDArray[np.int16]:
    beside, passable, owner = points_beside(places.side), places.passable.tolist(), places.owner.tolist()
    waiting = np.flatnonzero(places.groups == group).tolist()
    found = set(waiting)
    while waiting:
        point = waiting.pop()
        for other in beside[point]:
            if passable[other] and other not in found and (owner[point] != EMPTY or owner[other] != EMPTY):
                found.add(other)
                waiting.append(other)
    return np.array(sorted(found), np.int16)


class DeadVerdicts(NamedTuple):
    """The results of reading for dead chains, bool (N, N) each.

    Attributes:
        open: chains that live if their side moves first, or wins every ko.
        unread: chains of which reading does not show that they are captured.
    """

    open: Mask
    unread: Mask


def read_dead_chains(reader: Reader, dead: Mask) -> DeadVerdicts:
    """Return what becomes of the dead chains if their own side moves first and wins every ko.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.

    They are read in the territory around them, with the chains that enclose it as walls, but for those that have no
    liberties elsewhere. Of a larger territory the points nearest to a group of some size are read, as if the other side
    had stones around these: a group that lives in there is open, but one that is captured is unread.
    """
    groups = reader.groups(dead)
    open_, unread = [], []
    for chains in _regions(reader, groups, dead):
        region = np.flatnonzero(groups.territory == groups.territory[chains[0].points[0]]).astype(np.int16)
        small = np.count_nonzero(reader.stones.flat[region] == EMPTY) <= DEAD_GROUP.empty
        for chain in sorted(chains, key=lambda each: -len(each.points)):
            if small:
                found = _outcome(reader, chain, reader.stones, _with_weak_walls(reader, groups, region, chain))
            else:
                found = _outcome_nearby(reader, chain, region)
            if found == SAFE:
                open_.append(chain)
            elif found != CAPTURED or not small:
                unread.append(chain)
    return DeadVerdicts(reader.mask(open_), reader.mask(unread))


def _regions(reader: Reader, groups: Groups, dead: Mask) -> Iterator[list[Chain]]:
    """Yield the dead chains of each territory, less those in territory that lives although its owner always passes."""
    found: dict[int, list[Chain]] = {}
    for chain in reader.chains:
        first = chain.points[0]
        if dead.flat[first] and reader.pass_alive.flat[first] != -chain.colour:
            found.setdefault(int(groups.territory[first]), []).append(chain)
    yield from found.values()


def _outcome(reader: Reader, chain: Chain, stones: Stones, area: Points) -> int:
    return outcome(stones, chain.points[0], area, False, DEAD_GROUP, chain.colour)


def _with_weak_walls(reader: Reader, groups: Groups, region: Points, chain: Chain) -> Points:
    """Return the points of a region and of the living chains around it that have no liberty elsewhere."""
    inside = set(region.tolist())
    weak = (
        each.points
        for each in reader.chains
        if each.colour != chain.colour and groups.left.flat[each.points[0]] and inside.issuperset(each.liberties)
    )
    return np.array(sorted(inside.union(*weak)), np.int16)


def _outcome_nearby(reader: Reader, chain: Chain, region: Points) -> int:
    """Return SAFE if a chain of some size lives on the nearest points of a region, whether the other side holds or
    leaves empty those around them; else CAPTURED.
    """
    if len(chain.points) < LEAST_READ:
        return CAPTURED
    among = np.zeros(reader.stones.size, np.bool_)
    among[region] = True
    near = _nearest(reader, chain, among)
    area = np.array(sorted(near), np.int16)
    among[area] = False
    alone = np.where(among.reshape(reader.stones.shape) & (reader.stones == chain.colour), -chain.colour, reader.stones)
    enclosed = alone.copy()
    around = [other for point in near for other in points_beside(reader.side)[point] if among[other]]
    enclosed.flat[around] = -chain.colour
    lives = all(_outcome(reader, chain, stones, area) == SAFE for stones in (enclosed, alone))
    return SAFE if lives else CAPTURED


def _nearest(reader: Reader, chain: Chain, among: Mask) -> set[int]:
    """Return the chain and the nearest points of a region, as many as there may be empty ones."""
    return connected(reader.side, chain.points, among, len(chain.points) + DEAD_GROUP.empty - 1)


def living_under_the_stones(reader: Reader, dead: Mask) -> Mask:
    """Return bool (N, N): the chains in atari that live because capturing them enables a stone that cannot be captured.

    Japanese rules of 1989, Article 7.1; three points without capturing (torazu sanmoku) is the best known case. In
    hanezeki the chains that capture would be captured in return.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), stones that seem to be dead.
    """
    in_atari = (chain for chain in reader.chains if len(chain.liberties) == 1 and dead.flat[chain.points[0]])
    return reader.mask(
        [chain for chain in in_atari if _enables_a_stone(reader, chain, dead) or captured_in_return(reader, chain)]
    )


def _enables_a_stone(reader: Reader, chain: Chain, dead: Mask) -> bool:
    """Return whether the chain's side can play a stone that cannot be captured, once the chain is captured."""
    if len(chain.points) < LEAST_UNDER:
        return False
    regions = reader.groups(dead & (reader.stones == chain.colour)).territory  # what captures it lives
    region = np.flatnonzero(regions == regions[chain.points[0]]).tolist()
    if len(region) > UNDER_THE_STONES.empty:
        return False
    [liberty] = chain.liberties
    captured = reader.position.play(liberty, -chain.colour)
    inside = set(region)
    weak = (each.points for each in captured.chains() if inside.issuperset(each.liberties))
    area = np.array(sorted(inside.union(*weak)), np.int16)
    new = (captured.play(point, chain.colour) for point in chain.points if captured.is_legal(point, chain.colour))
    return any(outcome(after.stones, after.recent[0], area, True, UNDER_THE_STONES) == SAFE for after in new)
