"""The clocks of GTP, and the time that a move may take."""

from dataclasses import dataclass, replace

_RESERVE = 0.15  # seconds for the transfer of an answer
_RESERVED_SHARE = 0.25  # for what ends later than planned
_LEAST = 0.01
_LEAST_MOVES = 10
_BOARD_PLAYED = 0.75  # share of the points that are played on before a game ends


@dataclass(frozen=True)
class Clock:
    """One player's time as GTP defines it: main time, then periods, each for a number of stones.

    Attributes:
        main: seconds of main time.
        period: seconds of a period.
        period_stones: stones to be played in a period.
        left: seconds left of the main time, or of the period that has begun.
        stones: stones still to be played in that period, 0 while the main time lasts.
        single: whether a period is for one stone, and there are several of them (byo-yomi as on KGS).

    No main time and no period means no clock; so does a period for no stones.
    """

    main: float = 0.0
    period: float = 0.0
    period_stones: int = 0
    left: float = 0.0
    stones: int = 0
    single: bool = False

    def begun(self) -> "Clock":
        """Return the clock at the start of a game."""
        if self.main > 0:
            return replace(self, left=self.main, stones=0)
        return replace(self, left=self.period, stones=self.period_stones)

    @property
    def remaining(self) -> float:
        """Seconds after which the player has lost on time, unless it moves."""
        return self.left + (self.period if self.stones == 0 else 0.0)

    def at(self, left: float, stones: int) -> "Clock":
        """Return the clock with the seconds and stones, or periods for single stones, that a server sends."""
        return replace(self, left=left, stones=min(1, stones) if self.single else stones)

    def after(self, seconds: float) -> "Clock":
        """Return the clock after a move that took this time."""
        left, stones = self.left - seconds, self.stones
        if stones == 0 and left > 0:
            return replace(self, left=left)
        if stones == 0:  # the move ends in the first period, and counts there
            left, stones = left + self.period, self.period_stones
        if stones > 1:
            return replace(self, left=left, stones=stones - 1)
        return replace(self, left=self.period, stones=self.period_stones)

    @property
    def unlimited(self) -> bool:
        """Whether there is no clock."""
        return (self.period > 0 and self.period_stones == 0) or (self.main == 0 and self.period == 0)

    def allowance(self, side: int, plies: int) -> float | None:
        """Return the seconds for one move, by board side and number of moves played; None without a clock."""
        if self.unlimited:
            return None
        seconds = self._share(side, plies)
        return max(_LEAST, seconds * (1 - _RESERVED_SHARE) - _RESERVE)

    def _share(self, side: int, plies: int) -> float:
        if self.stones > 0:
            return self.left / self.stones
        moves = max(_LEAST_MOVES, round((_BOARD_PLAYED * side * side - plies) / 2))
        later = self.period / self.period_stones if self.period_stones else 0.0
        return max(self.left / moves, min(later, self.left + later))
