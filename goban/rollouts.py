"""Rollouts: games that a fast policy without a network plays to their ends, as Monte-Carlo search uses them.

The policy answers the last move, as MoGo does (Gelly, Wang, Munos and Teytaud: Modification of UCT with Patterns in
Monte-Carlo Go, 2006): it captures the chain of the last move if that is in atari, saves own chains that the last move
has put in atari, or plays beside the last move where a 3x3 pattern (hane, cut, edge) matches, each choice at random
among its moves. Otherwise it plays anywhere. It never fills an own eye, keeps simple ko, and passes when no move is
left.
"""

from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban.array_types import Bool, Int8, Int16, Int32
from goban.board_kernels import LEGAL, Board, copy_board, move_status, new_board, place
from goban.jit import in_place, inner, kernel
from goban.own_eyes import is_eye
from goban.position import Position

_LONGEST: Final = 3  # plies of a rollout, at most, times the points of the board
_AROUND: Final = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
_EMPTY, _OWN, _OTHER, _OFF = range(4)

# The move is in the middle of each pattern. X and O are stones of either side and of the other one, `x` is no X, `o`
# no O, `?` anything on the board, `-` beyond the edge. Patterns match turned, mirrored and with colours swapped.
PATTERNS: Final = """
X O X   X O .   X O ?   X O ?   X O ?   ? X ?
. + .   . + .   X + .   O + o   O + X   O + O
? ? ?   ? . ?   ? . ?   ? o ?   ? ? ?   x x x

X . ?   ? X ?   ? X O   ? O X   O X ?
O + ?   x + O   x + x   X + O   X + O
- - -   - - -   - - -   - - -   - - -
"""

_MEANINGS: Final = {
    "X": (_OWN,),
    "O": (_OTHER,),
    ".": (_EMPTY,),
    "x": (_EMPTY, _OTHER),
    "o": (_EMPTY, _OWN),
    "?": (_EMPTY, _OWN, _OTHER),
    "-": (_OFF,),
}
_SWAPPED: Final = str.maketrans("XOxo", "OXox")


class Rollouts(NamedTuple):
    """The results of R rollouts from a position of side N.

    Attributes:
        scores: int32 (R,), Black's area minus White's, without komi.
        ownership: float32 (N, N), the mean owner of each point at the ends, +1 Black.
        first: int8 (R, N*N), the colour that first played on each point in each rollout, 0 where neither did.
    """

    scores: Int32
    ownership: npt.NDArray[np.float32]
    first: Int8


class _Rollout(NamedTuple):
    """The memory of a rollout besides the board: points of side N by flat index.

    Attributes:
        around: int16 (N*N, 8), the points around each point, -1 beyond the edge.
        patterns: bool (4**8,), whether the stones around a move match a pattern.
        empty: int16 (N*N,), the empty points, of which the first `listed[0]` count.
        place_of: int16 (N*N,), where an empty point stands in `empty`.
        listed: int64 (1,).
        chosen: int16 (8,), room for moves.
        chance: uint64 (1,), state of the random numbers.
    """

    around: Int16
    patterns: Bool
    empty: Int16
    place_of: Int16
    listed: npt.NDArray[np.int64]
    chosen: Int16
    chance: npt.NDArray[np.uint64]


def roll_out(position: Position, count: int, seed: int = 0) -> Rollouts:
    """Return `count` rollouts from a position; the same seed gives the same ones."""
    side = position.side
    last = position.recent[0] if position.recent else -1
    rollout = _Rollout(
        _around(side),
        _pattern_table(PATTERNS),
        np.empty(side * side, np.int16),
        np.empty(side * side, np.int16),
        np.zeros(1, np.int64),
        np.empty(8, np.int16),
        np.array([seed * 2 + 1 & (1 << 64) - 1], np.uint64),
    )
    stones = position.flat
    if last == side * side or (last >= 0 and stones[last] == 0):
        last = -1
    scores, owners, first = _rollouts(side, stones, position.to_move, position.ko, last, count, rollout)
    return Rollouts(scores, (owners / np.float32(count)).astype(np.float32).reshape(side, side), first)


