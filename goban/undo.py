"""Moves taken back on an incremental board, for kernels that read moves out.

- `place_down(board, point, colour, kept) -> (captured, lost, ko)`: as `place`, keeping what `take_back` needs
- `take_back(board, point, colour, kept)`: the last move off the board, every array being as it was before

A chain that is joined or captured leaves its size, its pseudo-liberties and the order of its stones in memory. So a
move is undone by doing its steps in reverse, if what came after it was undone before.
"""

from typing import Final

from goban.jit import in_place
from goban.kernels import ZOBRIST, Board, Int16, place

KEPT: Final = 8  # numbers for each move


@in_place
def place_down(board: Board, point: int, colour: int, kept: Int16) -> tuple[int, int, int]:
    """Play on an empty point, no suicide; return what `place` returns.

    kept: int16 (KEPT,), overwritten: what was in memory for the point, and the board's trace.
    """
    kept[0], kept[1] = board.head[point], board.following[point]
    kept[2], kept[3] = board.size[point], board.pseudo[point]
    played = place(board, point, colour)
    for k in range(4):
        kept[4 + k] = board.trace[k]
    return played


@in_place
def take_back(board: Board, point: int, colour: int, kept: Int16) -> None:
    """Undo the last move that was not taken back, a stone of `colour` at `point`, with what `place_down` kept."""
    count = 0
    for k in range(4):
        beside = int(board.neighbours[point, k])
        if beside < 0:
            break
        count += 1
        if board.stones[beside] == 0 and kept[4 + k] >= 0:
            _put_back(board, beside, -colour)
    for k in range(count - 1, -1, -1):
        beside = int(board.neighbours[point, k])
        if board.stones[beside] == 0:
            board.pseudo[board.head[point]] -= 1
            continue
        if board.stones[beside] == colour and kept[4 + k] >= 0:
            _split(board, int(board.head[point]), int(kept[4 + k]))
        board.pseudo[board.head[beside]] += 1
    board.stones[point] = 0
    board.hash[0] ^= ZOBRIST[colour + 1, point]
    board.head[point], board.following[point] = kept[0], kept[1]
    board.size[point], board.pseudo[point] = kept[2], kept[3]


@in_place
def _put_back(board: Board, start: int, colour: int) -> None:
    """Put a captured chain back, given one of its stones."""
    head = board.head[start]
    stone = start
    while True:
        board.stones[stone] = colour
        board.hash[0] ^= ZOBRIST[colour + 1, stone]
        for k in range(4):
            beside = int(board.neighbours[stone, k])
            if beside < 0:
                break
            if board.stones[beside] != 0 and board.head[beside] != head:
                board.pseudo[board.head[beside]] -= 1
        stone = int(board.following[stone])
        if stone == start:
            break
    board.pseudo[head] = 0


@in_place
def _split(board: Board, one: int, other: int) -> None:
    """Make two chains of one again, given the head that it kept and the one that it lost."""
    board.following[one], board.following[other] = board.following[other], board.following[one]
    stone = other
    while True:
        board.head[stone] = other
        stone = int(board.following[stone])
        if stone == other:
            break
    board.size[one] -= board.size[other]
    board.pseudo[one] -= board.pseudo[other]
