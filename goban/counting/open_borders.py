"""Who gets the open areas of a finished board: empty areas that both colours touch, as their border has gaps."""

from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.coords import BLACK, EMPTY, WHITE
from goban.regions import points_beside, region_owners

_OWNED: Final = 0.8  # mean ownership of a part of an area from which it is territory
_SURPLUS: Final = 2  # points that a part has at least beyond those that close it; fewer are dame
_EACH: Final = 25  # cost of a point of a border, added to its certainty in hundredths
_UNLIMITED: Final = 1 << 40

_Node = tuple[int, int]  # a point's entrance, 0, or exit, 1
_BLACK_END: Final = (-1, 1)
_WHITE_END: Final = (-2, 0)


class Borders(NamedTuple):
    """How the empty areas that both colours touch are divided.

    Attributes:
        owner: int8 (N, N), 1 or -1 for the points of these areas that Black or White gets, 0 for all others.
        gaps: bool (N, N), the points that close open borders, which neither side gets; no dame.
    """

    owner: Stones
    gaps: Mask


def divide_open_areas(left: Stones, ownership: NDArray[np.float32], sharing: Mask | None = None) -> Borders:
    """Return who gets the points of the empty areas that both colours touch.

    Args:
        left: int8 (N, N), the living stones of a finished position.
        ownership: float32 (N, N).
        sharing: bool (N, N), stones in seki that the ownership takes for dead; None for none. What would be closed
            beside them stays dame, as they share it.

    The border through an area is the cheapest set of points that separates the colours: few of them, and uncertain
    ones (a minimum cut: Ford and Fulkerson, 1956). Each part on one side of it is territory if it has two points more
    than it takes to close it and the ownership, on average, gives it to the colour beside it by nine to one. The points
    that close it are gaps. Everything else is dame.
    """
    stones, certainty = left.ravel(), ownership.ravel()
    beside = points_beside(len(left))
    owner, gaps = np.zeros(stones.size, np.int8), np.zeros(stones.size, np.bool_)
    theirs = set() if sharing is None else {p for stone in np.flatnonzero(sharing) for p in beside[stone]}
    shared = (stones == EMPTY) & (region_owners(len(left), stones) == EMPTY)
    for area in _parts(set(np.flatnonzero(shared).tolist()), beside):
        border = _border(area, stones, beside, certainty)
        for part in _parts(area - border, beside):
            closing = {point for inner in part for point in beside[inner] if point in border}
            colour = int(np.sign(certainty[list(part)].sum()))
            belongs = _touched(part, stones, beside) == {colour} and abs(certainty[list(part)].mean()) >= _OWNED
            if belongs and len(part) - len(closing) >= _SURPLUS and not closing & theirs:
                owner[list(part)] = colour
                gaps[list(closing)] = True
    return Borders(owner.reshape(left.shape), gaps.reshape(left.shape))


def _parts(points: set[int], beside: list[list[int]]) -> Iterator[set[int]]:
    """Yield the connected parts of a set of points."""
    left = set(points)
    while left:
        waiting = [left.pop()]
        part = set(waiting)
        while waiting:
            new = left.intersection(beside[waiting.pop()])
            left -= new
            part |= new
            waiting += new
        yield part


def _touched(points: set[int], stones: Stones, beside: list[list[int]]) -> set[int]:
    """Return the colours of the stones beside empty points."""
    return {int(stones[other]) for point in points for other in beside[point]} - {EMPTY}


def _border(area: set[int], stones: Stones, beside: list[list[int]], certainty: NDArray[np.float32]) -> set[int]:
    """Return the cheapest points of an area without which no part of it touches both colours."""
    touched = {point: _touched({point}, stones, beside) for point in area}
    border = {point for point, colours in touched.items() if len(colours) > 1}
    for part in _parts(area - border, beside):
        black, white = ({point for point in part if colour in touched[point]} for colour in (BLACK, WHITE))
        if black and white:
            border |= _minimum_cut(_network(part, black, white, beside, certainty))
    return border


def _network(
    part: set[int], black: set[int], white: set[int], beside: list[list[int]], certainty: NDArray[np.float32]
) -> dict[_Node, dict[_Node, int]]:
    """Return the capacities from node to node: through a point what it costs, between points without limit.

    `black`, `white`: the points beside stones of that colour.
    """
    capacity: dict[_Node, dict[_Node, int]] = {_BLACK_END: {}, _WHITE_END: {}}
    capacity |= {(point, side): {} for point in part for side in (0, 1)}
    for point in part:
        links = [((point, 1), (other, 0), _UNLIMITED) for other in beside[point] if other in part]
        links.append(((point, 0), (point, 1), _EACH + round(100 * abs(float(certainty[point])))))
        links += [(_BLACK_END, (point, 0), _UNLIMITED)] * (point in black)
        links += [((point, 1), _WHITE_END, _UNLIMITED)] * (point in white)
        for start, end, most in links:
            capacity[start][end] = most
            capacity[end].setdefault(start, 0)
    return capacity


def _minimum_cut(capacity: dict[_Node, dict[_Node, int]]) -> set[int]:
    """Return the points of a minimum cut, after using up the capacities along shortest paths."""
    while True:
        came_from = _reached(capacity)
        if _WHITE_END not in came_from:
            return {point for point, side in came_from if side == 0 and (point, 1) not in came_from}
        path = [_WHITE_END]
        while path[-1] != _BLACK_END:
            path.append(came_from[path[-1]])
        links = list(zip(path[1:], path, strict=False))
        flow = min(capacity[start][end] for start, end in links)
        for start, end in links:
            capacity[start][end] -= flow
            capacity[end][start] += flow


def _reached(capacity: dict[_Node, dict[_Node, int]]) -> dict[_Node, _Node]:
    """Return the nodes that capacity is left to reach from Black, each with the one before it on a shortest path."""
    came_from, waiting = {_BLACK_END: _BLACK_END}, deque([_BLACK_END])
    while waiting:
        node = waiting.popleft()
        for other, left in capacity[node].items():
            if left > 0 and other not in came_from:
                came_from[other] = node
                waiting.append(other)
    return came_from