@cache
def _around(side: int) -> Int16:
    table = np.full((side * side, 8), -1, np.int16)
    for row, column in product(range(side), repeat=2):
        for k, (down, right) in enumerate(_AROUND):
            if 0 <= row + down < side and 0 <= column + right < side:
                table[row * side + column, k] = (row + down) * side + column + right
    return table


@cache
def _pattern_table(text: str) -> Bool:
    """Return bool (4**8,): whether stones around a move match a pattern; two bits a point, in the order of _AROUND."""
    table = np.zeros((4,) * 8, np.bool_)  # the last point first
    for block in text.strip().split("\n\n"):
        rows = [line.split() for line in block.splitlines()]
        for start in range(0, len(rows[0]), 3):
            square = np.array([row[start : start + 3] for row in rows])
            for turned in (each for turns in range(4) for each in (np.rot90(square, turns), np.rot90(square.T, turns))):
                signs = "".join(turned.ravel()[[8, 7, 6, 5, 3, 2, 1, 0]])
                for each in (signs, signs.translate(_SWAPPED)):
                    table[np.ix_(*map(_MEANINGS.__getitem__, each))] = True
    return table.ravel()


@kernel
def _rollouts(
    side: int, stones: Int8, colour: int, ko: int, last: int, count: int, rollout: _Rollout
) -> tuple[Int32, Int32, Int8]:
    """Return the scores, int32 (R,), sums of owners, int32 (N*N,), and `Rollouts.first` of R rollouts."""
    root = new_board(side, stones)
    board = new_board(side, stones)
    scores, owners = np.empty(count, np.int32), np.zeros(side * side, np.int32)
    first = np.zeros((count, side * side), np.int8)
    for number in range(count):
        copy_board(root, board)
        _play_to_end(side, board, colour, ko, last, rollout, first[number])
        scores[number] = _count(board, owners)
    return scores, owners, first


@inner
def _play_to_end(side: int, board: Board, colour: int, ko: int, last: int, rollout: _Rollout, first: Int8) -> None:
    """Play until both sides pass, and note who first played on each point."""
    _list_empty(board, rollout)
    passes = 0
    for _ in range(_LONGEST * len(board.stones)):
        move = _chosen_move(side, board, colour, ko, last, rollout)
        if move < 0:
            passes, ko = passes + 1, -1
            if passes == 2:
                return
        else:
            passes = 0
            captured, _lost, ko = place(board, move, colour)
            if captured > 0:
                _list_empty(board, rollout)
            else:
                _drop(rollout, move)
            if first[move] == 0:
                first[move] = colour
        last, colour = move, -colour


@in_place
def _chosen_move(side: int, board: Board, colour: int, ko: int, last: int, rollout: _Rollout) -> int:
    """Return the move of the policy, -1 for a pass."""
    if last >= 0:
        move = _fighting_move(side, board, colour, ko, last, rollout)
        if move >= 0:
            return move
        move = _pattern_move(side, board, colour, ko, last, rollout)
        if move >= 0:
            return move
    count = int(rollout.listed[0])
    if count == 0:
        return -1
    index = int(np.int64(_below(rollout, count)))
    for _ in range(count):
        move = int(rollout.empty[index])
        if _playable(side, board, move, colour, ko):
            return move
        index = index + 1 if index + 1 < count else 0
    return -1


@in_place
def _fighting_move(side: int, board: Board, colour: int, ko: int, last: int, rollout: _Rollout) -> int:
    """Return a move that captures the chain of the last move, or saves a chain beside it from capture; -1 if none."""
    liberty = _last_liberty(board, last)
    if liberty >= 0 and _playable(side, board, liberty, colour, ko):
        return liberty
    found = 0
    for k in range(4):
        beside = board.neighbours[last, k]
        if beside < 0:
            break
        if board.stones[beside] != colour:
            continue
        liberty = _last_liberty(board, beside)
        if liberty < 0:
            continue
        capture = _capturing(board, beside)
        if capture >= 0 and _playable(side, board, capture, colour, ko):
            rollout.chosen[found] = capture
            found += 1
        if _escapes(board, liberty, colour) and _playable(side, board, liberty, colour, ko):
            rollout.chosen[found] = liberty
            found += 1
    return int(rollout.chosen[_below(rollout, found)]) if found > 0 else -1


