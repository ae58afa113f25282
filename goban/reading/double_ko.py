"""Double ko: two chains with two kos between them, of which each side holds one.

In a seki no side gains by taking the other ko; with further liberties it is a race that the side to move may win.
"""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from goban.coords import BLACK, WHITE
from goban.jit import kernel
from goban.kernels import Int8, Int16, neighbour_table
from goban.position import Chain, Position
from goban.reading.limits import MOST_RACING
from goban.regions import Mask, Stones, points_beside

_LIBERTIES: Final = 2  # of a chain: its ko, and an eye or a dame that both chains share


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
        few = max(len(one.holder.liberties), len(one.taker.liberties)) <= MOST_RACING
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
