"""The inputs of KataGo's networks, version 7: 22 planes and 19 numbers for each position.

Planes by channel, "own" being the side to move: 0 the board; 1, 2 own and other stones; 3 to 5 stones of chains with
one, two, three liberties; 6 ko; 9 to 13 the last five moves, newest first; 14 to 16 stones that a ladder captures now,
one and two moves ago; 17 moves that catch the other colour in a ladder; 18, 19 own and other area, under area rules.
The others belong to a phase of play that is not used here, and are empty.

Numbers: 0 to 4 whether the last five moves were passes; 5 komi for the side to move / 20; 6, 7 the ko rule; 8 suicide;
9 territory scoring; 10 no points in seki; 14 whether a pass ends the game; 18 the parity of komi and board. The others
are 0.

Positions hold simple ko alone, so that no plane marks points that only superko forbids.
"""

from collections.abc import Sequence
from math import floor
from typing import Final, NamedTuple

import numpy as np

from goban.array_types import Bool, Float32, Int8, Int16, Int64
from goban.chain_kernels import label, label_chains, liberties, neighbour_table
from goban.coords import WHITE, pass_point
from goban.jit import inner, kernel
from goban.pass_alive import numbered
from goban.position import EARLIER_BOARDS, Position
from goban.reading.ladders import ladders
from goban.rulesets import Terms

KATAGO_PLANES: Final = 22
KATAGO_NUMBERS: Final = 19
KATAGO_HISTORY: Final = 5
_KOMI_UNIT: Final = 20.0
_MOST_KOMI: Final = 60.0  # beyond the points of the board


class _Boards(NamedTuple):
    """B positions.

    Attributes:
        stones: int8 (B, 3, N*N), now, one and two moves ago.
        ko: int64 (B, 3), now, one and two moves ago.
        to_move: int64 (B,).
        recent: int16 (B, 5), N*N for a pass or no move.
        area: bool (B,), whether planes 18 and 19 are filled.
        suicide: bool (B,), whether it is allowed, as far as areas are concerned.
    """

    stones: Int8
    ko: Int64
    to_move: Int64
    recent: Int16
    area: Bool
    suicide: Bool


def katago_planes(positions: Sequence[Position], terms: Sequence[Terms], strict: bool = False) -> Float32:
    """Return float32 (B, N, N, 22), 0 or 1.

    Args:
        positions: B positions of one board side, at least one.
        terms: of each position.
        strict: whether areas are those with suicide allowed, under all rules.
    """
    side = positions[0].side
    stones = np.empty((len(positions), EARLIER_BOARDS + 1, side, side), np.int8)
    ko = np.empty((len(positions), EARLIER_BOARDS + 1), np.int64)
    recent = np.full((len(positions), KATAGO_HISTORY), pass_point(side), np.int16)
    for index, position in enumerate(positions):
        moves = last_moves(position)
        recent[index, : len(moves)] = moves
        known = [(position.stones, position.ko), *position.earlier[: len(moves)]]
        for age in range(EARLIER_BOARDS + 1):
            stones[index, age], ko[index, age] = known[min(age, len(known) - 1)]
    boards = _Boards(
        stones.reshape(len(positions), EARLIER_BOARDS + 1, side * side),
        ko,
        np.array([position.to_move for position in positions], np.int64),
        recent,
        np.array([each.ruleset.counting == "area" for each in terms], np.bool_),
        np.array([strict or each.ruleset.suicide for each in terms], np.bool_),
    )
    planes = np.zeros((len(positions), side * side, KATAGO_PLANES), np.float32)
    _fill(side, boards, planes)
    return planes.reshape(len(positions), side, side, KATAGO_PLANES)


def last_moves(position: Position) -> tuple[int, ...]:
    """Return the last moves, newest first: none after a move out of turn, one once two passes have ended the game."""
    recent, passing = position.recent[:KATAGO_HISTORY], pass_point(position.side)
    if recent and recent[0] != passing and position.stones.flat[recent[0]] == position.to_move:
        return ()
    return recent[:1] if recent[:2] == (passing, passing) else recent


