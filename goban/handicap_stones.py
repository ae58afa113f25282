"""Handicap stones: where GTP puts them, and moves at the beginning of a game that are taken for them."""

from collections.abc import Sequence
from typing import Final

from goban.coords import WHITE, pass_point
from goban.errors import InputError

_MOST_STONES: Final = 9  # moves of Black at the beginning that are taken for a handicap


def most_handicap(side: int) -> int:
    """Return the number of handicap points that GTP fixes on a board: 9, 4 or, below 7x7, none."""
    if side < 7:
        return 0
    return 9 if side % 2 and side > 7 else 4


def handicap_moves(side: int, colours: Sequence[int], points: Sequence[int]) -> int:
    """Return how many stones Black begins a game with, 2..9, before White's first move; 0 in an even game.

    Args:
        side: of the board, N.
        colours: of the moves.
        points: flat indices, N*N for a pass.
    """
    placed = list(colours).index(WHITE) if WHITE in colours else 0
    passes = pass_point(side) in points[:placed]
    return placed if 2 <= placed <= _MOST_STONES and not passes else 0


def fixed_handicap(side: int, count: int) -> list[int]:
    """Return the flat indices of the handicap points that GTP fixes; raise InputError for an impossible number.

    Args:
        side: of the board.
        count: stones, from 2 to `most_handicap(side)`.
    """
    most = most_handicap(side)
    if not most:
        raise InputError(f"invalid number of stones: expected no handicap on {side}x{side}. Received: {count}")
    if not 2 <= count <= most:
        raise InputError(f"invalid number of stones: expected 2..{most} on {side}x{side}. Received: {count}")
    low = 3 if side >= 13 else 2
    high, middle = side - 1 - low, side // 2
    corners = [(high, low), (low, high), (low, low), (high, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = corners[: min(count, 4)] + sides[: max(0, count // 2 * 2 - 4)]
    places += [(middle, middle)] if count in (5, 7, 9) else []
    return [row * side + column for row, column in places]
