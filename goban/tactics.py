"""What each move would do, without playing it, as a kernel.

- `read_chains(side, stones, ids) -> Chains`
- `move_results(chains, colour, ko) -> (captured int16[N*N], liberties int8[N*N])`
"""

from typing import NamedTuple

import numpy as np

from goban.jit import in_place, kernel
from goban.kernels import Int8, Int16, Int32, neighbour_table

_MOST = 4  # liberties counted


class Chains(NamedTuple):
    """The stones and their chains. By point: neighbours and ids. By id: stones, liberties, the first four of these."""

    neighbours: Int16
    stones: Int8
    ids: Int32
    size: Int16
    liberties: Int16
    known: Int16


@kernel
def move_results(chains: Chains, colour: int, ko: int) -> tuple[Int16, Int8]:
    """Return what a stone of `colour` does: int16 (N*N,), how many stones it captures, and int8 (N*N,), the liberties
    of its chain afterwards, up to 4.

    Args:
        chains: of `read_chains`.
        colour: of the stone.
        ko: the forbidden point, or -1.

    Both are 0 where `colour` may not play: stones, ko, suicide.
    """
    points = len(chains.stones)
    captured, left = np.zeros(points, np.int16), np.zeros(points, np.int8)
    found = np.empty(_MOST, np.int16)
    for point in range(points):
        if chains.stones[point] == 0 and point != ko:
            captured[point], left[point] = _result(chains, point, colour, found)
    return captured, left


@kernel
def read_chains(side: int, stones: Int8, ids: Int32) -> Chains:
    """Return the chains of stones, int8 (N*N,); `ids` of `chain_ids`."""
    points = side * side
    size, liberties = np.zeros(points, np.int16), np.zeros(points, np.int16)
    chains = Chains(neighbour_table(side), stones, ids, size, liberties, np.empty((points, _MOST), np.int16))
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
                if liberties[chain] < _MOST:
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
    """Return (stones captured, liberties of the new chain, up to 4); `found` int16 (4,) is overwritten with these."""
    captured, left = 0, 0
    for k in range(4):
        beside = int(chains.neighbours[point, k])
        if beside < 0:
            break
        chain = chains.ids[beside]
        if chains.stones[beside] == 0:
            left = _add(found, left, beside)
        elif chains.stones[beside] == colour:
            left = _MOST if chains.liberties[chain] > _MOST else _add_others(chains, chain, point, found, left)
        elif chains.liberties[chain] == 1:
            captured += chains.size[chain] if _is_first(chains, point, k) else 0
            left = _add(found, left, beside)
    if captured > 0:
        left = _add_captured(chains, point, colour, found, left)
    return captured, left


@in_place
def _add(found: Int16, left: int, point: int) -> int:
    """Append `point` unless it is there or all places are taken; return the new number."""
    for k in range(left):
        if found[k] == point:
            return left
    if left < _MOST:
        found[left] = point
        return left + 1
    return left


@in_place
def _add_others(chains: Chains, chain: int, point: int, found: Int16, left: int) -> int:
    """Add the liberties, at most four, of a chain beside `point` but for `point`; return the new number."""
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
