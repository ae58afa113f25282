"""The effects of a stone at each empty point, without playing it: kernels, and the moves worth trying in a position.

- `move_flags(side, stones, colour) -> uint8[N*N]`, a sum of CAPTURES, SAVES, ATARIS, OWN_EYE and VITAL at every empty
  point; `flags_of(position)`, the same for the side to move
- `move_results(side, stones, ids, colour, ko, most) -> (captured int16[N*N], liberties int8[N*N], size int16[N*N])`
- `sensible(position, flags) -> bool[N*N]` and `sensible_moves(position) -> list[int]`, the legal moves that fill no own
  eye
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.array_types import Bool, Int8, Int16, Int32
from goban.chain_kernels import label, liberties, neighbour_table
from goban.jit import in_place, inner, kernel
from goban.own_eyes import is_eye
from goban.position import Position

CAPTURES, SAVES, ATARIS, OWN_EYE, VITAL = 1, 2, 4, 8, 16

_LARGEST_SPACE: Final = 6  # empty points: six can be one eye, seven hardly ever
_WEAK: Final = 3  # liberties

Flags = npt.NDArray[np.uint8]


@kernel
def move_flags(side: int, stones: Int8, colour: int) -> Flags:
    """Return uint8 (N*N,): whether a stone of `colour` captures, is the liberty of its own chain in atari, takes one of
    two liberties of the other side's chain, would fill an eye of its own (`is_eye`), or stands in a small eye space; 0
    at stones.

    A small eye space is up to six empty points, beside some chain of either colour with up to three
    liberties. Does not look at whether the move is legal, nor what comes of it.
    """
    ids = label(side, stones)
    counts = liberties(side, stones, ids)
    neighbours = neighbour_table(side)
    found = np.zeros(side * side, np.uint8)
    found[_small_spaces(stones, neighbours, ids, counts)] = VITAL
    for point in range(side * side):
        if stones[point] != 0:
            continue
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] == colour and counts[beside] == 1:
                found[point] |= SAVES
            elif stones[beside] == -colour and counts[beside] <= 2:
                found[point] |= CAPTURES if counts[beside] == 1 else ATARIS
        if is_eye(side, stones, neighbours, colour, point):
            found[point] |= OWN_EYE
    return found


@inner
def _small_spaces(stones: Int8, neighbours: Int16, ids: Int32, counts: Int16) -> Bool:
    """Return bool (N*N,): the points of small eye spaces; `ids` of label, `counts` of liberties."""
    sizes = np.zeros(len(stones), np.int16)
    beside_weak = np.zeros(len(stones), np.bool_)
    for point in range(len(stones)):
        if stones[point] != 0:
            continue
        sizes[ids[point]] += 1
        for k in range(4):
            beside = neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] != 0 and counts[beside] <= _WEAK:
                beside_weak[ids[point]] = True
    return (sizes[ids] <= _LARGEST_SPACE) & beside_weak[ids]


def flags_of(position: Position) -> Flags:
    """Return uint8 (N*N,), `move_flags` of a position for the side to move."""
    return move_flags(position.side, position.flat, position.to_move)


def sensible(position: Position, flags: Flags) -> Bool:
    """Return bool (N*N,): where a move is legal and fills no eye of the mover's own, unless that saves a chain.

    Args:
        position: side N; the side to move is the mover.
        flags: uint8 (N*N,), `flags_of` the position.

    Checks simple ko only, and excludes suicide under all rules.
    """
    found: Bool = position.legal_points()[:-1] & ((flags & (OWN_EYE | SAVES)) != OWN_EYE)
    return found


def sensible_moves(position: Position) -> list[int]:
    """Return the flat indices of `sensible` moves, in ascending order."""
    return np.flatnonzero(sensible(position, flags_of(position))).tolist()


class _Chains(NamedTuple):
    """The stones and their chains. By point: neighbours and ids. By id: stones, liberties, the first of these."""

    neighbours: Int16
    stones: Int8
    ids: Int32
    size: Int16
    liberties: Int16
    known: Int16


@inner
def move_results(side: int, stones: Int8, ids: Int32, colour: int, ko: int, most: int) -> tuple[Int16, Int8, Int16]:
    """Return what a stone of `colour` does: int16 (N*N,), how many stones it captures, int8 (N*N,), the liberties of
    its chain afterwards, up to `most`, and int16 (N*N,), the stones of that chain.

    Args:
        side: of the board.
        stones: int8 (N*N,).
        ids: of `chain_ids`.
        colour: of the stone.
        ko: the forbidden point, or -1.
        most: liberties counted.

    All are 0 where `colour` may not play: stones, ko, suicide.
    """
    chains = _chains_of(side, stones, ids, most)
    captured, size = np.zeros(side * side, np.int16), np.zeros(side * side, np.int16)
    left = np.zeros(side * side, np.int8)
    found = np.empty(most, np.int16)
    for point in range(side * side):
        if stones[point] == 0 and point != ko:
            captured[point], left[point] = _result(chains, point, colour, found)
            if left[point] > 0:
                size[point] = _joined_stones(chains, point, colour)
    return captured, left, size


@inner
def _chains_of(side: int, stones: Int8, ids: Int32, most: int) -> _Chains:
    points = side * side
    size, liberties = np.zeros(points, np.int16), np.zeros(points, np.int16)
    chains = _Chains(neighbour_table(side), stones, ids, size, liberties, np.empty((points, most), np.int16))
    for point in range(points):
        size[ids[point]] += 1
        if stones[point] != 0:
            continue
        for k in range(4):
            beside = chains.neighbours[point, k]
            if beside < 0:
                break
            if stones[beside] != 0 and _is_first(chains, point, k):
                chain = ids[beside]
                if liberties[chain] < most:
                    chains.known[chain, liberties[chain]] = point
                liberties[chain] += 1
    return chains


@in_place
def _is_first(chains: _Chains, point: int, k: int) -> bool:
    """Return whether no earlier neighbour of `point` belongs to the chain of its neighbour `k`."""
    chain = chains.ids[chains.neighbours[point, k]]
    for j in range(k):
        earlier = chains.neighbours[point, j]
        if chains.ids[earlier] == chain:
            return False
    return True


@in_place
def _result(chains: _Chains, point: int, colour: int, found: Int16) -> tuple[int, int]:
    """Return (stones captured, liberties of the new chain, at most those that fit into `found`, which gets them)."""
    captured, left, most = 0, 0, len(found)
    for k in range(4):
        beside = int(chains.neighbours[point, k])
        if beside < 0:
            break
        chain = chains.ids[beside]
        if chains.stones[beside] == 0:
            left = _add(found, left, beside)
        elif chains.stones[beside] == colour:
            left = most if chains.liberties[chain] > most else _add_others(chains, chain, point, found, left)
        elif chains.liberties[chain] == 1:
            captured += chains.size[chain] if _is_first(chains, point, k) else 0
            left = _add(found, left, beside)
    if captured > 0:
        left = _add_captured(chains, point, colour, found, left)
    return captured, left


@in_place
def _joined_stones(chains: _Chains, point: int, colour: int) -> int:
    """Return the stones of the chain that a stone at `point` makes."""
    stones = 1
    for k in range(4):
        beside = chains.neighbours[point, k]
        if beside < 0:
            break
        if chains.stones[beside] == colour and _is_first(chains, point, k):
            stones += chains.size[chains.ids[beside]]
    return stones


@in_place
def _add(found: Int16, left: int, point: int) -> int:
    """Append `point` unless it is there or all places are taken; return the new number."""
    for k in range(left):
        if found[k] == point:
            return left
    if left < len(found):
        found[left] = point
        return left + 1
    return left


@in_place
def _add_others(chains: _Chains, chain: int, point: int, found: Int16, left: int) -> int:
    """Add the liberties, no more than are known, of a chain beside `point` but for `point`; return the new number."""
    for k in range(chains.liberties[chain]):
        liberty = int(chains.known[chain, k])
        if liberty != point:
            left = _add(found, left, liberty)
    return left


@in_place
def _add_captured(chains: _Chains, point: int, colour: int, found: Int16, left: int) -> int:
    """Add the stones captured at `point` that touch one of the chains it joins; return the new number."""
    for stone in range(len(chains.stones)):
        chain = chains.ids[stone]
        if chains.stones[stone] != -colour or chains.liberties[chain] != 1 or chains.known[chain, 0] != point:
            continue
        for k in range(4):
            beside = chains.neighbours[stone, k]
            if beside < 0:
                break
            if chains.stones[beside] == colour and _touches(chains, point, chains.ids[beside]):
                left = _add(found, left, stone)
    return left


@in_place
def _touches(chains: _Chains, point: int, chain: int) -> bool:
    for k in range(4):
        beside = chains.neighbours[point, k]
        if beside < 0:
            break
        if chains.ids[beside] == chain:
            return True
    return False
