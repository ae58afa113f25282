"""What each move would do, without playing it, as a kernel.

- `move_results(side, stones, ids, colour, ko, most) -> (captured int16[N*N], liberties int8[N*N], size int16[N*N])`
"""

from typing import NamedTuple

import numpy as np

from goban.jit import in_place, inner
from goban.kernels import Int8, Int16, Int32, neighbour_table


class Chains(NamedTuple):
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
    chains = _chains(side, stones, ids, most)
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
def _chains(side: int, stones: Int8, ids: Int32, most: int) -> Chains:
    points = side * side
    size, liberties = np.zeros(points, np.int16), np.zeros(points, np.int16)
    chains = Chains(neighbour_table(side), stones, ids, size, liberties, np.empty((points, most), np.int16))
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
def _is_first(chains: Chains, point: int, k: int) -> bool:
    """Return whether no earlier neighbour of `point` belongs to the chain of its neighbour `k`."""
    chain = chains.ids[chains.neighbours[point, k]]
    for j in range(k):
        earlier = chains.neighbours[point, j]
        if chains.ids[earlier] == chain:
            return False
    return True


@in_place
def _result(chains: Chains, point: int, colour: int, found: Int16) -> tuple[int, int]:
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
def _joined_stones(chains: Chains, point: int, colour: int) -> int:
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
def _add_others(chains: Chains, chain: int, point: int, found: Int16, left: int) -> int:
    """Add the liberties, no more than are known, of a chain beside `point` but for `point`; return the new number."""
    for k in range(chains.liberties[chain]):
        liberty = int(chains.known[chain, k])
        if liberty != point:
            left = _add(found, left, liberty)
    return left


@in_place
def _add_captured(chains: Chains, point: int, colour: int, found: Int16, left: int) -> int:
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
def _touches(chains: Chains, point: int, chain: int) -> bool:
    for k in range(4):
        beside = chains.neighbours[point, k]
        if beside < 0:
            break
        if chains.ids[beside] == chain:
            return True
    return False
