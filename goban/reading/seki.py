"""Seki: groups that live without two eyes, for whose eyes territory rules give no points.

- `seki_groups(side, stones, owners, claimed) -> bool[N*N]`: the one definition of seki for finished positions: chains
  that live without two eyes, because neither side can start to capture. Territory rules give no points for the eyes of
  these groups, and their stones are what status lists and pictures show.
- `double_ko_seki(position, dead)`: two chains with two kos between them, of which each side holds one. No side gains by
  taking the other ko; with further liberties it is a race that the side to move may win, `double_ko_race(position)`.
- `nakade_seki(reader, dead)`: stones that look dead inside the only eye of a group, which cannot capture them without
  dying itself.
"""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Bool, Int8, Int16, Int32, Mask, Stones
from goban.chain_kernels import label, neighbour_table
from goban.coords import BLACK, EMPTY, MAX_SIDE, WHITE
from goban.jit import inner, kernel
from goban.position import Chain, Position
from goban.reading.capture_search import Limit, read_capture
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import CAPTURED
from goban.regions import points_beside

_NAKADE: Final = Limit(MAX_SIDE**2, 10_000)  # where the stones of a nakade stood

_LARGEST_SINGLE_EYE: Final = 2
_LIBERTIES: Final = 2  # of a chain in a double ko seki: its ko, and an eye or a dame that both chains share
_MOST_RACING: Final = 4  # liberties of a chain that may lose a race by double ko
_SHARED: Final = 2  # liberties of a chain in a nakade seki
_LEAST_NAKADE: Final = 3  # stones of a nakade: fewer leave no shape in which their side could play


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


class _Ko(NamedTuple):
    """A stone in atari, the point where it is taken, the chain that this would attack, and the one that takes."""

    stone: int
    point: int
    holder: Chain
    taker: Chain


def double_ko_seki(position: Position, dead: Mask) -> Mask:
    """Return bool (N, N): the stones, and their liberties, of chains that are in a seki by double ko.

    Args:
        position: the stones, N by N; the side to move does not matter.
        dead: bool (N, N), stones that seem to be dead; the chains around the seki must not be.

    Two chains are in such a seki if each has two liberties: the ko that it holds, and one more, an eye of one point or
    a dame that both share. The side that takes the other ko is answered in the first one, and the side that connects
    or fills the last liberty is captured.
    """
    stones = position.stones
    found = np.zeros(stones.size, np.bool_)
    for one, other in _double_kos(position):
        inside = _stones_of(one, other)
        if _is_seki(stones, one, other) and not _beside_chosen(stones, inside, dead):
            found[[*inside, *one.holder.liberties, *one.taker.liberties]] = True
    return found.reshape(stones.shape)


def double_ko_race(position: Position) -> Mask:
    """Return bool (N, N): the stones of two chains in a double ko that few further liberties may decide, no seki yet.

    Who wins depends on the side to move, as liberties outside are filled while the kos are taken.
    """
    stones = position.stones
    found = np.zeros(stones.size, np.bool_)
    for one, other in _double_kos(position):
        few = max(len(one.holder.liberties), len(one.taker.liberties)) <= _MOST_RACING
        if few and not _is_seki(stones, one, other):
            found[_stones_of(one, other)] = True
    return found.reshape(stones.shape)


@lru_cache(maxsize=64)
def _double_kos(position: Position) -> tuple[tuple[_Ko, _Ko], ...]:
    """Return a ko that Black holds and one that White holds, both between the same chains, for each such pair."""
    singles = _stones_in_atari(position.side, position.flat).tolist()
    if not all((position.flat[singles] == colour).any() for colour in (BLACK, WHITE)):
        return ()
    kos = _kos(position, singles)
    return tuple(
        (one, other)
        for one, other in product(kos[BLACK], kos[WHITE])
        if one.holder == other.taker and one.taker == other.holder
    )


def _stones_of(one: _Ko, other: _Ko) -> list[int]:
    return [one.stone, other.stone, *one.holder.points, *one.taker.points]


@kernel
def _stones_in_atari(side: int, stones: Int8) -> Int16:
    """Return int16: the stones without neighbours of their colour that have one liberty."""
    neighbours = neighbour_table(side)
    found, count = np.empty(side * side, np.int16), 0
    for point in range(side * side):
        own, free = 0, 0
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            own += int(stones[beside] == stones[point])
            free += int(stones[beside] == 0)
        if stones[point] != 0 and own == 0 and free == 1:
            found[count] = point
            count += 1
    return found[:count]