@in_place
def _capturing(board: Board, start: int) -> int:
    """Return the last liberty of a chain in atari beside the chain at `start`, or -1."""
    stone = start
    while True:
        for k in range(4):
            beside = board.neighbours[stone, k]
            if beside < 0:
                break
            if board.stones[beside] == -board.stones[start]:
                liberty = _last_liberty(board, beside)
                if liberty >= 0:
                    return liberty
        stone = board.following[stone]
        if stone == start:
            return -1


@in_place
def _escapes(board: Board, liberty: int, colour: int) -> bool:
    """Return whether a chain in atari that extends to its last liberty finds two empty points or a friend there."""
    empty = 0
    for k in range(4):
        beside = board.neighbours[liberty, k]
        if beside < 0:
            break
        if board.stones[beside] == 0:
            empty += 1
        elif board.stones[beside] == colour and _last_liberty(board, beside) < 0:
            return True
    return empty >= 2


@in_place
def _pattern_move(side: int, board: Board, colour: int, ko: int, last: int, rollout: _Rollout) -> int:
    """Return a move beside the last one, also diagonally, where a pattern matches; -1 if there is none."""
    found = 0
    for k in range(8):
        point = int(rollout.around[last, k])
        if point < 0 or board.stones[point] != 0:
            continue
        if rollout.patterns[_code(board, rollout.around, point, colour)] and _playable(side, board, point, colour, ko):
            rollout.chosen[found] = point
            found += 1
    return int(rollout.chosen[_below(rollout, found)]) if found > 0 else -1


@in_place
def _code(board: Board, around: Int16, point: int, colour: int) -> int:
    """Return the index in the table of patterns of the stones around a point."""
    code = 0
    for k in range(8):
        beside = around[point, k]
        if beside < 0:
            code |= _OFF << 2 * k
        elif board.stones[beside] != 0:
            code |= (_OWN if board.stones[beside] == colour else _OTHER) << 2 * k
    return code


@in_place
def _playable(side: int, board: Board, point: int, colour: int, ko: int) -> bool:
    """Return whether a move at an empty point is legal, without suicide, and fills no own eye."""
    if point == ko:
        return False
    for k in range(4):
        beside = board.neighbours[point, k]
        if beside < 0:
            break
        if board.stones[beside] == 0:
            return True
    return (
        not is_eye(side, board.stones, board.neighbours, colour, point) and move_status(board, point, colour) == LEGAL
    )


@in_place
def _last_liberty(board: Board, start: int) -> int:
    """Return the only liberty of the chain at `start`, or -1 if there are more."""
    if board.pseudo[board.head[start]] > 4:
        return -1
    stone, found = start, -1
    while True:
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if board.stones[beside] == 0 and beside != found:
                if found >= 0:
                    return -1
                found = beside
        stone = int(board.following[stone])
        if stone == start:
            return found


@in_place
def _list_empty(board: Board, rollout: _Rollout) -> None:
    """List the empty points; written without branches, which a processor would often guess wrong."""
    count = 0
    for point in range(len(board.stones)):
        rollout.empty[count] = point
        rollout.place_of[point] = count
        count += int(board.stones[point] == 0)
    rollout.listed[0] = count


@in_place
def _drop(rollout: _Rollout, point: int) -> None:
    """Take a point that is no longer empty off the list."""
    count = rollout.listed[0] - 1
    moved, freed = rollout.empty[count], rollout.place_of[point]
    rollout.empty[freed] = moved
    rollout.place_of[moved] = freed
    rollout.listed[0] = count


@in_place
def _count(board: Board, owners: Int32) -> int:
    """Return Black's stones and eyes minus White's, and add the owner of each point to `owners`."""
    score = 0
    for point in range(len(board.stones)):
        owner = int(board.stones[point])
        if owner == 0:
            black = white = False
            for k in range(4):
                beside = board.neighbours[point, k]
                if beside < 0:
                    break
                black |= board.stones[beside] >= 0
                white |= board.stones[beside] <= 0
            owner = int(black) - int(white)
        score += owner
        owners[point] += owner
    return score


@in_place
def _below(rollout: _Rollout, count: int) -> int:
    """Return a random number from 0 to `count` - 1 (xorshift64*)."""
    state = rollout.chance[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    rollout.chance[0] = state
    return int(((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % np.uint64(count))
