"""Chains that a model is not sure of, read out: every move is tried in the area that sure chains enclose around them.

An escape that the area does not show helps the chain inside more often than the attacker, and small chains most of all:
a proof that a chain is dead is always taken, one that it lives only for chains of some size.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.kernels import label, neighbour_table
from goban.position import Chain, Position
from goban.reading.double_ko import double_ko_seki
from goban.reading.limits import LEAST_LIVING, SMALL_AREA
from goban.reading.reader import Reader, outcome
from goban.reading.search_stack import CAPTURED, SAFE
from goban.regions import Mask, Stones, connected

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
    for chain in (chain for chain in reader.chains if status.flat[chain.points[0]] == 0):
        if len(chain.points) >= LEAST_LIVING and walls.outcome(chain, True) == SAFE:
            found[list(chain.points)] = 1
        elif walls.outcome(chain, False) == CAPTURED:
            captured.append(chain)
    survivors = surviving.ravel() | (status.ravel() > 0) | (found > 0)
    for chain in captured:
        found[list(chain.points)] = -any(
            survivors[each.points[0]] or walls.outcome(each, True) != CAPTURED for each in _captors(position, chain)
        )
    for chain in reader.chains:
        if (
            not found[chain.points[0]]
            and status.flat[chain.points[0]] > 0
            and not alive.flat[chain.points[0]]
            and _is_cornered(position, chain)
        ):
            found[list(chain.points)] = -(walls.outcome(chain, False, unsure=chain) == CAPTURED)
    return found.reshape(stones.shape)


def _captors(position: Position, chain: Chain) -> list[Chain]:
    """Return the chains of the other colour that enclose a chain and what it connects to."""
    regions = label(position.side, (position.stones.ravel() != -chain.colour).astype(np.int8))
    beside = neighbour_table(position.side)[regions == regions[chain.points[0]]]
    enclosing = set(beside[beside >= 0].tolist())
    return [each for each in position.chains() if each.colour != chain.colour and not enclosing.isdisjoint(each.points)]


def _is_one_eye(position: Position, liberties: tuple[int, ...]) -> bool:
    """Return whether the liberties are two points beside each other, and beside no other empty point."""
    return len(liberties) == _OUTSIDE and _connected_empties(position, liberties[:1]) == set(liberties)


def _is_cornered(position: Position, chain: Chain) -> bool:
    """Return whether all liberties of a chain of some size lie in a few small empty areas."""
    if len(chain.points) < LEAST_LIVING or len(chain.liberties) > SMALL_AREA.empty:
        return False
    return len(_connected_empties(position, chain.liberties)) <= SMALL_AREA.empty


def _connected_empties(position: Position, points: tuple[int, ...]) -> set[int]:
    """Return the empty points that are connected to those, as far as the first few more than are read."""
    return connected(position.side, points, position.stones.ravel() == EMPTY, SMALL_AREA.empty)


class _Walls:
    """The chains that enclose areas: those that live unconditionally, and others that surely live and are walls.

    A wall has two liberties or more that are not beside unsure chains, and more than an eye of two points, or none that
    is beside them. Other chains may be captured, and belong to an area. A proof is wrong if walls are captured: those
    on the side that it favours are doubted and need a liberty more, the others one outside the area.
    """

    def __init__(self, reader: Reader, status: Stones) -> None:
        self._position, self._alive = reader.position, (reader.pass_alive == reader.stones).ravel()
        self._alive &= reader.stones.ravel() != EMPTY
        chains = reader.chains
        self._pressed = {point for chain in chains if status.flat[chain.points[0]] == 0 for point in chain.liberties}
        self._living = [chain for chain in chains if status.flat[chain.points[0]] > 0]
        self._found: dict[int, set[int]] = {}

    def outcome(self, chain: Chain, attacker_first: bool, unsure: Chain | None = None) -> int:
        """Return what becomes of a chain in its area; doubted are the walls of the side that moves second."""
        area = self._area(chain, chain.colour if attacker_first else -chain.colour, unsure)
        return outcome(self._position.stones, chain.points[0], area, attacker_first, SMALL_AREA)

    def _area(self, target: Chain, doubted: int, unsure: Chain | None) -> NDArray[np.int16]:
        """Return the points of the area between walls around a chain.

        Args:
            target: the chain, no wall.
            doubted: the colour whose walls are doubted.
            unsure: a chain that does not surely live either, and is no wall.
        """
        walls = self._walls(doubted, unsure)
        while True:
            closed = self._alive.copy()
            closed[[point for chain in walls for point in chain.points]] = True
            passable = (self._position.stones.ravel() == EMPTY) | ~closed
            areas = label(self._position.side, passable.astype(np.int8))
            found = np.flatnonzero(areas == areas[target.points[0]])
            inside = set(found.tolist())
            standing = [wall for wall in walls if wall.colour == doubted or not inside.issuperset(wall.liberties)]
            if len(standing) == len(walls):
                return found.astype(np.int16)
            walls = standing

    def _walls(self, doubted: int, unsure: Chain | None) -> list[Chain]:
        """Return the walls besides those that live unconditionally; arguments as for `area`."""
        if doubted not in self._found:
            walls = (chain for chain in self._living if self._is_wall(chain, self._pressed, doubted))
            self._found[doubted] = {chain.points[0] for chain in walls}
        found = self._found[doubted]
        if unsure is None:
            return [chain for chain in self._living if chain.points[0] in found]
        liberties = set(unsure.liberties)
        pressed = self._pressed | liberties
        return [
            chain
            for chain in self._living
            if chain is not unsure
            and (
                chain.points[0] in found
                if liberties.isdisjoint(chain.liberties)
                else self._is_wall(chain, pressed, doubted)
            )
        ]

    def _is_wall(self, chain: Chain, pressed: Collection[int], doubted: int) -> bool:
        """Return whether a chain that surely lives is a wall; pressed: points beside unsure chains."""
        outside = tuple(point for point in chain.liberties if point not in pressed)
        least = _OUTSIDE + (chain.colour == doubted)
        is_open = len(outside) >= least and not _is_one_eye(self._position, outside)
        return is_open or len(outside) == len(chain.liberties)