@kernel
def _fill(side: int, boards: _Boards, planes: Float32) -> None:
    for b in range(len(planes)):
        own = int(boards.to_move[b])
        _write_stones(side, boards.stones[b, 0], own, planes[b])
        if boards.ko[b, 0] >= 0:
            planes[b, boards.ko[b, 0], 6] = 1
        for age in range(KATAGO_HISTORY):
            if boards.recent[b, age] < side * side:
                planes[b, boards.recent[b, age], 9 + age] = 1
        for age in range(EARLIER_BOARDS + 1):
            _write_ladders(side, boards.stones[b, age], own, boards.ko[b, age], age, planes[b])
        if boards.area[b]:
            area = _area(side, boards.stones[b, 0], boards.suicide[b])
            for point in range(side * side):
                if area[point] != 0:
                    planes[b, point, 18 if area[point] == own else 19] = 1


@inner
def _write_stones(side: int, stones: Int8, own: int, planes: Float32) -> None:
    counts = liberties(side, stones, label_chains(side, stones))
    for point in range(side * side):
        planes[point, 0] = 1
        if stones[point] != 0:
            planes[point, 1 if stones[point] == own else 2] = 1
            if counts[point] <= 3:
                planes[point, 2 + counts[point]] = 1


@inner
def _write_ladders(side: int, stones: Int8, own: int, ko: int, age: int, planes: Float32) -> None:
    caught, catching, _ = ladders(side, stones, own, True, ko)
    for point in range(side * side):
        planes[point, 14 + age] = caught[point]
        if age == 0:
            planes[point, 17] = catching[point]


def katago_numbers(positions: Sequence[Position], terms: Sequence[Terms]) -> Float32:
    """Return float32 (B, 19): what a network reads besides the planes; arguments as for `katago_planes`."""
    numbers = np.zeros((len(positions), KATAGO_NUMBERS), np.float32)
    for row, position, each in zip(numbers, positions, terms, strict=True):
        _write_numbers(position, each, row)
    return numbers


def _write_numbers(position: Position, terms: Terms, numbers: Float32) -> None:
    ruleset, passing, moves = terms.ruleset, pass_point(position.side), last_moves(position)
    numbers[: len(moves)] = [point == passing for point in moves]
    own_komi = _own_komi(position, terms)
    numbers[5] = own_komi / _KOMI_UNIT
    numbers[6:8] = (1, 0.5) if ruleset.superko else (0, 0)
    numbers[8] = ruleset.suicide
    numbers[9:11] = ruleset.counting == "territory"
    numbers[14] = position.recent[:1] == (passing,)
    if ruleset.counting == "area":
        numbers[18] = _parity(own_komi, passing)


def _own_komi(position: Position, terms: Terms) -> float:
    """Return the points that the side to move is given, so that the area decides under all rules.

    Under territory rules a player is charged a point for each stone played, on the board or captured by now.
    """
    komi = terms.total_komi
    if terms.ruleset.counting == "territory":
        by_black, by_white = position.prisoners
        komi += int(position.stones.sum(dtype=np.int64)) + by_white - by_black
    limit = position.side**2 + _MOST_KOMI
    return max(-limit, min(limit, komi if position.to_move == WHITE else -komi))


def _parity(own_komi: float, points: int) -> float:
    """Return a triangular wave of period 2 in the komi, rising where a board of that many points can be drawn."""
    odd = points % 2
    delta = own_komi - (floor((own_komi - odd) / 2) * 2 + odd)
    if delta < 0.5:
        return delta
    return 1 - delta if delta < 1.5 else delta - 2


