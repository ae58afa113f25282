"""Feature planes in plain Python over sgfmill boards: slow, simple, and independent of the kernels.

The benchmark compares speed with it, the tests compare values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sgfmill.boards import Board

Point = tuple[int, int]  # (row, col), row 0 at the top
Region = frozenset[Point]

COLOURS = {"b": 1, "w": -1, None: 0}


@dataclass
class State:
    """What planes are computed from; `stones` has a colour 1, -1 or 0 for each point."""

    side: int
    stones: dict[Point, int] = field(default_factory=dict)
    to_move: int = 1
    ko: Point | None = None
    recent: list[Point | None] = field(default_factory=list)


def replay(side: int, setup: Sequence[tuple[int, int]], moves: Sequence[tuple[int, int]], ply: int) -> State:
    """Return the state after `ply` moves; `setup` and `moves` hold (flat index, colour), a pass being N * N."""
    board = Board(side)
    board.apply_setup(
        [_corner(point, side) for point, colour in setup if colour == 1],
        [_corner(point, side) for point, colour in setup if colour == -1],
        [],
    )
    ko = None
    for point, colour in moves[:ply]:
        ko = None if point == side * side else board.play(*_corner(point, side), "b" if colour == 1 else "w")
    last = moves[ply - 1][1] if ply else -1
    to_move = moves[ply][1] if ply < len(moves) else -last
    played = [None if point == side * side else divmod(point, side) for point, _ in moves[:ply]]
    stones = {(side - 1 - row, column): COLOURS[board.get(row, column)] for row, column in board.board_points}
    top_ko = None if ko is None or to_move == last else (side - 1 - ko[0], ko[1])
    return State(side, stones, to_move, top_ko, played[:-6:-1])


def _corner(point: int, side: int) -> Point:
    """Return sgfmill's (row, col), whose row 0 is at the bottom."""
    row, column = divmod(point, side)
    return side - 1 - row, column


def reference_planes(state: State, names: Sequence[str]) -> NDArray[np.float32]:
    """Return float32 (N, N, C), the named planes."""
    planes = np.zeros((state.side, state.side, len(names)), np.float32)
    for channel, name in enumerate(names):
        for point, value in _plane(state, name):
            planes[(*point, channel)] = value
    return planes


def _plane(state: State, name: str) -> Iterator[tuple[Point, float]]:
    colour = state.to_move if name.startswith("own") else -state.to_move
    if name == "ones":
        return ((point, 1.0) for point in state.stones)
    if name == "empty_fraction":
        share = sum(stone == 0 for stone in state.stones.values()) / state.side**2
        return ((point, share) for point in state.stones)
    if name == "ko":
        return ((point, 1.0) for point in [state.ko] if point)
    if name.startswith("recent"):
        place = int(name[-1]) - 1
        return ((point, 1.0) for point in state.recent[place : place + 1] if point)
    if name.endswith("area"):
        return ((point, 1.0) for point in area(state, colour))
    if name.endswith("pass_alive"):
        return ((point, 1.0) for point in pass_alive(state, colour))
    wanted = int(name.split("_")[1])
    return (
        (point, 1.0)
        for chain in regions(state, {colour})
        for point in chain
        if _matches(len(liberties(state, chain)), wanted, "or_more" in name)
    )


def _matches(count: int, wanted: int, or_more: bool) -> bool:
    return count >= wanted if or_more else count == wanted


def beside(state: State, point: Point) -> list[Point]:
    """Return the points beside a point."""
    row, column = point
    return [
        near
        for near in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        if near in state.stones
    ]


def regions(state: State, contents: set[int]) -> list[Region]:
    """Return the largest connected sets of points that hold one of `contents`."""
    left = {point for point, stone in state.stones.items() if stone in contents}
    found = []
    while left:
        stack = [left.pop()]
        region = set(stack)
        while stack:
            for near in beside(state, stack.pop()):
                if near in left:
                    left.remove(near)
                    region.add(near)
                    stack.append(near)
        found.append(frozenset(region))
    return found


def liberties(state: State, chain: Region) -> set[Point]:
    """Return the empty points beside a chain."""
    return {near for point in chain for near in beside(state, point) if state.stones[near] == 0}


def area(state: State, colour: int) -> set[Point]:
    """Return the stones of `colour` and the empty regions that touch no other."""
    held = {point for point, stone in state.stones.items() if stone == colour}
    for region in regions(state, {0}):
        if {state.stones[near] for point in region for near in beside(state, point)} - {0} == {colour}:
            held |= region
    return held


def pass_alive(state: State, colour: int) -> set[Point]:
    """Return the points of Benson's unconditionally alive chains of `colour` and of regions without room."""
    chains = set(regions(state, {colour}))
    areas = set(regions(state, {0, -colour}))
    free = {area: {point for point in area if state.stones[point] == 0} for area in areas}
    reach = {chain: liberties(state, chain) for chain in chains}
    edge = {area: {near for point in area for near in beside(state, point)} - area for area in areas}
    while True:
        weak = {chain for chain in chains if sum(free[area] <= reach[chain] for area in areas) < 2}
        if not weak:
            break
        chains -= weak
        gone = set().union(*weak)
        areas -= {area for area in areas if edge[area] & gone}
    closed = {
        area for area in areas if edge[area] and all(edge[area] & set(beside(state, point)) for point in free[area])
    }
    return set().union(*chains, *closed)
