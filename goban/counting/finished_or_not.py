"""Whether a position looks finished, so that it is counted; docs/counting.md explains it."""

from typing import Final

from goban.array_types import Mask, Stones
from goban.coords import EMPTY

OPEN_EMPTY: Final = 0.06  # share of the points of a finished position that may be uncertain and empty: dame, seki, gaps
_OPEN_STONES: Final = 0.01  # share of the points of a finished position that may hold uncertain stones
_ENDED_EMPTY: Final = 0.4  # OPEN_EMPTY where the players have ended the game, however many groups are in doubt
_FEWEST_STONES: Final = 0.1  # share of the points that a board has at least that is counted


def looks_finished(stones: Stones, uncertain: Mask, *, ended: bool = False) -> bool:
    """Return whether so few points are uncertain that only dame, seki and small gaps can be left.

    Args:
        stones: int8 (N, N).
        uncertain: bool (N, N).
        ended: whether the players have ended the game here; then any groups may be in doubt, and more borders open.
    """
    if is_bare(stones):
        return False
    open_stones = int((uncertain & (stones != EMPTY)).sum())
    open_empty = int((uncertain & (stones == EMPTY)).sum())
    if ended:
        return open_empty <= _ENDED_EMPTY * stones.size
    return open_stones <= _OPEN_STONES * stones.size and open_empty <= OPEN_EMPTY * stones.size


def is_bare(stones: Stones) -> bool:
    """Return whether a board, int8 (N, N), has so few stones, or those of one colour alone, that nothing is decided."""
    black, white = int((stones > 0).sum()), int((stones < 0).sum())
    return not black or not white or black + white < _FEWEST_STONES * stones.size
