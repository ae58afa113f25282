"""Is a chain captured? Every move in a small area is tried, by a kernel."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from goban.array_types import Bool, Int8, Int16, Stones, Uint64
from goban.board_kernels import LEGAL, Board, few_liberties, move_status, new_board
from goban.coords import EMPTY
from goban.jit import in_place, inner, kernel
from goban.position import Chain
from goban.reading.search_stack import (
    CAPTURED,
    DEEPER,
    ILLEGAL,
    SAFE,
    UNKNOWN,
    SearchStack,
    is_exhausted,
    last_tried,
    new_stack,
    next_move,
    play_down,
    take_up,
)

Area = Int16
"""The points of an area, int16 (A,): flat indices."""
_DEEPEST = 40
_SLOTS = 1 << 14
_ROOM: Final = 7  # stones captured by one move, more than the largest nakade: they leave room for two eyes
_ATTACKING = np.uint64(0x9E3779B97F4A7C15)
_PASSES = np.array([0, 0xD1B54A32D192ED03, 0xAEF17502108EF2D9, 0xF1357AEA2E62A9C5], np.uint64)
_KO = np.uint64(0xBF58476D1CE4E5B9)

# The passes just before a level.
_NONE: Final = 0
_ONE: Final = 1  # the next one ends the reading
_FOR_KO: Final = 2  # by the side that a ko kept from a move
_BOTH: Final = 3  # the other side has passed after that; the next one ends the reading


class Limit(NamedTuple):
    """The most empty points of an area that is read, and moves that are tried for one side to move first."""

    empty: int
    moves: int


class _Search(NamedTuple):
    """A search for a capture.

    Attributes:
        stack: its board and moves.
        defender: the colour of the chain.
        ko_master: the colour that may retake every ko immediately, or 0.
        hash: uint64 (depth,), of the stones at each level.
        passes: int16 (depth,), the passes just before each level.
        ko: int16 (depth,), the point where the last move began a ko, or -1.
        barred: bool (depth,), whether a move of the level would have repeated a position.
        tied: bool (depth,), whether what was read at the level may be otherwise after other moves.
        known: uint64 (slots,), positions that were read, by hash.
        outcomes: int8 (slots,), whether the chain was captured in them.
        others: int16 (N*N,), for the moves of a level that are no liberties of the chain.
    """

    stack: SearchStack
    defender: int
    ko_master: int
    hash: Uint64
    passes: Int16
    ko: Int16
    barred: Bool
    tied: Bool
    known: Uint64
    outcomes: Int8
    others: Int16


@kernel
def capture(side: int, stones: Int8, target: int, area: Int16, attacker_first: bool, most: int, ko_master: int) -> int:
    """Return whether the chain at `target` is captured, if both sides play only on points of `area`, or pass.

    Args:
        side: of the board.
        stones: int8 (N*N,).
        target: a point of the chain.
        area: int16 (A,), points of any kind.
        attacker_first: whether the other colour moves first.
        most: moves to try before the answer is UNKNOWN.
        ko_master: the colour that wins every ko, as it has a threat for each of its turns; 0 for neither.

    No position may come back until the side to move has passed since: so a ko is retaken after a pass for it, as in the
    confirmation of life and death of the Japanese rules (1989, Article 7), and there are no ko threats but those of the
    ko master. A chain that is on the board when both have passed, or one side for the second time in a position, is
    SAFE. So is one whose side captures seven stones in one move: that wins a race, and no nakade is so large. Reads at
    most 40 moves deep; deeper is SAFE. Depth-first, as `ladders` reads, with a table of the positions that were read.
    """
    reading = _new_reading(new_board(side, stones), int(stones[target]), ko_master)
    depth, attacking = 0, attacker_first
    _list_moves(reading, 0, target, area, attacking)
    for _ in range(most):
        if is_exhausted(reading.stack, depth):
            caught, decided = not attacking, True
        else:
            outcome = _try_next(reading, depth, target, attacking)
            if outcome == DEEPER:
                depth += 1
                attacking = not attacking
                _list_moves(reading, depth, target, area, attacking)
                continue
            caught = outcome == CAPTURED
            decided = outcome != ILLEGAL and caught == attacking
        while decided:
            if depth == 0:
                return CAPTURED if caught else SAFE
            if not reading.tied[depth]:
                _remember(reading, depth, attacking, caught)
            depth -= 1
            attacking = not attacking
            if last_tried(reading.stack, depth) != len(stones):
                take_up(reading.stack, depth, _mover(reading, attacking))
            decided = caught == attacking
            reading.tied[depth] = reading.tied[depth + 1] or (reading.tied[depth] and not decided)
    return UNKNOWN


def read_capture(
    stones: Stones, target: int, area: Area, attacker_first: bool, limit: Limit, ko_master: int = EMPTY
) -> int:
    """Return whether a chain is captured if both sides play only in an area: CAPTURED, SAFE or UNKNOWN.

    Args:
        stones: int8 (N, N).
        target: a point of the chain.
        area: int16 (A,), points of any kind.
        attacker_first: whether the other colour moves first.
        limit: beyond which the answer is UNKNOWN.
        ko_master: the colour that wins every ko, EMPTY for neither: then a ko is retaken after a pass for it.
    """
    board = stones.ravel().copy()
    if len(area) > limit.empty and np.count_nonzero(board[area] == EMPTY) > limit.empty:
        return UNKNOWN
    return capture(len(stones), board, target, area, attacker_first, limit.moves, ko_master)


@in_place
def _mover(reading: _Search, attacking: bool) -> int:
    return -reading.defender if attacking else reading.defender


@in_place
def _try_next(reading: _Search, depth: int, target: int, attacking: bool) -> int:
    """Play the next move of `depth`; return its outcome. It stays on the board if that is DEEPER."""
    stack = reading.stack
    move = next_move(stack, depth)
    mover = _mover(reading, attacking)
    passing = move == len(stack.board.stones)
    if not passing and move_status(stack.board, move, mover) != LEGAL:
        return ILLEGAL
    reading.ko[depth + 1] = -1
    reading.passes[depth + 1] = _passes_after_pass(reading, depth) if passing else _NONE
    captured = 0
    if not passing:
        captured, _, reading.ko[depth + 1] = play_down(stack, depth, mover)
    reading.hash[depth + 1] = stack.board.hash[0]
    if passing:
        outcome = _after_pass(reading, depth + 1, attacking)
    elif captured >= _ROOM and not attacking:
        outcome = SAFE
    else:
        outcome = _after_move(reading, depth + 1, target, attacking)
    if outcome != DEEPER and not passing:
        take_up(stack, depth, mover)
    if outcome == ILLEGAL:
        reading.barred[depth] = True
        reading.tied[depth] = reading.tied[depth] or move != reading.ko[depth]
    return outcome


@in_place
def _passes_after_pass(reading: _Search, depth: int) -> int:
    """Return the passes before the level that a pass at `depth` leads to; -1 if the pass ends the reading."""
    before = int(reading.passes[depth])
    if before == _NONE:
        return _FOR_KO if reading.barred[depth] else _ONE
    return _BOTH if before == _FOR_KO else -1


@in_place
def _after_pass(reading: _Search, depth: int, attacking: bool) -> int:
    """Return the outcome of the pass that led to `depth`; `attacking`: whether the attacker passed."""
    if reading.passes[depth] < 0:
        return SAFE
    if depth + 1 > _DEEPEST or _passed_here(reading, depth):
        reading.tied[depth - 1] = True
        return SAFE
    return _recalled(reading, depth, not attacking)


@in_place
def _after_move(reading: _Search, depth: int, target: int, attacking: bool) -> int:
    """Return the outcome of the move that led to `depth`; `attacking`: whether the attacker played it."""
    if reading.stack.board.stones[target] != reading.defender:
        return CAPTURED
    if _mover(reading, attacking) != reading.ko_master and _repeats(reading, depth):
        return ILLEGAL
    if depth + 1 > _DEEPEST:
        reading.tied[depth - 1] = True
        return SAFE
    return _recalled(reading, depth, not attacking)


@in_place
def _passed_here(reading: _Search, depth: int) -> bool:
    """Return whether the side that passed just before `depth` has passed before with the same stones on the board."""
    for earlier in range(depth - 2, 0, -2):
        if reading.hash[earlier] == reading.hash[depth] and reading.hash[earlier - 1] == reading.hash[depth]:
            return True
    return False


@in_place
def _repeats(reading: _Search, depth: int) -> bool:
    """Return whether the stones at `depth` were on the board before, and the side that moved has not passed since."""
    for earlier in range(depth - 1, -1, -1):
        if reading.hash[earlier] == reading.hash[depth]:
            return True
        is_movers = (depth - earlier) % 2 == 0 and earlier > 0
        if is_movers and reading.hash[earlier] == reading.hash[earlier - 1]:
            return False
    return False


@in_place
def _key(reading: _Search, depth: int, attacking: bool) -> np.uint64:
    key: np.uint64 = reading.hash[depth] ^ _PASSES[reading.passes[depth]]
    key ^= np.uint64(reading.ko[depth] + 1) * _KO
    return key ^ _ATTACKING if attacking else key


@in_place
def _recalled(reading: _Search, depth: int, attacking: bool) -> int:
    key = _key(reading, depth, attacking)
    slot = int(key % np.uint64(_SLOTS))
    return int(reading.outcomes[slot]) if reading.known[slot] == key else DEEPER


@in_place
def _remember(reading: _Search, depth: int, attacking: bool, caught: bool) -> None:
    key = _key(reading, depth, attacking)
    slot = int(key % np.uint64(_SLOTS))
    reading.known[slot] = key
    reading.outcomes[slot] = int(caught)


@in_place
def _list_moves(reading: _Search, depth: int, target: int, area: Int16, attacking: bool) -> None:
    """List the moves of `depth`: first the target's liberties, then the rest of the area, then a pass."""
    stack, board = reading.stack, reading.stack.board
    mover = _mover(reading, attacking)
    count, others = 0, 0
    for point in area:
        if board.stones[point] != 0 or _is_own_eye(board, point, mover):
            continue
        if _is_liberty(board, point, target):
            stack.moves[depth, count] = point
            count += 1
        else:
            reading.others[others] = point
            others += 1
    for k in range(others):
        stack.moves[depth, count + k] = reading.others[k]
    count += others
    stack.moves[depth, count] = len(board.stones)
    stack.listed[depth] = count + 1
    stack.tried[depth] = 0
    reading.barred[depth] = False
    reading.tied[depth] = False


