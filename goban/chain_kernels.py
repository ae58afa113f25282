"""Chains, connected areas and liberties of a board, as numba kernels over flat arrays.

A board is `int8[N * N]` in the order of rows: 1 Black, -1 White, 0 empty. Points are flat indices. Every kernel trusts
its arguments, as in `goban.board_kernels`.

- `neighbour_table(side) -> int16[N*N, 4]`, the neighbours of each point
- `label_chains(side, stones) -> int32[N*N]`, smallest flat index of the chain; an empty point's own index
- `label(side, values) -> int32[N*N]`, as label_chains, but connecting empty points as well
- `chain_lists(side, stones) -> (points, ends of chains in points, liberties, ends of chains in liberties)`, int16 each
- `chain_around(side, stones, point) -> (points, liberties)` of one chain, int16 each
- `liberties(side, stones, ids) -> int16[N*N]`, liberties of the chain at each stone, 0 at empty points
- `first_contact(neighbours, stones, ids, point, k) -> bool`, for loops that count each chain beside a point once
"""

import numpy as np

from goban.array_types import Int8, Int16, Int32
from goban.jit import in_place, kernel


@kernel
def neighbour_table(side: int) -> Int16:
    """Return int16 (N*N, 4): the points beside each point, then -1."""
    table = np.full((side * side, 4), -1, np.int16)
    point = 0
    for row in range(side):
        for column in range(side):
            count = 0
            if row > 0:
                table[point, count] = point - side
                count += 1
            if column > 0:
                table[point, count] = point - 1
                count += 1
            if column < side - 1:
                table[point, count] = point + 1
                count += 1
            if row < side - 1:
                table[point, count] = point + side
            point += 1
    return table


@kernel
def label_chains(side: int, stones: Int8) -> Int32:
    """Return int32 (N*N,): the smallest flat index of each stone's chain, an empty point's own index."""
    ids = np.empty(side * side, np.int32)
    label_into(side, stones, False, ids)
    return ids


@kernel
def label(side: int, values: Int8) -> Int32:
    """Return int32 (N*N,): the smallest flat index of the connected points of one value around each point."""
    ids = np.empty(side * side, np.int32)
    label_into(side, values, True, ids)
    return ids


@in_place
def label_into(side: int, values: Int8, zeros: bool, ids: Int16 | Int32) -> None:
    """Write the smallest flat index of the connected points of one value around each point; `zeros` joins zeros.

    Until the end an id is that of a point before, or the point itself where none before is known to be connected.
    """
    point = 0
    for row in range(side):
        for column in range(side):
            ids[point] = point
            if zeros or values[point] != 0:
                if row > 0 and values[point - side] == values[point]:
                    ids[point] = _smallest(ids, point - side)
                if column > 0 and values[point - 1] == values[point]:
                    one, other = _smallest(ids, point), _smallest(ids, point - 1)
                    ids[max(one, other)] = min(one, other)
            point += 1
    for point in range(side * side):
        ids[point] = ids[ids[point]]


@in_place
def _smallest(ids: Int16 | Int32, point: int) -> int:
    """Return the first point that the ids lead to from a point, and shorten the way there."""
    while ids[point] != point:
        ids[point] = ids[ids[point]]
        point = int(ids[point])
    return point


@kernel
def chain_lists(side: int, stones: Int8) -> tuple[Int16, Int16, Int16, Int16]:
    """Return the points and the liberties of C chains in the order of their first points, one chain after another.

    Returns:
        (int16 points, int16 (C,) where each chain ends in the points, int16 liberties, int16 (C,) where each chain ends
        in the liberties), ascending in each chain.
    """
    points = side * side
    ids, neighbours = label_chains(side, stones), neighbour_table(side)
    number, chains = np.full(points, -1, np.int16), 0
    for point in range(points):
        if stones[point] != 0:
            if ids[point] == point:
                number[point] = chains
                chains += 1
            number[point] = number[ids[point]]
    own, free = np.zeros(chains, np.int16), np.zeros(chains, np.int16)
    for point in range(points):
        if number[point] >= 0:
            own[number[point]] += 1
        else:
            _add_to_chains(neighbours, number, point, free, free, False)
    listed, liberties = np.empty(_sum_up(own), np.int16), np.empty(_sum_up(free), np.int16)
    for point in range(points):
        if number[point] >= 0:
            listed[own[number[point]]] = point
            own[number[point]] += 1
        else:
            _add_to_chains(neighbours, number, point, free, liberties, True)
    return listed, own, liberties, free


