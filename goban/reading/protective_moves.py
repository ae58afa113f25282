"""Teire: points of territory that their owner has to fill, which territory rules take from what a side surrounds.

- `find_teire(reader, dead, owner)`: those that have to be filled once the dame are filled.
- `protective_moves(reader, dead, owner)`: those and the ones that a last dame decides, after playing them out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np

from goban.array_types import Mask, Stones
from goban.coords import EMPTY, MAX_SIDE, pass_point
from goban.position import Chain, IllegalMove, Position
from goban.reading.capture_search import Limit, read_capture
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import CAPTURED
from goban.reading.weak_groups import read_weak_groups
from goban.regions import connected, points_beside

_TEIRE: Final = Limit(MAX_SIDE**2, 2_000)  # once the dame are filled
_INSIDE: Final = 2  # liberties in territory of a chain that may need protection
_DAME: Final = 3  # its liberties elsewhere at one time
_AREA: Final = 12  # points of its territory, the nearest ones, from which no more are read
_DEPTH: Final = 8  # moves on dame


class ProtectiveMoves(NamedTuple):
    """Points of territory that their owner has to fill, and the groups that this would kill, bool (N, N) each.

    Attributes:
        points: to be filled once the dame are filled, or if the other side plays a last dame first.
        in_seki: stones of groups that would die by filling what they have to fill, beside groups without two eyes.
    """

    points: Mask
    in_seki: Mask


def protective_moves(reader: PositionReader, dead: Mask, owner: Stones) -> ProtectiveMoves:
    """Return the protective moves that are left, and the groups that live only without theirs.

    Arguments as for `find_teire`. Besides what that finds, a chain is protected that a dame decides: it is captured if
    the other side is the first to fill dame beside it, but not if its own side is.
    """
    found = find_teire(reader, dead, owner)
    found |= _Search(reader, dead, owner).moves(_hangs_on_a_dame)
    weak = found & reader.groups(dead).weak.reshape(found.shape)
    if not weak.any():
        return ProtectiveMoves(found, weak)
    killed = _killed(reader, dead, reader.position, weak, owner)
    ids = reader.groups(dead).ids
    groups = {int(number) for number in ids[killed.ravel()] if _meets_a_weak_group(reader, dead, ids == number)}
    in_seki = np.isin(ids, list(groups)).reshape(found.shape)
    return ProtectiveMoves(found & ~killed & ~in_seki, in_seki & (reader.stones != EMPTY) & ~dead)


def _meets_a_weak_group(reader: PositionReader, dead: Mask, group: Mask) -> bool:
    """Return whether a group, bool (N*N,), shares a dame with one of the other colour that has no two eyes either."""
    groups, beside = reader.groups(dead), points_beside(reader.side)
    owner, weak = groups.owner.ravel(), groups.weak & ~groups.two_eyed
    colour = owner[np.flatnonzero(group)[0]]
    shared = (point for point in np.flatnonzero(owner == EMPTY) if group[beside[point]].any())
    return any(weak[other] and owner[other] == -colour for point in shared for other in beside[point])


def find_teire(reader: PositionReader, dead: Mask, owner: Stones) -> Mask:
    """Return bool (N, N): points of territory that have to be filled, even if their owner moves first.

    Args:
        reader: of the position, N by N.
        dead: bool (N, N), the dead stones.
        owner: int8 (N, N), who owns each point, 0 for dame and eyes in seki.

    A chain needs a protective move if it is captured after the dame beside it are filled, and its own side cannot
    prevent that on the dame (Japanese rules of 1989, commentary on Article 9). It may need several, as where it is
    connected only by capturing dead stones: that capture, and the points under them. Only chains with one or two
    liberties in territory, or dead stones beside them, and up to three liberties on dame are read.
    """
    return _Search(reader, dead, owner).moves(lambda reading, position: reading.is_lost(position, reading.colour))


def _hangs_on_a_dame(reading: "_Reading", position: Position) -> bool:
    """Return whether a chain with one liberty besides dame is captured if the other side is the first to fill one, and
    only then. A stone alone is spared: it is taken in a ko.
    """
    return (
        reading.stones > 1
        and len(reading.liberties) == len(reading.dame) + 1
        and not reading.is_lost(position, reading.colour)
        and reading.is_lost(position, -reading.colour)
    )


def _killed(reader: PositionReader, dead: Mask, position: Position, points: Mask, owner: Stones) -> Mask:
    """Return bool (N, N): the points whose chains can be captured once their owners have filled all points."""
    for point in np.flatnonzero(points).tolist():
        filled = _played(position, point, int(owner.flat[point]))
        if filled is None:
            return points
        position = filled
    verdicts = read_weak_groups(PositionReader(position, reader.ownership), dead & (position.stones == reader.stones))
    return points & (verdicts.dead | verdicts.open)


class _Search:
    """A search for the protective moves of a position; arguments as for `find_teire`."""

    def __init__(self, reader: PositionReader, dead: Mask, owner: Stones) -> None:
        self._reader, self._dead, self._owner = reader, dead, owner
        self._around = _Surroundings.of(reader, dead, owner)
        self._weak = reader.groups(dead).weak

    def moves(self, is_owed: Callable[["_Reading", Position], bool]) -> Mask:
        """Return bool (N, N): where chains are protected that are threatened, and owe a move for that."""
        position, found = self._reader.position, np.zeros(self._dead.shape, np.bool_)
        for chain in _unproved(self._reader, self._dead):
            now = chain if position is self._reader.position else position.chain_at(chain.points[0])
            while now is not None and (reading := self._around.threat(position, now)) is not None:
                if not is_owed(reading, position) or (point := self._best(position, reading)) is None:
                    break
                found.flat[point] = True
                position = position.play(point, chain.colour)
                now = position.chain_at(chain.points[0])
        return found

    def _best(self, position: Position, reading: "_Reading") -> int | None:
        """Return the first point that protects a chain, one that leaves a group without two eyes alive if it can."""
        first = None
        for point in reading.protective_moves(position):
            first = point if first is None else first
            if not self._weak[point] or not self._kills(position, point):
                return point
        return first

    def _kills(self, position: Position, point: int) -> bool:
        chosen = np.zeros(self._dead.shape, np.bool_)
        chosen.flat[point] = True
        return bool(_killed(self._reader, self._dead, position, chosen, self._owner).any())


def _played(position: Position, point: int, colour: int) -> Position | None:
    """Return the position after a move, None if it is illegal."""
    try:
        return position.play(point, colour)
    except IllegalMove:
        return None


def _unproved(reader: PositionReader, dead: Mask) -> list[Chain]:
    """Return the living chains that do not live unconditionally."""
    spared = (dead.ravel() | (reader.pass_alive.ravel() != EMPTY)).tolist()
    return [chain for chain in reader.chains if not spared[chain.points[0]]]


@dataclass(frozen=True, eq=False)
class _Surroundings:
    """What chains may have to be protected in: territory, bool (N*N,), and the owner of each point."""

    territory: Mask
    owner: list[int]

    @classmethod
    def of(cls, reader: PositionReader, dead: Mask, owner: Stones) -> "_Surroundings":
        """Return the protective moves of a position; arguments as for `find_teire`."""
        territory = ((reader.stones == EMPTY) | dead) & (owner != EMPTY)
        return cls(territory.ravel(), owner.ravel().tolist())

    def threat(self, position: Position, chain: Chain) -> "_Reading | None":
        """Return the reading of a chain that is captured once the other side has filled its dame; else None."""
        open_ = [point for point in chain.liberties if self.owner[point] == chain.colour]
        dame = [point for point in chain.liberties if self.owner[point] == EMPTY]
        if len(open_) > _INSIDE or len(dame) > _DAME:
            return None
        dead = [point for point in _stones_beside(position, chain) if self.territory[point]]
        if not (open_ or dead):
            return None
        if not dame and (dead or len(chain.points) == 1):  # captured in return, or spared
            return None
        inside = connected(position.side, [*open_, *dead], self.territory, _AREA)
        reading = _Reading(chain, inside, open_, dame, partial(self._friends, position, chain.colour, inside))
        filled = reading.with_dame_filled(position)
        return reading if filled is not None and reading.is_captured(filled) else None

    def _friends(self, position: Position, colour: int, inside: set[int]) -> set[int]:
        """Return the stones of the chains of a colour that have a liberty in territory elsewhere than inside."""
        elsewhere = {point for point, owner in enumerate(self.owner) if owner == colour}.difference(inside)
        own = (each for each in position.chains() if each.colour == colour)
        return {point for each in own if not elsewhere.isdisjoint(each.liberties) for point in each.points}


def _stones_beside(position: Position, chain: Chain) -> set[int]:
    """Return the points of the other side's stones beside a chain."""
    stones, beside = position.flat.tolist(), points_beside(position.side)
    return {other for point in chain.points for other in beside[point] if stones[other] == -chain.colour}


