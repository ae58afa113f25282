"""Life and death, read out: whether chains are captured by moves in the area around them.

`read_out` is for chains that a model is not sure of. An escape that the area does not show helps the chain inside more
often than the attacker, and small chains most of all: a proof that a chain is dead is always taken, one that it lives
only for chains of some size.

All else is for stones whose status is assigned. A model can overlook that a large group has one eye only, or that a
living chain is short of liberties; dead stones decide which points are eyes. Dead stones may live by moving first, by a
ko, or under the stones: by what their side plays where they stood.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from goban.board_kernels import Bool, Int8, Int16, Int32, label, neighbour_table
from goban.coords import EMPTY
from goban.jit import inner, kernel
from goban.position import Chain, Position
from goban.reading.reader import Groups, Limit, Points, Reader, outcome
from goban.reading.search_stack import CAPTURED, SAFE, UNKNOWN
from goban.reading.seki import double_ko_seki
from goban.regions import Mask, Stones, connected, points_beside

# How much is read, and of what.
_SMALL_AREA: Final = Limit(8, 10_000)  # around chains that the network is not sure of
_WEAK_GROUP: Final = Limit(12, 100_000)  # around groups without two eyes
_WEAK_AGAIN: Final = Limit(12, 10_000)  # the same where another group of the area could not be read
_NARROW: Final = Limit(9, 10_000)  # around such groups, with their living neighbours as walls
_KO: Final = Limit(12, 10_000)  # around groups that live unless the other side wins every ko
_DEAD_GROUP: Final = Limit(8, 10_000)  # around dead chains of which the network is sure
_SHORTAGE: Final = Limit(8, 1_000)  # around chains short of liberties
_UNDER_THE_STONES: Final = Limit(8, 10_000)  # where captured stones stood

LEAST_LIVING: Final = 5  # stones of a chain that a small area can prove to live
_LEAST_READ: Final = 4  # stones of a dead chain that is read in a large territory, or of one that captures such stones
_SHORT_OF_LIBERTIES: Final = 2  # of a chain that its own territory may not save
_LEAST_UNDER: Final = 3  # stones of a chain whose capture leaves room for a new stone
_MOST_LOST: Final = 5  # empty points that belong to a group only because stones in it are dead
_OUTSIDE = 2  # liberties elsewhere that make a chain a wall, one more where walls are doubted


def read_out(reader: Reader, status: Stones, surviving: Mask) -> Stones:
    """Return int8 (N, N): 1 for stones of chains that live, -1 for dead ones, 0 where reading has no result.

    Args:
        reader: of the position, N by N.
        status: int8 (N, N), 1 for stones that surely live, -1 for those that are surely dead, 0 for the unsure ones.
        surviving: bool (N, N), stones that live rather than die, as far as the ownership shows.

    A chain lives that cannot be captured although the other side moves first; it is dead if it can be although its own
    side does, by stones that survive or cannot be captured before. What depends on who is first is left open, as are
    areas with more than 8 empty points. Besides unsure chains, those are read that should live in a small eye space
    alone, and may be dead for all that.
    Double ko sekis are not read: their chains live.
    """
    position, stones = reader.position, reader.stones
    alive = (reader.pass_alive * stones) > 0
    in_double_ko = double_ko_seki(position, status < 0) & (stones != EMPTY)
    status = np.where(in_double_ko, 1, status).astype(np.int8)
    found: Stones = in_double_ko.ravel().astype(np.int8)
    walls = _Walls(reader, status)
    captured = []
    for chain in walls.unsure:
        if len(chain.points) >= LEAST_LIVING and walls.outcome(chain, True) == SAFE:
            found[list(chain.points)] = 1
        elif walls.outcome(chain, False) == CAPTURED:
            captured.append(chain)
    survivors = surviving.ravel() | (status.ravel() > 0) | (found > 0)
    for chain in captured:
        found[list(chain.points)] = -any(
            survivors[each.points[0]] or walls.outcome(each, True) != CAPTURED for each in _captors(position, chain)
        )
    empty = stones.ravel() == EMPTY
    for chain in walls.living:
        first = chain.points[0]
        if not found[first] and not alive.flat[first] and _is_cornered(position.side, empty, chain):
            found[list(chain.points)] = -(walls.outcome(chain, False, unsure=chain) == CAPTURED)
    return found.reshape(stones.shape)


def _captors(position: Position, chain: Chain) -> list[Chain]:
    """Return the chains of the other colour that enclose a chain and what it connects to."""
    regions = label(position.side, (position.stones.ravel() != -chain.colour).astype(np.int8))
    beside = neighbour_table(position.side)[regions == regions[chain.points[0]]]
    enclosing = set(beside[beside >= 0].tolist())
    return [each for each in position.chains() if each.colour != chain.colour and not enclosing.isdisjoint(each.points)]


def _is_one_eye(side: int, empty: Mask, liberties: list[int]) -> bool:
    """Return whether the liberties are two points beside each other, and beside no other empty point."""
    return len(liberties) == _OUTSIDE and connected(side, liberties[:1], empty, _SMALL_AREA.empty) == set(liberties)


def _is_cornered(side: int, empty: Mask, chain: Chain) -> bool:
    """Return whether all liberties of a chain of some size lie in a few small empty areas."""
    if len(chain.points) < LEAST_LIVING or len(chain.liberties) > _SMALL_AREA.empty:
        return False
    return len(connected(side, chain.liberties, empty, _SMALL_AREA.empty)) <= _SMALL_AREA.empty


@kernel
def _enclosed(side: int, stones: Int8, ids: Int32, walls: Bool, alive: Bool, start: int, doubted: int) -> Bool:
    """Return bool (N*N,): the points of the area around `start` that is enclosed by walls and unconditional life.

    Args:
        side: of the board.
        stones: int8 (N*N,).
        ids: int32 (N*N,), of `chain_ids`.
        walls: bool (N*N,), the stones of walls; those that fall are taken off.
        alive: bool (N*N,), stones that live unconditionally.
        start: a point of the area.
        doubted: the colour whose walls stand although all their liberties are in the area.
    """
    neighbours, falling = neighbour_table(side), True
    while falling:
        inside = _reached(neighbours, stones, walls, alive, start)
        held = _with_liberties_outside(neighbours, stones, ids, inside)
        falling = False
        for point in range(side * side):
            if walls[point] and stones[point] != doubted and not held[ids[point]]:
                walls[point], falling = False, True
    return inside


@inner
def _reached(neighbours: Int16, stones: Int8, walls: Bool, alive: Bool, start: int) -> Bool:
    """Return bool (N*N,): the points that are connected to `start` by points without walls and unconditional life."""
    waiting, inside = np.empty(len(stones), np.int16), np.zeros(len(stones), np.bool_)
    waiting[0], inside[start], left = start, True, 1
    while left > 0:
        left -= 1
        point = waiting[left]
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if not inside[beside] and (stones[beside] == 0 or not (walls[beside] or alive[beside])):
                inside[beside] = True
                waiting[left] = beside
                left += 1
    return inside


@inner
def _with_liberties_outside(neighbours: Int16, stones: Int8, ids: Int32, inside: Bool) -> Bool:
    """Return bool (N*N,), by chain: whether it has a liberty that is not inside."""
    found = np.zeros(len(stones), np.bool_)
    for point in range(len(stones)):
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0 or stones[point] != 0 or inside[point]:
                break
            found[ids[beside]] = True
    return found


class _Walls:
    """The chains that enclose areas: those that live unconditionally, and others that surely live and are walls.

    A wall has two liberties or more that are not beside unsure chains, and more than an eye of two points, or none that
    is beside them. Other chains may be captured, and belong to an area. A proof is wrong if walls are captured: those
    on the side that it favours are doubted and need a liberty more, the others one outside the area.
    """

    def __init__(self, reader: Reader, status: Stones) -> None:
        self._reader, self._empty = reader, reader.stones.ravel() == EMPTY
        self._alive = (reader.pass_alive == reader.stones).ravel() & ~self._empty
        self._ids = reader.position.chain_ids().ravel()
        lives = status.ravel().tolist()
        self.unsure = [chain for chain in reader.chains if lives[chain.points[0]] == 0]
        self.living = [chain for chain in reader.chains if lives[chain.points[0]] > 0]
        self._pressed = {point for chain in self.unsure for point in chain.liberties}
        self._found: dict[int, Mask] = {}

    def outcome(self, chain: Chain, attacker_first: bool, unsure: Chain | None = None) -> int:
        """Return what becomes of a chain in its area; doubted are the walls of the side that moves second."""
        area = self._area(chain, chain.colour if attacker_first else -chain.colour, unsure)
        return outcome(self._reader.stones, chain.points[0], area, attacker_first, _SMALL_AREA)

    def _area(self, target: Chain, doubted: int, unsure: Chain | None) -> Points:
        """Return the points of the area between walls around a chain.

        Args:
            target: the chain, no wall.
            doubted: the colour whose walls are doubted.
            unsure: a chain that does not surely live either, and is no wall.
        """
        position, walls = self._reader.position, self._walls(doubted, unsure)
        start = target.points[0]
        inside = _enclosed(position.side, position.flat, self._ids, walls, self._alive, start, doubted)
        return np.flatnonzero(inside).astype(np.int16)

    def _walls(self, doubted: int, unsure: Chain | None) -> Mask:
        """Return bool (N*N,): the stones of walls besides those that live unconditionally; arguments as for `area`."""
        if doubted not in self._found:
            walls = [chain for chain in self.living if self._is_wall(chain, self._pressed, doubted)]
            self._found[doubted] = self._reader.mask(walls).ravel()
        found = self._found[doubted].copy()
        if unsure is not None:
            liberties = set(unsure.liberties)
            pressed = self._pressed | liberties
            found[list(unsure.points)] = False
            for chain in self.living:
                if chain is not unsure and not liberties.isdisjoint(chain.liberties):
                    found[list(chain.points)] = self._is_wall(chain, pressed, doubted)
        return found

    def _is_wall(self, chain: Chain, pressed: set[int], doubted: int) -> bool:
        """Return whether a chain that surely lives is a wall; pressed: points beside unsure chains."""
        if pressed.isdisjoint(chain.liberties):
            return True
        outside = [point for point in chain.liberties if point not in pressed]
        least = _OUTSIDE + (chain.colour == doubted)
        return len(outside) >= least and not _is_one_eye(self._reader.side, self._empty, outside)


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
    areas: dict[int, Points]
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


def _is_proved(reader: Reader, chain: Chain, places: _Places) -> bool:
    """Return whether a chain that lives in its area has no liberties that lead out of it, or is of some size."""
    if len(chain.points) >= _LEAST_READ:
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
    if 1 + sum(len(each.points) for each in joined) < _LEAST_READ:
        return False
    doubtful, places = _doubtful(reader, np.zeros(reader.stones.shape, np.bool_))
    if not doubtful[[chain.points[0], *(each.points[0] for each in joined)]].all():
        return False
    after = position.play(liberty, -chain.colour)
    return outcome(after.stones, liberty, _area(places, chain.points[0]), True, _WEAK_GROUP) == CAPTURED


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
    life. A chain that is not captured may have escaped along dame, so it is read with all of these, too.
    """
    points = list(chain.points)
    area = _area(places, points[0])
    wide = np.count_nonzero(reader.stones.flat[area] == EMPTY) <= _WEAK_GROUP.empty
    if not wide:
        area = _narrow_area(reader, places, chain)
    limit = _NARROW if not wide else _WEAK_AGAIN if area.tobytes() in places.unread else _WEAK_GROUP
    attacked = outcome(reader.stones, points[0], area, True, limit)
    dead = wide and attacked == CAPTURED and _is_dead(reader, points[0], area)
    if wide and attacked != UNKNOWN and not dead:
        with_dame = _points_around(places, int(places.groups[points[0]]), dame_beside_dame=True)
        if len(with_dame) > len(area) and outcome(reader.stones, points[0], with_dame, True, _WEAK_GROUP) == CAPTURED:
            attacked, dead = CAPTURED, _is_dead(reader, points[0], with_dame)
    if attacked == SAFE:
        in_ko = outcome(reader.stones, points[0], area, True, _KO, -chain.colour) == CAPTURED
        verdicts.open.flat[points] = in_ko
        verdicts.living.flat[points] = not in_ko and not _has_weak_walls(reader, chain.colour, area)
    elif attacked == CAPTURED:
        verdicts.dead.flat[points] = dead
        verdicts.open.flat[points] = not dead
    else:
        places.unread.add(area.tobytes())
        verdicts.unproved.flat[points] = True


