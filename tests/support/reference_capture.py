"""Whether a chain is captured, by a plain search of every move, without a table of positions."""

from typing import NamedTuple

import numpy as np

from goban.array_types import Stones
from goban.position import Position

DEEPEST = 40
ROOM = 7


class TooMany(Exception):
    """More moves than a test can wait for."""


class Turn(NamedTuple):
    """What one turn led to.

    Attributes:
        stones: afterwards, as bytes.
        mover: the colour that played or passed, 0 for the start.
        passes: of the turns just before the next one: "" for a move, "one", "for ko", or "both".
    """

    stones: bytes
    mover: int
    passes: str


class CaptureReading:
    """Reads for one chain of a board, int8 (N, N), on the points of an area; see `goban.reading.capture_search`."""

    def __init__(self, stones: Stones, target: int, area: list[int], ko_master: int, most: int) -> None:
        self.side, self.target, self.area, self.ko_master = len(stones), target, area, ko_master
        self.defender = int(stones.flat[target])
        self.left = most
        self.turns = [Turn(stones.tobytes(), 0, "")]

    def is_captured(self, mover: int) -> bool:
        """Return whether the chain is captured if `mover` has the turn."""
        attacking, barred = mover != self.defender, False
        before = Position.from_stones(np.frombuffer(self.turns[-1].stones, np.int8).reshape(self.side, self.side))
        for point in self.area:
            if before.stones.flat[point] != 0 or not before.is_legal(point, mover):
                continue
            after = before.play(point, mover).stones
            if mover != self.ko_master and self._is_repeated(after.tobytes(), mover):
                barred = True
            elif self._after_move(before.stones, after, mover) == attacking:
                return attacking
        return self._after_pass(mover, barred)

    def _is_repeated(self, stones: bytes, mover: int) -> bool:
        """Return whether stones were on the board before, and `mover` has not passed since."""
        for turn in reversed(self.turns):
            if turn.stones == stones:
                return True
            if turn.passes and turn.mover == mover:
                return False
        return False

    def _after_move(self, before: Stones, after: Stones, mover: int) -> bool:
        taken = np.count_nonzero(before == -mover) - np.count_nonzero(after == -mover)
        if after.flat[self.target] != self.defender:
            return True
        return not (mover == self.defender and taken >= ROOM) and self._deeper(Turn(after.tobytes(), mover, ""))

    def _after_pass(self, mover: int, barred: bool) -> bool:
        last = self.turns[-1]
        if last.passes in ("one", "both") or any(
            turn.passes and turn.mover == mover and turn.stones == last.stones for turn in self.turns
        ):
            return False
        passes = "both" if last.passes == "for ko" else "for ko" if barred else "one"
        return self._deeper(Turn(last.stones, mover, passes))

    def _deeper(self, turn: Turn) -> bool:
        if len(self.turns) >= DEEPEST:
            return False
        self.left -= 1
        if self.left < 0:
            raise TooMany
        self.turns.append(turn)
        captured = self.is_captured(-turn.mover)
        self.turns.pop()
        return captured
