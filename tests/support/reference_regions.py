"""Regions, groups with two eyes and seki in plain Python over sets of points: slow, and written from the definitions.

Points are (row, column); a board maps each of them to 1, -1 or 0.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from goban.array_types import Int8, Mask, Stones
from goban.chain_kernels import label
from goban.move_kernels import setup_facts

Point = tuple[int, int]
Region = frozenset[Point]
Board = dict[Point, int]

ROOMY = 7
CONNECTING = 3


@st.composite
def crowded_boards(draw: st.DrawFn) -> Stones:
    """Random boards, int8 (N, N), from open to full, without chains that have no liberty."""
    side, seed = draw(st.integers(2, 7)), draw(st.integers(0, 1 << 32))
    black, white = draw(st.sampled_from([(0.5, 0.2), (0.35, 0.35), (0.2, 0.2), (0.45, 0.4)]))
    return crowded(side, seed, black, white).reshape(side, side)


def crowded(side: int, seed: int, black: float, white: float) -> Int8:
    """Return a random board, int8 (N*N,), with these shares of stones, without chains that have no liberty."""
    stones = np.array([0, 1, -1], np.int8)
    board = np.random.default_rng(seed).choice(stones, side * side, p=[1 - black - white, black, white])
    while (stone := setup_facts(side, board)[1]) >= 0:
        ids = label(side, board)
        board[ids == ids[stone]] = 0
    return board


def board_of(values: NDArray[Any]) -> Board:
    """Return the board of an array (N, N)."""
    return {(row, column): int(value) for (row, column), value in np.ndenumerate(values)}


def points_of(side: int, chosen: Mask) -> set[Point]:
    """Return the points that an array, bool (N*N,) or (N, N), has chosen."""
    return {divmod(point, side) for point in np.flatnonzero(chosen).tolist()}


def beside(board: Board, point: Point) -> list[Point]:
    """Return the neighbours of a point on the board."""
    row, column = point
    return [
        other
        for other in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        if other in board
    ]


def around(board: Board, region: Iterable[Point]) -> set[Point]:
    """Return the neighbours of a region."""
    points = set(region)
    return {other for point in points for other in beside(board, point)} - points


def parts(board: Board, kind: Callable[[Point], object]) -> Iterator[Region]:
    """Yield the largest connected regions of points of one kind."""
    left = set(board)
    while left:
        region = {left.pop()}
        while more := {other for other in around(board, region) if kind(other) == kind(next(iter(region)))}:
            region |= more
        left -= region
        yield frozenset(region)


def chains(board: Board) -> list[Region]:
    """Return the chains of both colours."""
    return [region for region in parts(board, board.__getitem__) if board[min(region)] != 0]


def owners(board: Board) -> Board:
    """Return who owns each point: an empty region belongs to the one colour beside it."""
    found = dict(board)
    for region in parts(board, board.__getitem__):
        colours = {board[point] for point in around(board, region)}
        if board[min(region)] == 0 and len(colours) == 1:
            found |= dict.fromkeys(region, colours.pop())
    return found


def protective_points(board: Board) -> set[Point]:
    """Return the last own liberty of each chain that has just one beside dame."""
    owner, found = owners(board), set()
    for chain in chains(board):
        liberties = {point for point in around(board, chain) if board[point] == 0}
        own = {point for point in liberties if owner[point] != 0}
        if len(own) == 1 and own < liberties:
            found |= own
    return found


def two_eyed(board: Board, owner: Board) -> set[Point]:
    """Return the stones of groups with two eyes."""
    regions = [region for region in parts(board, lambda point: (board[point], owner[point])) if not board[min(region)]]
    found: set[Point] = set()
    for colour in (1, -1):
        own = {region for region in regions if owner[min(region)] == colour}
        links = [region for region in own if len(region) >= CONNECTING]
        links += [frozenset({point}) for point, stone in board.items() if stone == 0 and owner[point] == 0]
        groups = _joined(board, [chain for chain in chains(board) if board[min(chain)] == colour], links)
        eyes = set(own)
        while True:
            living = [group for group in groups if sum(_worth(eye) for eye in eyes if eye & around(board, group)) >= 2]
            lost = {
                eye
                for eye in eyes
                if len(eye) < ROOMY and any(eye & around(board, group) for group in groups if group not in living)
            }
            if not lost:
                break
            eyes -= lost
        found.update(*living)
    return found


def _worth(eye: Region) -> int:
    return 2 if len(eye) >= ROOMY else 1


def _joined(board: Board, groups: list[Region], links: list[Region]) -> list[Region]:
    """Return groups, those beside one link as one."""
    for link in links:
        near = around(board, link)
        touching = [group for group in groups if group & near]
        groups = [group for group in groups if not group & near]
        if touching:
            groups.append(frozenset().union(*touching))
    return groups


def seki(board: Board, claimed: set[Point]) -> set[Point]:
    """Return the stones and eyes of groups in seki, and of those with claimed stones."""
    owner = owners(board)
    groups = list(parts(board, owner.__getitem__))
    coloured = [group for group in groups if owner[min(group)] != 0]
    eyes = {
        group: [region for region in parts(board, board.__getitem__) if region <= group and not board[min(region)]]
        for group in coloured
    }
    weak = [group for group in coloured if len(eyes[group]) <= 1 and sum(map(len, eyes[group])) <= 2]
    found: set[Point] = set()
    for one, other in combinations(weak, 2):
        shared = [point for point in around(board, one) & around(board, other) if owner[point] == 0]
        if owner[min(one)] != owner[min(other)] and (len(shared) >= 2 or (shared and (eyes[one] or eyes[other]))):
            found |= one | other
    chosen = [group for group in coloured if any(board[point] for point in group & claimed)]
    for area in (group for group in groups if owner[min(group)] == 0):
        if any(group & around(board, area) for group in chosen):
            found.update(*(group for group in weak if group & around(board, area)))
    return found.union(*chosen)