def _is_dead(reader: Reader, start: int, area: Points) -> bool:
    """Return whether the chain at `start` is captured in an area although its own side moves first."""
    return outcome(reader.stones, start, area, False, _WEAK_GROUP) == CAPTURED


def _narrow_area(reader: Reader, places: _Places, chain: Chain) -> Points:
    """Return a chain's group with the empty points connected to it, and the chains whose liberties are all there."""
    group = places.groups == places.groups[chain.points[0]]
    found = connected(reader.side, np.flatnonzero(group).tolist(), group | (reader.stones.ravel() == EMPTY), group.size)
    return with_chains_inside(found, reader.chains)


def with_chains_inside(points: set[int], chains: Iterable[Chain]) -> Points:
    """Return points, and those of the chains all of whose liberties are among them."""
    enclosed = (each.points for each in chains if points.issuperset(each.liberties))
    return np.array(sorted(points.union(*enclosed)), np.int16)


def _has_weak_walls(reader: Reader, colour: int, area: Points) -> bool:
    """Return whether a chain around an area, of the other colour, could be captured by moves in the area alone."""
    inside = set(area.tolist())
    walls = (chain for chain in reader.chains if chain.colour != colour and chain.points[0] not in inside)
    return any(inside.issuperset(chain.liberties) for chain in walls)


