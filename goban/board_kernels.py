"""The rules of Go as numba kernels over flat arrays.

A board is `int8[N * N]` in the order of rows: 1 Black, -1 White, 0 empty. Points are flat indices, N * N is a
pass. Every kernel trusts its arguments: wrong shapes, dtypes or points are checked by the callers in Python.
Pass C-contiguous, writable arrays, so that each kernel is compiled once only (`goban.jit`).

Called from Python and from other kernels, each without scratch arguments:

- `play(side, stones, point, colour, ko, suicide) -> (status, ko, captured, lost, hash)`, changes `stones`
- `replay_to(side, setup, moves, colours, plies) -> (stones int8[N*N], ko, captured by Black, by White)`
- `check_game(side, setup, moves, colours, suicide) -> index of the first illegal move, or -1`
- `chain_ids(side, stones) -> int32[N*N]`, smallest flat index of the chain; an empty point's own index
- `liberties(side, stones, ids) -> int16[N*N]`, liberties of the chain at each stone, 0 at empty points
- `label(side, values) -> int32[N*N]`, as chain_ids, but connecting empty points as well
- `chain_lists(side, stones) -> (points, where those of each chain end, liberties, likewise)`, int16 each
- `chain_around(side, stones, point) -> (points, liberties)` of one chain, int16 each
- `legal_moves(side, stones, colour, ko, suicide) -> bool[N*N + 1]`, the last one being the pass
- `setup_facts(side, stones) -> (hash, a stone without liberties or -1)`

For other kernels, the incremental board below them: `new_board`, `copy_board`, `place`, `move_status`, `few_liberties`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from goban.coords import MAX_SIDE
from goban.jit import in_place, inner, kernel

Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Int32 = npt.NDArray[np.int32]
Bool = npt.NDArray[np.bool_]

LEGAL, OCCUPIED, KO, SUICIDE = 0, 1, 2, 3


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a well mixed 64-bit word for each number (the finaliser of splitmix64)."""
    words = numbers * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


# Row 0 for White, row 1 unused, row 2 for Black, so that the row is colour + 1.
ZOBRIST = _mixed(np.arange(1, 3 * MAX_SIDE**2 + 1, dtype=np.uint64)).reshape(3, MAX_SIDE**2)


class Board(NamedTuple):
    """Chains as circular lists, kept up to date move by move; the arrays are indexed by flat point.

    A chain's head carries its size and its pseudo-liberties: the pairs of one of its stones and an empty
    point beside it, of which there are none exactly when the chain has no liberty.

    `trace`, int16 (4,), is what the last stone did to the chains beside it, neighbour by neighbour: the head that a
    chain lost by being joined or captured, else -1. The rest of what a chain was stays in memory (`search_stack`).
    """

    neighbours: Int16
    stones: Int8
    head: Int16
    following: Int16
    size: Int16
    pseudo: Int16
    trace: Int16
    hash: npt.NDArray[np.uint64]


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
def new_board(side: int, setup: Int8) -> Board:
    """Return a Board of its own with the stones of `setup`, int8 (N*N,); removes nothing."""
    points = side * side
    board = Board(
        neighbour_table(side),
        setup.copy(),
        np.empty(points, np.int16),
        np.empty(points, np.int16),
        np.empty(points, np.int16),
        np.empty(points, np.int16),
        np.empty(4, np.int16),
        np.zeros(1, np.uint64),
    )
    label_into(side, setup, False, board.head)
    for point in range(points):
        if setup[point] != 0:
            _put_in_chain(board, point)
    return board


@inner
def copy_board(source: Board, target: Board) -> None:
    """Make a board of the same side the same as another one; the trace of the last move is not copied."""
    _copy(source.stones, target.stones)
    _copy(source.head, target.head)
    _copy(source.following, target.following)
    _copy(source.size, target.size)
    _copy(source.pseudo, target.pseudo)
    target.hash[0] = source.hash[0]


@in_place
def _copy(source: Int8 | Int16, target: Int8 | Int16) -> None:
    """Do `target[:] = source`, which takes a second to compile."""
    for point in range(len(source)):
        target[point] = source[point]