@in_place
def _is_liberty(board: Board, point: int, target: int) -> bool:
    for k in range(4):
        beside = int(board.neighbours[point, k])
        if beside < 0:
            return False
        if board.stones[beside] != 0 and board.head[beside] == board.head[target]:
            return True
    return False


@in_place
def _is_own_eye(board: Board, point: int, colour: int) -> bool:
    """Return whether only one chain of the colour is beside an empty point, or several with three liberties or more."""
    first, several = int(board.neighbours[point, 0]), False
    for k in range(4):
        beside = int(board.neighbours[point, k])
        if beside < 0:
            break
        if board.stones[beside] != colour:
            return False
        several = several or board.head[beside] != board.head[first]
    if several:
        for k in range(4):
            beside = int(board.neighbours[point, k])
            if beside < 0:
                break
            if few_liberties(board, beside)[0] < 3:
                return False
    return True


@inner
def _new_reading(board: Board, defender: int, ko_master: int) -> _Search:
    """Return a search that has a board at depth 0, and no moves."""
    hashes = np.zeros(_DEEPEST + 1, np.uint64)
    hashes[0] = board.hash[0]
    return _Search(
        new_stack(board, _DEEPEST, len(board.stones) + 1),
        defender,
        ko_master,
        hashes,
        np.zeros(_DEEPEST + 1, np.int16),
        np.full(_DEEPEST + 1, -1, np.int16),
        np.zeros(_DEEPEST + 1, np.bool_),
        np.zeros(_DEEPEST + 1, np.bool_),
        np.zeros(_SLOTS, np.uint64),
        np.zeros(_SLOTS, np.int8),
        np.empty(len(board.stones), np.int16),
    )


def with_chains_inside(points: set[int], chains: Iterable[Chain]) -> Area:
    """Return points, and the points of chains whose liberties are all among them."""
    enclosed = (each.points for each in chains if points.issuperset(each.liberties))
    return np.array(sorted(points.union(*enclosed)), np.int16)
