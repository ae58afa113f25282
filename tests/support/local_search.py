"""Exhaustive search of a few points by the rules alone: the territory if both sides play there as well as they can.

It knows nothing of `goban.reading`: a plain minimax over positions, whose ends count every stone as alive.
"""

from collections.abc import Iterable

import numpy as np

from goban.coords import BLACK, WHITE, pass_point
from goban.position import Position
from goban.regions import owners

_Key = tuple[bytes, int, int, bool]


def best_territory(position: Position, points: Iterable[int]) -> dict[int, int]:
    """Return Black's territory less White's, prisoners included, after the best play, by who moves first.

    Args:
        position: prisoners that were taken before do not count.
        points: flat indices; moves are tried on these, and passes. Two passes end the play.

    No board comes back. Area less the stones that each side has played is territory with prisoners.
    """
    play = _Play(sorted(points))
    return {mover: play.value(position, mover, False) for mover in (BLACK, WHITE)}


class _Play:
    """Positions that were searched, and the boards of the line that is searched now."""

    def __init__(self, points: list[int]) -> None:
        self._points = points
        self._known: dict[_Key, int] = {}
        self._line: set[bytes] = set()

    def value(self, position: Position, mover: int, passed: bool) -> int:
        """Return Black's territory less White's after the best play; `passed`: whether the last move was a pass."""
        board = position.flat.tobytes()
        key = (board, position.ko, mover, passed)
        if key not in self._known:
            self._line.add(board)
            values = [move + self.value(after, -mover, False) for move, after in self._moves(position, mover)]
            self._line.discard(board)
            values.append(_area(position) if passed else self.value(_passed(position, mover), -mover, True))
            self._known[key] = mover * max(mover * each for each in values)
        return self._known[key]

    def _moves(self, position: Position, mover: int) -> Iterable[tuple[int, Position]]:
        """Yield what the stone of a move takes from the area, and the position after it."""
        legal = position.legal_points(mover)
        for point in self._points:
            if legal[point]:
                after = position.play(point, mover)
                if after.flat.tobytes() not in self._line:
                    yield -mover, after


def _passed(position: Position, mover: int) -> Position:
    return position.play(pass_point(position.side), mover)


def _area(position: Position) -> int:
    return int(owners(position.stones, np.zeros(position.stones.shape, np.bool_)).sum())