@in_place
def _put_in_chain(board: Board, point: int) -> None:
    """Add a stone of a new board to what its chain's head carries, which is the first stone to be added."""
    head = board.head[point]
    if head == point:
        board.following[point] = point
        board.size[point] = board.pseudo[point] = 0
    else:
        board.following[point] = board.following[head]
        board.following[head] = point
    board.size[head] += 1
    board.hash[0] ^= ZOBRIST[board.stones[point] + 1, point]
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        board.pseudo[head] += int(board.stones[beside] == 0)


@in_place
def _put(board: Board, point: int, colour: int) -> None:
    """Set a stone on an empty point and join it to its chains; removes nothing."""
    board.stones[point] = colour
    board.hash[0] ^= ZOBRIST[colour + 1, point]
    board.head[point] = point
    board.following[point] = point
    board.size[point] = 1
    board.pseudo[point] = 0
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        board.trace[k] = -1
        if board.stones[beside] == 0:
            board.pseudo[board.head[point]] += 1
            continue
        board.pseudo[board.head[beside]] -= 1
        if board.stones[beside] == colour and board.head[beside] != board.head[point]:
            board.trace[k] = _join(board, board.head[point], board.head[beside])


@in_place
def _join(board: Board, one: int, other: int) -> int:
    """Make one chain of two, given their heads, by relabelling the smaller; return its former head."""
    if board.size[one] < board.size[other]:
        one, other = other, one
    board.size[one] += board.size[other]
    board.pseudo[one] += board.pseudo[other]
    stone = other
    while True:
        board.head[stone] = one
        stone = board.following[stone]
        if stone == other:
            break
    board.following[one], board.following[other] = board.following[other], board.following[one]
    return other


@in_place
def _remove(board: Board, start: int) -> int:
    """Take the chain at `start` off the board; return its size."""
    size = int(board.size[board.head[start]])
    row = board.stones[start] + 1
    stone = start
    while True:
        board.stones[stone] = 0
        board.hash[0] ^= ZOBRIST[row, stone]
        for k in range(4):
            beside = board.neighbours[stone, k]
            if beside < 0:
                break
            if board.stones[beside] != 0:
                board.pseudo[board.head[beside]] += 1
        stone = board.following[stone]
        if stone == start:
            break
    return size


@in_place
def move_status(board: Board, point: int, colour: int) -> int:
    """Return LEGAL, OCCUPIED or SUICIDE for a stone at `point`; ignores ko."""
    if board.stones[point] != 0:
        return OCCUPIED
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        if board.stones[beside] == 0:
            return LEGAL
        head = board.head[beside]
        if board.pseudo[head] > 4:  # more than one point can have: it has liberties elsewhere
            if board.stones[beside] == colour:
                return LEGAL
            continue
        contacts = 0
        for j in range(4):
            other = board.neighbours[point, j]
            if other >= 0 and board.stones[other] != 0 and board.head[other] == head:
                contacts += 1
        if (board.stones[beside] == colour) == (board.pseudo[head] > contacts):
            return LEGAL
    return SUICIDE


@in_place
def place(board: Board, point: int, colour: int) -> tuple[int, int, int]:
    """Play on an empty point, suicide included; return (stones captured, own stones lost, ko point or -1)."""
    _put(board, point, colour)
    captured, taken = 0, -1
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        if board.stones[beside] == -colour and board.pseudo[board.head[beside]] == 0:
            board.trace[k] = board.head[beside]
            captured += _remove(board, beside)
            taken = beside
    head = board.head[point]
    if board.pseudo[head] == 0:
        return captured, _remove(board, point), -1
    if captured == 1 and board.size[head] == 1 and board.pseudo[head] == 1:
        return captured, 0, taken
    return captured, 0, -1


@kernel
def play(side: int, stones: Int8, point: int, colour: int, ko: int, suicide: bool) -> tuple[int, int, int, int, int]:
    """Play a stone (no pass) in place.

    Args:
        side: of the board.
        stones: int8 (N*N,), changed unless the move is illegal.
        point: flat index.
        colour: of the stone.
        ko: the point forbidden to `colour`, or -1.
        suicide: whether it is allowed.

    Returns:
        (status, new ko, stones captured, own stones lost, hash).
    """
    board = new_board(side, stones)
    status = KO if point == ko else move_status(board, point, colour)
    if status != LEGAL and not (status == SUICIDE and suicide):
        return status, ko, 0, 0, board.hash[0]
    captured, lost, ko = place(board, point, colour)
    _copy(board.stones, stones)
    return LEGAL, ko, captured, lost, board.hash[0]