def _area(places: _Places, start: int) -> Points:
    """Return the points around a group: its own, dame beside it, weak groups that these touch, and so on."""
    group = int(places.groups[start])
    if group not in places.areas:
        places.areas[group] = _points_around(places, group, dame_beside_dame=False)
    return places.areas[group]


def _points_around(places: _Places, group: int, *, dame_beside_dame: bool) -> Points:
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
        small = np.count_nonzero(reader.stones.flat[region] == EMPTY) <= _DEAD_GROUP.empty
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
    return outcome(stones, chain.points[0], area, False, _DEAD_GROUP, chain.colour)


def _with_weak_walls(reader: Reader, groups: Groups, region: Points, chain: Chain) -> Points:
    """Return the points of a region and of the living chains around it that have no liberty elsewhere."""
    walls = (each for each in reader.chains if each.colour != chain.colour and groups.left.flat[each.points[0]])
    return with_chains_inside(set(region.tolist()), walls)


def _outcome_nearby(reader: Reader, chain: Chain, region: Points) -> int:
    """Return SAFE if a chain of some size lives on the nearest points of a region, whether the other side holds or
    leaves empty those around them; else CAPTURED.
    """
    if len(chain.points) < _LEAST_READ:
        return CAPTURED
    among = np.zeros(reader.stones.size, np.bool_)
    among[region] = True
    near = connected(reader.side, chain.points, among, len(chain.points) + _DEAD_GROUP.empty - 1)
    area = np.array(sorted(near), np.int16)
    among[area] = False
    alone = np.where(among.reshape(reader.stones.shape) & (reader.stones == chain.colour), -chain.colour, reader.stones)
    enclosed = alone.copy()
    around = [other for point in near for other in points_beside(reader.side)[point] if among[other]]
    enclosed.flat[around] = -chain.colour
    lives = all(_outcome(reader, chain, stones, area) == SAFE for stones in (enclosed, alone))
    return SAFE if lives else CAPTURED


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
    if len(chain.points) < _LEAST_UNDER:
        return False
    regions = reader.groups(dead & (reader.stones == chain.colour)).territory  # what captures it lives
    region = np.flatnonzero(regions == regions[chain.points[0]]).tolist()
    if len(region) > _UNDER_THE_STONES.empty:
        return False
    [liberty] = chain.liberties
    captured = reader.position.play(liberty, -chain.colour)
    area = with_chains_inside(set(region), captured.chains())
    new = (captured.play(point, chain.colour) for point in chain.points if captured.is_legal(point, chain.colour))
    return any(outcome(after.stones, after.recent[0], area, True, _UNDER_THE_STONES) == SAFE for after in new)