class _Reading:
    """The fate of a chain when the dame beside it are filled.

    Attributes:
        colour, stones, liberties: of the chain; `stones` counts them.
        dame: its liberties elsewhere than in its territory.

    It is safe once it is connected to one of its friends, stones of chains with territory elsewhere.
    """

    def __init__(
        self, chain: Chain, inside: set[int], open_: list[int], dame: list[int], find_friends: Callable[[], set[int]]
    ) -> None:
        self.colour, self.stones, self.liberties, self.dame = chain.colour, len(chain.points), chain.liberties, dame
        self._target, self._inside, self._open, self._find_friends = chain.points[0], inside, open_, find_friends
        self._area = np.array(sorted({*chain.points, *inside, *dame}), np.int16)

    @cached_property
    def _friends(self) -> set[int]:
        return self._find_friends()

    def with_dame_filled(self, position: Position) -> Position | None:
        """Return the position after the other side has filled the dame, but for a last one that captures the chain.

        None if it cannot.
        """
        for point in self.dame:
            filled = _played(position, point, -self.colour)
            if filled is None:
                return None
            if filled.flat[self._target] == EMPTY:
                break
            position = filled
        return position

    def is_captured(self, position: Position) -> bool:
        """Return whether the chain is captured in its territory if the other side moves first."""
        return read_capture(position.stones, self._target, self._area, True, _TEIRE) == CAPTURED

    def protective_moves(self, position: Position) -> Iterator[int]:
        """Yield the points of its territory at which a chain is protected, the likeliest ones first."""
        filled = self.with_dame_filled(position)
        if filled is None:
            return
        others = [point for point in sorted(self._inside - set(self._open)) if position.stones.flat[point] == EMPTY]
        moves = [point for point in self._open + others if position.is_legal(point, self.colour)]
        moves.sort(key=lambda point: not self.is_attacked(filled, point))
        yield from (point for point in moves if self.is_protected(filled, point))

    def is_attacked(self, filled: Position, point: int) -> bool:
        """Return whether a move of the other side at a point captures the chain: the point where to protect it."""
        after = _played(filled, point, -self.colour)
        return after is not None and (
            after.flat[self._target] == EMPTY
            or read_capture(after.stones, self._target, self._area, False, _TEIRE) == CAPTURED
        )

    def is_protected(self, filled: Position, point: int) -> bool:
        """Return whether a move in the territory saves the chain."""
        after = _played(filled, point, self.colour)
        return after is not None and not self.is_captured(after)

    def is_lost(self, position: Position, mover: int, depth: int = 0) -> bool:
        """Return whether the chain is captured if its side plays on dame alone; `mover`: the colour that moves."""
        chain = position.chain_at(self._target)
        if chain is None:
            return True
        if not self._friends.isdisjoint(chain.points):
            return False
        dame = [point for point in chain.liberties if point not in self._inside]
        if len(dame) > _DAME or depth > _DEPTH:
            return False
        attacking = mover != self.colour
        if attacking and not dame:
            return self.is_captured(position)
        after = (_played(position, point, mover) for point in (*dame, pass_point(position.side)))
        outcomes = (self.is_lost(each, -mover, depth + 1) for each in after if each is not None)
        return any(outcomes) if attacking else all(outcomes)