@in_place
def _replay(board: Board, moves: Int16, colours: Int8, plies: int, suicide: bool) -> tuple[int, int, int, int]:
    """Play until an illegal move or the end; return (moves played, ko, captured by Black, by White)."""
    points = len(board.stones)
    ko, by_black, by_white = -1, 0, 0
    for ply in range(plies):
        point, colour = int(moves[ply]), int(colours[ply])
        if point == points:
            ko = -1
            continue
        if point < 0 or point > points:
            return ply, ko, by_black, by_white
        if point == ko and colours[ply - 1] != colour:
            return ply, ko, by_black, by_white
        status = move_status(board, point, colour)
        if status != LEGAL and not (status == SUICIDE and suicide):
            return ply, ko, by_black, by_white
        captured, lost, ko = place(board, point, colour)
        if colour > 0:
            by_black += captured
            by_white += lost
        else:
            by_white += captured
            by_black += lost
    return plies, ko, by_black, by_white


@kernel
def replay_to(side: int, setup: Int8, moves: Int16, colours: Int8, plies: int) -> tuple[Int8, int, int, int]:
    """Replay the first `plies` moves of a game.

    Args:
        side: of the board.
        setup: int8 (N*N,), not changed.
        moves: int16 (M,), passes N*N.
        colours: int8 (M,), of the moves.
        plies: how many moves to play.

    Returns:
        (stones int8 (N*N,), ko point forbidden to the opponent of the last mover or -1, stones captured by Black, by
        White).

    Allows suicide; stops before an illegal move, which `check_game` finds.
    """
    board = new_board(side, setup)
    _, ko, by_black, by_white = _replay(board, moves, colours, plies, True)
    return board.stones, ko, by_black, by_white


@kernel
def check_game(side: int, setup: Int8, moves: Int16, colours: Int8, suicide: bool) -> int:
    """Return the index of the first illegal move (off the board, occupied, simple ko, suicide), or -1."""
    played = _replay(new_board(side, setup), moves, colours, len(moves), suicide)[0]
    return -1 if played == len(moves) else played


@kernel
def chain_ids(side: int, stones: Int8) -> Int32:
    """Return int32 (N*N,): the smallest flat index of each stone's chain, an empty point's own index."""
    ids = np.empty(side * side, np.int32)
    label_into(side, stones, False, ids)
    return ids


@kernel
def chain_lists(side: int, stones: Int8) -> tuple[Int16, Int16, Int16, Int16]:
    """Return the points and the liberties of C chains in the order of their first points, one chain after another.

    Returns:
        (int16 points, int16 (C,) where those of each chain end, int16 liberties, int16 (C,) likewise), ascending in
        each chain.
    """
    points = side * side
    ids, neighbours = chain_ids(side, stones), neighbour_table(side)
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


@in_place
def few_liberties(board: Board, point: int) -> tuple[int, int, int]:
    """Return (liberties of the chain at `point`, counted up to 3, one of them or -1, a second one or -1)."""
    one, two = -1, -1
    stone = point
    while True:
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if board.stones[beside] == 0 and beside != one and beside != two:
                if two >= 0:
                    return 3, one, two
                one, two = beside, one
        stone = int(board.following[stone])
        if stone == point:
            return int(one >= 0) + int(two >= 0), one, two


@kernel
def liberties(side: int, stones: Int8, ids: Int32) -> Int16:
    """Return int16 (N*N,): the liberties of each stone's chain, 0 at empty points; `ids` of chain_ids."""
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


@kernel
def legal_moves(side: int, stones: Int8, colour: int, ko: int, suicide: bool) -> Bool:
    """Return bool (N*N + 1,): where `colour` may play, pass included; `ko` is forbidden to it, or -1."""
    board = new_board(side, stones)
    legal = np.ones(side * side + 1, np.bool_)
    for point in range(side * side):
        status = move_status(board, point, colour)
        legal[point] = point != ko and (status == LEGAL or (status == SUICIDE and suicide))
    return legal


@kernel
def setup_facts(side: int, stones: Int8) -> tuple[int, int]:
    """Return (Zobrist hash of the stones, a stone without liberties or -1)."""
    board = new_board(side, stones)
    for point in range(side * side):
        if stones[point] != 0 and board.pseudo[board.head[point]] == 0:
            return board.hash[0], point
    return board.hash[0], -1