def short_of_liberties(reader: Reader, dead: Mask, proved: Mask) -> Mask:
    """Return bool (N, N): living chains of few liberties that are captured if the other side moves first.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.
        proved: bool (N, N), those of them that are captured although their own side moves first.

    A chain is read in the nearest points of its own territory, dead stones there included. A chain whose liberties are
    all in one territory with proved stones beside it is left out, and a stone alone beside any: what captures it is
    captured in return, or lives, which is read for its own sake.
    """
    groups = reader.groups(dead)
    territory = np.where(groups.left == EMPTY, groups.owner, EMPTY).ravel()
    spared = ((reader.pass_alive != EMPTY) | dead).ravel().tolist()
    owner, beside = territory.tolist(), points_beside(reader.side)
    found = []
    for chain in reader.chains:
        first, colour = chain.points[0], chain.colour
        if len(chain.liberties) > _SHORT_OF_LIBERTIES or spared[first]:
            continue
        own = {other for point in chain.points for other in beside[point] if owner[other] == colour}
        if not own.issuperset(chain.liberties):
            continue
        invaders = own.difference(chain.liberties)
        if invaders and (len(chain.points) == 1 or _are_proved(invaders, own, proved, groups)):
            continue
        if _is_captured_in_territory(reader, chain, own, territory == colour):
            found.append(chain)
    return reader.mask(found)


def _are_proved(invaders: set[int], own: set[int], proved: Mask, groups: Groups) -> bool:
    """Return whether all invaders are proved to be captured, and the points of territory around them are in one."""
    return bool(proved.flat[list(invaders)].all()) and len(set(groups.territory[list(own)].tolist())) == 1


def _is_captured_in_territory(reader: Reader, chain: Chain, beside: set[int], own: Mask) -> bool:
    """Return whether a chain is captured on the points of its territory, bool (N*N,), nearest to those beside it."""
    inside = connected(reader.side, beside, own, _SHORTAGE.empty - 1)
    area = np.array(sorted({*chain.points, *inside}), np.int16)
    return outcome(reader.stones, chain.points[0], area, True, _SHORTAGE) == CAPTURED
