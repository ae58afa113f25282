"""Living chains that are captured in their own territory unless their side protects them.

Teire are the points that their owner has to fill once the dame are filled. In a shortage of liberties (damezumari) the
other side captures already if it moves first.
"""

import numpy as np

from goban.coords import EMPTY, pass_point
from goban.position import Chain, Position
from goban.reading.reader import (
    SHORT_OF_LIBERTIES,
    SHORTAGE,
    TEIRE,
    TEIRE_AREA,
    TEIRE_DAME,
    TEIRE_DEPTH,
    TEIRE_INSIDE,
    Groups,
    Reader,
    outcome,
)
from goban.reading.search_stack import CAPTURED
from goban.regions import Mask, Stones, connected, points_beside


def find_teire(reader: Reader, dead: Mask, owner: Stones) -> Mask:
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
    position, found = reader.position, np.zeros(dead.shape, np.bool_)
    territory = (((position.stones == EMPTY) | dead) & (owner != EMPTY)).ravel()
    owners = owner.ravel().tolist()
    spared = (dead.ravel() | (reader.pass_alive.ravel() != EMPTY)).tolist()
    for chain in reader.chains:
        if spared[chain.points[0]]:
            continue
        now = position.chain_at(chain.points[0]) if found.any() else chain
        while now is not None and (point := _protective_move(position, now, territory, owners)) is not None:
            found.flat[point] = True
            position = position.play(point, chain.colour)
            now = position.chain_at(chain.points[0])
    return found


def _protective_move(position: Position, chain: Chain, territory: Mask, owner: list[int]) -> int | None:
    """Return the point of its territory at which a chain has to be protected; None if it need not or cannot be."""
    open_ = [point for point in chain.liberties if owner[point] == chain.colour]
    dame = [point for point in chain.liberties if owner[point] == EMPTY]
    if len(open_) > TEIRE_INSIDE or len(dame) > TEIRE_DAME:
        return None
    dead = [point for point in _stones_beside(position, chain) if territory[point]]
    if not (open_ or dead):
        return None
    if not dame and (dead or len(chain.points) == 1):  # captured in return, or spared
        return None
    inside = connected(position.side, [*open_, *dead], territory, TEIRE_AREA)
    reading = _Reading(chain, inside, dame)
    filled = reading.with_dame_filled(position)
    if filled is None or not reading.is_captured(filled) or not reading.is_lost(position, chain.colour):
        return None
    others = [point for point in sorted(inside - set(open_)) if position.stones.flat[point] == EMPTY]
    moves = [point for point in open_ + others if position.is_legal(point, chain.colour)]
    moves.sort(key=lambda point: not reading.is_attacked(filled, point))
    return next((point for point in moves if reading.is_protected(filled, point)), None)


def _stones_beside(position: Position, chain: Chain) -> set[int]:
    """Return the points of the other side's stones beside a chain."""
    stones, beside = position.flat.tolist(), points_beside(position.side)
    return {other for point in chain.points for other in beside[point] if stones[other] == -chain.colour}


class _Reading:
    """What becomes of a chain when the dame beside it are filled."""

    def __init__(self, chain: Chain, inside: set[int], dame: list[int]) -> None:
        self._colour, self._target, self._inside, self._dame = chain.colour, chain.points[0], inside, dame
        self._area = np.array(sorted({*chain.points, *inside, *dame}), np.int16)

    def with_dame_filled(self, position: Position) -> Position | None:
        """Return the position after the other side has filled the dame, but for a last one that captures the chain.

        None if it cannot.
        """
        for point in self._dame:
            if not position.is_legal(point, -self._colour):
                return None
            filled = position.play(point, -self._colour)
            if filled.flat[self._target] == EMPTY:
                break
            position = filled
        return position

    def is_captured(self, position: Position) -> bool:
        """Return whether the chain is captured in its territory if the other side moves first."""
        return outcome(position.stones, self._target, self._area, True, TEIRE) == CAPTURED

    def is_attacked(self, filled: Position, point: int) -> bool:
        """Return whether a move of the other side at a point captures the chain: the point where to protect it."""
        if not filled.is_legal(point, -self._colour):
            return False
        after = filled.play(point, -self._colour)
        return (
            after.flat[self._target] == EMPTY
            or outcome(after.stones, self._target, self._area, False, TEIRE) == CAPTURED
        )

    def is_protected(self, filled: Position, point: int) -> bool:
        """Return whether a move in the territory saves the chain."""
        if not filled.is_legal(point, self._colour):
            return False
        return not self.is_captured(filled.play(point, self._colour))

    def is_lost(self, position: Position, mover: int, depth: int = 0) -> bool:
        """Return whether the chain is captured if its side plays on dame alone; `mover`: the colour that moves."""
        chain = position.chain_at(self._target)
        if chain is None:
            return True
        dame = [point for point in chain.liberties if point not in self._inside]
        if len(dame) > TEIRE_DAME or depth > TEIRE_DEPTH:
            return False
        attacking = mover != self._colour
        if attacking and not dame:
            return self.is_captured(position)
        moves = [point for point in dame if position.is_legal(point, mover)]
        after = (position.play(point, mover) for point in (*moves, pass_point(position.side)))
        outcomes = (self.is_lost(each, -mover, depth + 1) for each in after)
        return any(outcomes) if attacking else all(outcomes)


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
        if len(chain.liberties) > SHORT_OF_LIBERTIES or spared[first]:
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
    inside = connected(reader.side, beside, own, SHORTAGE.empty - 1)
    area = np.array(sorted({*chain.points, *inside}), np.int16)
    return outcome(reader.stones, chain.points[0], area, True, SHORTAGE) == CAPTURED