class _Regions(NamedTuple):
    """What one colour surrounds: R regions without its stones, beside C chains of it.

    Attributes:
        number: int16 (N*N,), the chain or region of each point.
        touching: bool (C, R), whether a chain is beside a region.
        vital: bool (C, R), whether all points of a region that count are liberties of a chain.
        inner: int16 (R,), points without a stone of the colour beside them.
        invaded: bool (R,), whether there are stones of the other colour.
    """

    number: Int16
    touching: Bool
    vital: Bool
    inner: Int16
    invaded: Bool


@inner
def _area(side: int, stones: Int8, suicide: bool) -> Int8:
    """Return int8 (N*N,): the owner of each point as the networks read it, else 0.

    Args:
        side: of the board.
        stones: int8 (N*N,).
        suicide: whether it is allowed: a region is then vital to a chain only if the stones inside are
            beside the chain, too.

    A region of pass-alive chains with one inner point at most, or without stones, is theirs with all that is in it.
    """
    area = np.zeros(side * side, np.int8)
    _mark(side, stones, 1, suicide, area)
    _mark(side, stones, -1, suicide, area)
    for point in range(side * side):
        if area[point] == 0:
            area[point] = stones[point]
    return area


@inner
def _mark(side: int, stones: Int8, colour: int, suicide: bool, area: Int8) -> None:
    """Write `colour` into `area` where it is pass-alive, and where an empty region touches it alone."""
    regions = _regions(side, stones, colour, suicide)
    living, enclosed = _benson(regions)
    if len(living) == 0:
        return
    for point in range(side * side):
        number = regions.number[point]
        if stones[point] == colour:
            if living[number]:
                area[point] = colour
            continue
        empty = not regions.invaded[number]
        if (enclosed[number] and (regions.inner[number] <= 1 or empty)) or (empty and area[point] == 0):
            area[point] = colour


@inner
def _regions(side: int, stones: Int8, colour: int, suicide: bool) -> _Regions:
    own = (stones == colour).astype(np.int8)
    number, chains, count = numbered(label(side, own), own, np.ones(side * side, np.bool_))
    neighbours = neighbour_table(side)
    touching, liberties = np.zeros((chains, count), np.bool_), np.zeros((chains, count), np.int16)
    inner, counted, invaded = np.zeros(count, np.int16), np.zeros(count, np.int16), np.zeros(count, np.bool_)
    beside = np.empty(4, np.int16)
    for point in range(side * side):
        if own[point] != 0:
            continue
        region = number[point]
        found = _chains_beside(neighbours, own, number, point, beside)
        inner[region] += int(found == 0)
        invaded[region] = invaded[region] or stones[point] != 0
        counts = suicide or stones[point] == 0
        counted[region] += int(counts)
        for chain in beside[:found]:
            touching[chain, region] = True
            liberties[chain, region] += int(counts)
    vital = np.zeros((chains, count), np.bool_)
    for chain in range(chains):
        for region in range(count):
            vital[chain, region] = liberties[chain, region] == counted[region]
    return _Regions(number, touching, vital, inner, invaded)


@inner
def _chains_beside(neighbours: Int16, own: Int8, number: Int16, point: int, beside: Int16) -> int:
    """Write the different chains beside a point to `beside`; return how many there are."""
    found = 0
    for k in range(4):
        other = neighbours[point, k]
        if other < 0:
            break
        if own[other] != 0 and not (beside[:found] == number[other]).any():
            beside[found] = number[other]
            found += 1
    return found


@inner
def _benson(regions: _Regions) -> tuple[Bool, Bool]:
    """Return bool (C,) and (R,): the pass-alive chains, and the regions that only such chains are beside."""
    chains, count = regions.touching.shape
    living, enclosed = np.ones(chains, np.bool_), np.ones(count, np.bool_)
    dropped = True
    while dropped:
        dropped = False
        for chain in range(chains):
            if living[chain] and (regions.vital[chain] & enclosed).sum() < 2:
                living[chain] = False
                dropped = True
                for region in range(count):
                    if regions.touching[chain, region]:
                        enclosed[region] = False
    return living, enclosed
