"""KataGo's planes in plain Python: slow, simple, and independent of the kernels."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from goban.rulesets import Terms
from tests.support.reference_planes import (
    Point,
    Region,
    State,
    beside,
    chain_at,
    ladder_candidates,
    liberties,
    played,
    regions,
)


def plain_planes(position: Position, terms: Terms) -> NDArray[np.float32]:
    """Return float32 (N, N, 22)."""
    side, own, passing = position.side, position.to_move, position.side**2
    planes = np.zeros((side, side, 22), np.float32)
    planes[..., 0] = 1
    state = _state(position.stones, own)
    for chain in regions(state, {1}) + regions(state, {-1}):
        left = len(liberties(state, chain))
        for point in chain:
            planes[(*point, 1 if state.stones[point] == own else 2)] = 1
            if left <= 3:
                planes[(*point, 2 + left)] = 1
    if position.ko >= 0:
        planes[(*divmod(position.ko, side), 6)] = 1
    recent = _recent(position)
    for age, move in enumerate(recent):
        if move != passing:
            planes[(*divmod(move, side), 9 + age)] = 1
    boards = [(position.stones, position.ko), *position.earlier[: len(recent)]]
    for age in range(3):
        stones, ko = boards[min(age, len(boards) - 1)]
        for point in _caught(_state(stones, own, ko)):
            planes[(*point, 14 + age)] = 1
    for point in _catching(_state(position.stones, own, position.ko)):
        planes[(*point, 17)] = 1
    if terms.ruleset.counting == "area":
        for point, owner in _area(state, terms.ruleset.suicide).items():
            planes[(*point, 18 if owner == own else 19)] = 1
    return planes


def _state(stones: NDArray[np.int8], to_move: int, ko: int = -1) -> State:
    points = {(int(row), int(column)): int(stone) for (row, column), stone in np.ndenumerate(stones)}
    return State(len(stones), points, to_move, None if ko < 0 else divmod(ko, len(stones)))


def _recent(position: Position) -> list[int]:
    recent, passing = list(position.recent[:5]), position.side**2
    if recent and recent[0] < passing and position.stones.ravel()[recent[0]] == position.to_move:
        return []
    return recent[:1] if recent[:2] == [passing, passing] else recent


def _caught(state: State) -> set[Point]:
    found: set[Point] = set()
    for chain in regions(state, {1}) + regions(state, {-1}):
        colour, left = state.stones[min(chain)], len(liberties(state, chain))
        if left == 1 and _is_caught(replace(state, to_move=colour, ko=None), min(chain)):
            found |= chain
        if left == 2 and _attacks(replace(state, to_move=-colour), chain):
            found |= chain
    return found


def _catching(state: State) -> set[Point]:
    chains = [chain for chain in regions(state, {-state.to_move}) if len(liberties(state, chain)) == 2]
    return {move for chain in chains for move in _attacks(state, chain)}


def _attacks(state: State, chain: Region) -> set[Point]:
    """Return the moves by which the side to move captures a chain with two liberties; a ko may be taken back."""
    moves = ((move, played(state, move)) for move in liberties(state, chain))
    return {move for move, after in moves if after and _is_caught(replace(after, ko=None), min(chain))}


def _is_caught(state: State, point: Point) -> bool:
    """Return whether ataris alone capture the chain at a point, none of which takes a ko."""
    chain = chain_at(state, point)
    attacking = state.to_move != state.stones[point]
    left = len(liberties(state, chain))
    if left != (2 if attacking else 1):
        return attacking and left == 1
    for move in ladder_candidates(state, chain):
        after = played(state, move)
        if after and not (attacking and after.ko) and _is_caught(after, point) == attacking:
            return attacking
    return not attacking


def _area(state: State, suicide: bool) -> dict[Point, int]:
    found: dict[Point, int] = {}
    for colour in (1, -1):
        chains = set(regions(state, {colour}))
        if not chains:
            continue
        areas = regions(state, {0, -colour})
        near = {area: {each for point in area for each in beside(state, point)} - area for area in areas}
        living, closed = _benson(state, chains, set(areas), suicide)
        for chain in living:
            found |= dict.fromkeys(chain, colour)
        for area in areas:
            empty = not any(state.stones[point] for point in area)
            inner = sum(not near[area] & set(beside(state, point)) for point in area)
            if area in closed and (empty or inner <= 1):
                found |= dict.fromkeys(area, colour)
            elif empty:
                found = dict.fromkeys(area, colour) | found
    return {point: stone for point, stone in state.stones.items() if stone} | found


def _benson(
    state: State, chains: set[frozenset[Point]], areas: set[frozenset[Point]], suicide: bool
) -> tuple[set[frozenset[Point]], set[frozenset[Point]]]:
    chains, areas = set(chains), set(areas)
    around = {chain: {near for point in chain for near in beside(state, point)} for chain in chains}
    counted = {area: {point for point in area if suicide or not state.stones[point]} for area in areas}
    while weak := {chain for chain in chains if sum(counted[area] <= around[chain] for area in areas) < 2}:
        chains -= weak
        areas = {area for area in areas if not any(around[chain] & area for chain in weak)}
    return chains, areas