@in_place
def _add_to_chains(
    neighbours: Int16, number: Int16, point: int, places: Int16, liberties: Int16, writing: bool
) -> None:
    """Advance the place of each chain beside an empty point by one, once; `writing` notes the point there before."""
    for k in range(4):
        beside = neighbours[point, k]
        if beside < 0:
            break
        chain = int(number[beside])
        new = chain >= 0
        for j in range(k):
            if number[neighbours[point, j]] == chain:
                new = False
        if new:
            if writing:
                liberties[places[chain]] = point
            places[chain] += 1


@in_place
def _sum_up(counts: Int16) -> int:
    """Replace each count by the sum of those before it; return the sum of all."""
    total = 0
    for index in range(len(counts)):
        count = int(counts[index])
        counts[index] = total
        total += count
    return total


@kernel
def chain_around(side: int, stones: Int8, point: int) -> tuple[Int16, Int16]:
    """Return the points and the liberties of the chain with a stone at `point`, int16 each, ascending."""
    neighbours = neighbour_table(side)
    seen = np.zeros(side * side, np.bool_)
    waiting = np.empty(side * side, np.int16)
    waiting[0], count, free, at = point, 1, 0, 0
    seen[point] = True
    while at < count:
        for k in range(4):
            beside = int(neighbours[waiting[at], k])
            if beside < 0:
                break
            if not seen[beside] and (stones[beside] == 0 or stones[beside] == stones[point]):
                seen[beside] = True
                if stones[beside] == 0:
                    free += 1
                else:
                    waiting[count] = beside
                    count += 1
        at += 1
    points, liberties = np.empty(count, np.int16), np.empty(free, np.int16)
    count, free = 0, 0
    for each in range(side * side):
        if seen[each] and stones[each] == 0:
            liberties[free] = each
            free += 1
        elif seen[each]:
            points[count] = each
            count += 1
    return points, liberties


@kernel
def liberties(side: int, stones: Int8, ids: Int32) -> Int16:
    """Return int16 (N*N,): the liberties of each stone's chain, 0 at empty points; `ids` of label_chains."""
    counts = np.zeros(side * side, np.int16)
    neighbours = neighbour_table(side)
    for point in range(side * side):
        if stones[point] == 0:
            _count_once(neighbours, stones, ids, counts, point)
    for point in range(side * side):
        if stones[point] != 0:
            counts[point] = counts[ids[point]]
    return counts


@in_place
def _count_once(neighbours: Int16, stones: Int8, ids: Int32, counts: Int16, point: int) -> None:
    """Add the empty `point` once to the count of each chain beside it."""
    for k in range(4):
        beside = neighbours[point, k]
        if beside < 0:
            break
        if stones[beside] == 0:
            continue
        new = True
        for j in range(k):
            if ids[neighbours[point, j]] == ids[beside]:
                new = False
        if new:
            counts[ids[beside]] += 1


@in_place
def first_contact(neighbours: Int16, stones: Int8, index: Int16 | Int32, point: int, k: int) -> bool:
    """Return whether no earlier neighbour of `point` belongs to the chain of its neighbour `k`."""
    beside = neighbours[point, k]
    for j in range(k):
        earlier = neighbours[point, j]
        if stones[earlier] == stones[beside] and index[earlier] == index[beside]:
            return False
    return True