def _kos(position: Position, singles: list[int]) -> dict[int, list[_Ko]]:
    """Return the kos between two chains, by the colour that holds them."""
    chains = {point: chain for chain in position.chains() for point in chain.points}
    beside = points_beside(position.side)
    kos: dict[int, list[_Ko]] = {BLACK: [], WHITE: []}
    for stone in singles:
        [point] = chains[stone].liberties
        holders = {chains.get(other) for other in beside[point] if other != stone}
        takers = {chains[other] for other in beside[stone] if other != point}
        if len(holders) == 1 and len(takers) == 1:
            [holder], [taker] = holders, takers
            if holder is not None and holder.colour == chains[stone].colour:
                kos[holder.colour].append(_Ko(stone, point, holder, taker))
    return kos


def _is_seki(stones: Stones, one: _Ko, other: _Ko) -> bool:
    """Return whether each chain of a double ko has a ko and one more liberty."""
    pair, beside = {*one.holder.points, *one.taker.points}, points_beside(len(stones))
    for chain, ko in ((one.holder, one.point), (one.taker, other.point)):
        last = [point for point in chain.liberties if point != ko]
        if len(chain.liberties) != _LIBERTIES or len(last) != 1 or not pair.issuperset(beside[last[0]]):
            return False
    return True


def _beside_chosen(stones: Stones, points: list[int], chosen: Mask) -> bool:
    """Return whether a chosen point is beside some points, and none of them."""
    around = {other for point in points for other in points_beside(len(stones))[point]}.difference(points)
    return any(chosen.flat[point] for point in around)


def nakade_seki(reader: PositionReader, dead: Mask) -> Mask:
    """Return bool (N, N): stones of chains that live in the only eye of a group although they are called dead.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), stones that seem to be dead.

    Such a chain leaves two points of the eye around it, both of them its liberties. The group around it has no other
    eye, and either has no liberties elsewhere, so that the side that takes one of the two points is captured on the
    other one, or would be captured after it has taken the stones: their shape is one eye after the next move. A group
    that may still connect to a friend across a dame is left alone, and so are chains of one or two stones.
    """
    owner, groups, left = reader.groups(dead).owner.ravel(), reader.groups(dead).ids, reader.groups(dead).left.ravel()
    found = np.zeros(dead.size, np.bool_)
    dame = np.flatnonzero(owner == EMPTY)
    beside_dame = neighbour_table(reader.side)[dame]
    for chain in reader.chains:
        first = chain.points[0]
        if not dead.flat[first] or len(chain.points) < _LEAST_NAKADE or len(chain.liberties) != _SHARED:
            continue
        group = groups == groups[first]
        eyes = np.flatnonzero(group & (left == EMPTY))
        if set(eyes.tolist()) != {*chain.points, *chain.liberties}:
            continue
        own_dame = _touching(beside_dame, group)
        friendly_dame = _touching(beside_dame, (owner == owner[first]) & ~group)
        if not (own_dame & friendly_dame).any() and (not own_dame.any() or _is_fatal(reader, chain, dame[own_dame])):
            found[list(chain.points)] = True
    return found.reshape(dead.shape)


def _is_fatal(reader: PositionReader, chain: Chain, dame: NDArray[np.int64]) -> bool:
    """Return whether the chains around a chain with two liberties are captured after they have captured it.

    They have no other liberties than dame, which do not help them.
    """
    stones = reader.stones.copy()
    stones.flat[[*dame, *chain.liberties]] = [*(chain.colour,) * len(dame), *(-chain.colour,) * len(chain.liberties)]
    stones.flat[list(chain.points)] = EMPTY
    area = np.array(sorted(chain.points), np.int16)
    return read_capture(stones, chain.liberties[0], area, True, _NAKADE) == CAPTURED


def _touching(neighbours: NDArray[np.int16], points: Mask) -> Mask:
    """Return for each row of neighbours, -1 for none, whether one of the points is among them."""
    return np.asarray((points[neighbours] & (neighbours >= 0)).any(axis=1))
