"""Feature planes in plain Python over sgfmill boards: slow, simple, and independent of the kernels.

Tests compare the values of the kernels with these, and `benchmarks.bench_sampler` compares the speed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sgfmill.boards import Board

Point = tuple[int, int]  # (row, col), row 0 at the top
Region = frozenset[Point]

COLOURS = {"b": 1, "w": -1, None: 0}
DEEPEST_LADDER = 250


@dataclass
class State:
    """What planes are computed from.

    Attributes:
        side: board side N.
        stones: the colour of each point: 1, -1 or 0.
        to_move: 1 or -1.
        ko: the point that ko forbids.
        recent: the points of the last moves, newest first, None for a pass; at most 7.
        rank: of the side to move in dan, 0 where it is not known.
    """

    side: int
    stones: dict[Point, int] = field(default_factory=dict)
    to_move: int = 1
    ko: Point | None = None
    recent: list[Point | None] = field(default_factory=list)
    rank: int = 0

    @cached_property
    def board(self) -> Board:
        """The stones as sgfmill's board."""
        placed: dict[int, list[Point]] = {1: [], -1: [], 0: []}
        for point, colour in self.stones.items():
            placed[colour].append(turned_over(point, self.side))
        board = Board(self.side)
        board.apply_setup(placed[1], placed[-1], [])
        return board

    @cached_property
    def moves(self) -> dict[Point, "State"]:
        """The moves that the side to move may play, no pass, and the states they lead to."""
        return {point: after for point, stone in self.stones.items() if stone == 0 and (after := played(self, point))}

    @cached_property
    def caught(self) -> set[Point]:
        """The stones that a ladder captures: chains in atari move first, chains with two liberties second."""
        found: set[Point] = set()
        for chain in regions(self, {1}) + regions(self, {-1}):
            colour, left = self.stones[min(chain)], len(liberties(self, chain))
            if left <= 2 and is_caught(replace(self, to_move=colour if left == 1 else -colour, ko=None), min(chain)):
                found |= chain
        return found


def replay(
    side: int, setup: Sequence[tuple[int, int]], moves: Sequence[tuple[int, int]], ply: int, rank: int = 0
) -> State:
    """Return the state after `ply` moves.

    Args:
        side: board side N.
        setup: (flat index, colour) of stones before the first move.
        moves: (flat index, colour) of each move, a pass being N * N.
        ply: number of moves, at most `len(moves)`.
        rank: of both players in dan, 0 where it is not known.
    """
    board = Board(side)
    board.apply_setup(
        [turned_over(divmod(point, side), side) for point, colour in setup if colour == 1],
        [turned_over(divmod(point, side), side) for point, colour in setup if colour == -1],
        [],
    )
    ko = None
    for point, colour in moves[:ply]:
        ko = None if point == side * side else put(board, divmod(point, side), colour)
    last = moves[ply - 1][1] if ply else -1
    to_move = moves[ply][1] if ply < len(moves) else -last
    recent = [None if point == side * side else divmod(point, side) for point, _ in moves[:ply]]
    return State(side, stones_of(board), to_move, None if to_move == last else ko, recent[:-8:-1], rank)


def played(state: State, point: Point) -> State | None:
    """Return the state after a move of the side to move on an empty point, None if it is ko or suicide."""
    board = state.board.copy()
    ko = put(board, point, state.to_move)
    stones = stones_of(board)
    if point == state.ko or stones[point] == 0:
        return None
    return State(state.side, stones, -state.to_move, ko)


def put(board: Board, point: Point, colour: int) -> Point | None:
    """Play on sgfmill's board; return the ko point."""
    ko = board.play(*turned_over(point, board.side), "b" if colour == 1 else "w")
    return None if ko is None else turned_over(ko, board.side)


def stones_of(board: Board) -> dict[Point, int]:
    """Return the colour of each point."""
    return {turned_over(point, board.side): COLOURS[board.get(*point)] for point in board.board_points}


def turned_over(point: Point, side: int) -> Point:
    """Return our (row, column) for sgfmill's, whose row 0 is at the bottom, and the other way round."""
    return side - 1 - point[0], point[1]


def reference_planes(state: State, names: Sequence[str]) -> NDArray[np.float32]:
    """Return float32 (N, N, C), the named planes."""
    planes = np.zeros((state.side, state.side, len(names)), np.float32)
    for channel, name in enumerate(names):
        for point, value in _plane(state, name):
            planes[(*point, channel)] = value
    return planes


