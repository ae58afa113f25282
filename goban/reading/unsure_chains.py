"""Chains that a model is not sure of, read out in the small areas that sure chains enclose.

An escape that the area does not show helps the chain inside more often than the attacker, and small chains most of all:
a proof that a chain is dead is always taken, one that it lives only for chains of some size.
"""

from typing import Final

import numpy as np

from goban.array_types import Bool, Int8, Int16, Int32, Mask, Stones
from goban.chain_kernels import label, neighbour_table
from goban.coords import EMPTY
from goban.jit import inner, kernel
from goban.position import Chain, Position
from goban.reading.capture_search import Area, Limit, read_capture
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import CAPTURED, SAFE, UNKNOWN
from goban.reading.seki import double_ko_seki
from goban.regions import connected

LEAST_LIVING: Final = 5  # stones of a chain that a small area can prove to live
_SMALL_AREA: Final = Limit(8, 10_000)  # around chains that the network is not sure of
_OUTSIDE: Final = 2  # liberties elsewhere that make a chain a wall, one more where walls are doubted


def read_unsure_chains(reader: PositionReader, status: Stones, surviving: Mask) -> Stones:
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


def read_chain(reader: PositionReader, status: Stones, chain: Chain) -> int:
    """Return CAPTURED if a chain is dead although its side moves first, SAFE if it lives although the other side does.

    UNKNOWN where reading has no such result, or the area between the walls is too large.

    Args:
        reader: of the position, N by N.
        status: int8 (N, N), 1 for stones that surely live, -1 for those that are surely dead, 0 for the unsure ones,
            such as those of the chain.
        chain: of any size.
    """
    walls = _Walls(reader, status)
    if walls.outcome(chain, True) == SAFE:
        return SAFE
    if walls.outcome(chain, False) != CAPTURED:
        return UNKNOWN
    captors = _captors(reader.position, chain)
    survives = any(status.flat[each.points[0]] > 0 or walls.outcome(each, True) != CAPTURED for each in captors)
    return CAPTURED if survives else UNKNOWN


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

    def __init__(self, reader: PositionReader, status: Stones) -> None:
        self._reader, self._empty = reader, reader.stones.ravel() == EMPTY
        self._alive = (reader.pass_alive == reader.stones).ravel() & ~self._empty
        self._ids = reader.position.chain_ids().ravel()
        lives = status.ravel().tolist()
        self.unsure = [chain for chain in reader.chains if lives[chain.points[0]] == 0]
        self.living = [chain for chain in reader.chains if lives[chain.points[0]] > 0]
        self._pressed = {point for chain in self.unsure for point in chain.liberties}
        self._found: dict[int, Mask] = {}

    def outcome(self, chain: Chain, attacker_first: bool, unsure: Chain | None = None) -> int:
        """Return the fate of a chain in its area; doubted are the walls of the side that moves second."""
        area = self._area(chain, chain.colour if attacker_first else -chain.colour, unsure)
        return read_capture(self._reader.stones, chain.points[0], area, attacker_first, _SMALL_AREA)

    def _area(self, target: Chain, doubted: int, unsure: Chain | None) -> Area:
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