def _plane(state: State, name: str) -> Iterator[tuple[Point, float]]:
    colour = state.to_move if name.startswith("own") else -state.to_move
    everywhere = {
        "ones": 1.0,
        "zeros": 0.0,
        "black_to_move": float(state.to_move == 1),
        f"rank_{state.rank}": 1.0,
    }
    if name in everywhere or name.startswith("rank"):
        return ((point, everywhere.get(name, 0.0)) for point in state.stones)
    contents = {"black": 1, "white": -1, "empty": 0, "own": state.to_move, "other": -state.to_move}
    if name in contents:
        return ((point, 1.0) for point, stone in state.stones.items() if stone == contents[name])
    if name == "signed_stones":
        return ((point, float(stone * state.to_move)) for point, stone in state.stones.items())
    if name == "older":
        return ((point, 1.0) for point, stone in state.stones.items() if stone and point not in state.recent)
    if name == "illegal":
        return ((point, 1.0) for point, stone in state.stones.items() if stone == 0 and point not in state.moves)
    if name == "sensible":
        return ((point, 1.0) for point in state.moves if not is_own_eye(state, point))
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
    if name == "legal":
        return ((point, 1.0) for point in state.moves)
    if name.startswith("ladder"):
        return ((point, 1.0) for point in ladder_moves(state, state.to_move * (-1 if name == "ladder_capture" else 1)))
    if name.endswith("ladder"):
        return ((point, 1.0) for point in state.caught if state.stones[point] == colour)
    counts = {"captures": captures, "after": liberties_after, "self": self_atari}
    assert name.split("_")[0] in counts or "libert" in name, f"{name}: expected this plane in {__name__}._plane"
    wanted = int("".join(character for character in name if character.isdigit()))
    if name.split("_")[0] in counts:
        count = counts[name.split("_")[0]]
        return ((point, 1.0) for point in state.moves if _matches(count(state, point), wanted, "or_more" in name))
    colours = {1, -1} if name.startswith("liberties") else {colour}
    return (
        (point, 1.0)
        for each in colours
        for chain in regions(state, {each})
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
        found.append(region_at(state, left.pop(), contents))
        left -= found[-1]
    return found


def region_at(state: State, point: Point, contents: set[int]) -> Region:
    """Return the largest connected set of points around `point` that hold one of `contents`."""
    stack = [point]
    region = set(stack)
    while stack:
        for near in beside(state, stack.pop()):
            if near not in region and state.stones[near] in contents:
                region.add(near)
                stack.append(near)
    return frozenset(region)


def chain_at(state: State, point: Point) -> Region:
    """Return the chain of the stone at a point."""
    return region_at(state, point, {state.stones[point]})


def liberties(state: State, chain: Region) -> set[Point]:
    """Return the empty points beside a chain."""
    return {near for point in chain for near in beside(state, point) if state.stones[near] == 0}


def captures(state: State, move: Point) -> int:
    """Return how many stones a legal move captures."""
    return sum(state.stones[point] != 0 == stone for point, stone in state.moves[move].stones.items())


def liberties_after(state: State, move: Point) -> int:
    """Return the liberties of the chain that a legal move makes."""
    after = state.moves[move]
    return len(liberties(after, chain_at(after, move)))


def self_atari(state: State, move: Point) -> int:
    """Return the stones of the chain that a legal move makes if it has one liberty, else 0."""
    after = state.moves[move]
    chain = chain_at(after, move)
    return len(chain) if len(liberties(after, chain)) == 1 else 0


def is_own_eye(state: State, point: Point) -> bool:
    """Return whether a point has own stones on all sides and few of the other's at its corners."""
    if any(state.stones[near] != state.to_move for near in beside(state, point)):
        return False
    row, column = point
    corners = [(row + down, column + right) for down in (-1, 1) for right in (-1, 1)]
    inside = [corner for corner in corners if corner in state.stones]
    others = sum(state.stones[corner] == -state.to_move for corner in inside)
    return others <= (1 if len(beside(state, point)) == 4 else 0)


def ladder_moves(state: State, colour: int) -> set[Point]:
    """Return the legal moves that catch a chain with two liberties, or save one in atari.

    Args:
        state: the state.
        colour: the colour of the chain: catch it if it is the opponent's, else save it.
    """
    attacking = state.to_move != colour
    return {
        move
        for chain in regions(state, {colour})
        if len(liberties(state, chain)) == (2 if attacking else 1)
        for move in ladder_candidates(state, chain) & set(state.moves)
        if is_caught(state.moves[move], min(chain), 1) == attacking
    }


def is_caught(state: State, point: Point, depth: int = 0) -> bool:
    """Return whether the chain at a point is captured by ataris alone, at a depth of reading."""
    chain = chain_at(state, point)
    attacking = state.to_move != state.stones[point]
    left = len(liberties(state, chain))
    if left != (2 if attacking else 1):
        return attacking and left == 1
    if depth == DEEPEST_LADDER:
        return False
    for move in ladder_candidates(state, chain):
        after = played(state, move)
        if after and is_caught(after, point, depth + 1) == attacking:
            return attacking
    return not attacking


def ladder_candidates(state: State, chain: Region) -> set[Point]:
    """Return the chain's liberties, and, if it is to move, the liberties of chains in atari beside it."""
    moves = liberties(state, chain)
    colour = state.stones[min(chain)]
    if state.to_move == colour:
        around = {near for point in chain for near in beside(state, point)}
        for attacker in (near for near in around if state.stones[near] == -colour):
            last = liberties(state, chain_at(state, attacker))
            moves |= last if len(last) == 1 else set()
    return moves


def area(state: State, colour: int) -> set[Point]:
    """Return the stones of `colour` and the empty regions that touch no other."""
    held = {point for point, stone in state.stones.items() if stone == colour}
    for region in regions(state, {0}):
        if {state.stones[near] for point in region for near in beside(state, point)} - {0} == {colour}:
            held |= region
    return held


def pass_alive(state: State, colour: int) -> set[Point]:
    """Return the points of Benson's unconditionally alive chains of `colour` and of regions without room for an eye."""
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
