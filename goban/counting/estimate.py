"""The estimate of a position: the common part of a `Count` and an `Expectation`.

A finished position is counted; while the game goes on there is an expected score. docs/counting.md explains both.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from goban import board_svg
from goban.array_types import Mask, Stones
from goban.coords import BLACK, EMPTY
from goban.counting.counted_score import format_result
from goban.counting.doubts import Doubt
from goban.counting.estimate_diagram import estimate_diagram
from goban.counting.expected_score import win_probability
from goban.counting.languages import score_verdict
from goban.position import Position
from goban.rulesets import Terms

DECIDED: Final = 0.8  # |ownership| of a point that is as good as settled: nine to one

State = Literal["confirmed", "safe", "unsafe", "open"]
STATES: Final[tuple[State, ...]] = ("confirmed", "safe", "unsafe", "open")
_STATES: Final[dict[State, str]] = {
    "confirmed": "confirmed",
    "safe": "safe to count",
    "unsafe": "not safe to count",
    "open": "not finished",
}

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class DoubtfulChain:
    """A chain whose status may be wrong: its colour and points (flat indices), and the probability that it lives."""

    colour: int
    points: tuple[int, ...]
    lives: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Estimate(ABC):
    """The value of a position for both players; Black positive throughout.

    Attributes:
        position: what is estimated, N by N.
        ownership: float32 (N, N) in [-1, 1].
        terms: what is counted.
        deviation: standard deviation of the score in points; of a safe count at most what the ownership implies.
        claimed: whether the players made claims about chains.
        second_opinion: the program that decided about chains in doubt, None for the model alone.
    """

    position: Position
    ownership: NDArray[np.float32]
    terms: Terms
    deviation: float
    claimed: bool = False
    second_opinion: str | None = None

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the game looks over, and so is counted."""

    @property
    @abstractmethod
    def dead(self) -> Mask:
        """Stones that are taken off, bool (N, N)."""

    @property
    @abstractmethod
    def owner(self) -> Stones:
        """Who gets each point, int8 (N, N): 0 for dame and, while the game goes on, for open points."""

    @property
    @abstractmethod
    def decided(self) -> Mask:
        """Points whose owner is nine to one or better, bool (N, N)."""

    @property
    @abstractmethod
    def black(self) -> float:
        """Black's points under the rules; see `before_further_stones`."""

    @property
    @abstractmethod
    def white(self) -> float:
        """White's points under the rules, with komi and handicap; see `before_further_stones`."""

    @property
    @abstractmethod
    def trust(self) -> str:
        """One sentence about whether the score can be trusted, and why."""

    @property
    @abstractmethod
    def state(self) -> State:
        """What is known about the score.

        "confirmed": it is counted and is the recorded score; "safe": it is counted, and the board alone shows that the
        count is right; "unsafe": it is counted, and may be wrong; "open": the game goes on.
        """

    @property
    def safe(self) -> bool:
        """Whether the count is confirmed or safe."""
        return self.state in ("confirmed", "safe")

    @property
    def reasons(self) -> tuple[Doubt, ...]:
        """Why a count may be wrong on the board alone, what matters most first."""
        return ()

    @property
    def seki(self) -> Mask:
        """Stones that are counted as in seki, bool (N, N)."""
        return self._nowhere

    @property
    def gaps(self) -> Mask:
        """Points that close open borders, bool (N, N): a count gives them to neither side."""
        return self._nowhere

    @property
    def teire(self) -> Mask:
        """Points that their owner has to fill once the dame are filled, bool (N, N): by territory rules.

        They count as territory.
        """
        return self._nowhere

    @property
    def doubt(self) -> NDArray[np.float32]:
        """The probability that the status of a stone is wrong in a count, float32 (N, N)."""
        return np.zeros(self.ownership.shape, np.float32)

    @property
    def read(self) -> Mask:
        """Stones whose status reading has decided, bool (N, N)."""
        return self._nowhere

    @property
    def unsettled(self) -> Mask:
        """Points of a count whose owner depends on who moves next, bool (N, N)."""
        return self._nowhere

    @property
    def also_changed(self) -> Mask:
        """Stones that the players made no claim about, whose status their claims change, bool (N, N)."""
        return self._nowhere

    @property
    def ignored(self) -> Mask:
        """Stones claimed dead that stay, as they lie within their own side's area, bool (N, N)."""
        return self._nowhere

    @property
    def in_doubt(self) -> list[DoubtfulChain]:
        """The chains of a count whose status may well be wrong, the most doubtful first."""
        return []

    @property
    def _nowhere(self) -> Mask:
        return np.zeros(self.ownership.shape, np.bool_)

    @property
    def before_further_stones(self) -> bool:
        """Whether the stones that each side still plays take off as many of its points: territory, the game goes on."""
        return not self.finished and self.terms.ruleset.counting == "territory"

    @property
    def rules(self) -> str:
        """The name of the ruleset."""
        return self.terms.ruleset.name

    @property
    def komi(self) -> float:
        """Points for White, without those for handicap stones."""
        return self.terms.komi

    @property
    def score(self) -> float:
        """Black minus White, komi included: counted if finished, else expected."""
        return self.black - self.white

    @property
    @abstractmethod
    def interval(self) -> tuple[float, float] | None:
        """Bounds within which the final score lies with a probability of 90%; by area rules, none beyond the board.

        None for a count.
        """

    @property
    @abstractmethod
    def black_wins(self) -> float | None:
        """Probability that Black has more points in the end, a draw counting half; None for a count."""

    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour has more points in the end, for players: also where it is counted."""
        wins = win_probability(self.score, self.deviation) if self.black_wins is None else self.black_wins
        return wins if colour == BLACK else 1 - wins

    @property
    def result(self) -> str:
        """The score as in an SGF record: "B+8.5", "W+0.5" or "0"; rounded to 0.1 while the game goes on."""
        return format_result(self.score if self.finished else round(self.score, 1))

    @property
    def verdict(self) -> str:
        """The winner and the score, such as "Black wins by 20.5", "White leads by 3.2" or "Draw"."""
        return score_verdict(self.score, self.finished)

    @property
    def uncertain_points(self) -> Mask:
        """Empty points whose owner is uncertain, bool (N, N): open borders, and dame."""
        uncertain: Mask = (self.position.stones == EMPTY) & ~self.decided
        return uncertain

    def diagram(self) -> str:
        """Return the board with GTP coordinates; each point is a mark and, where it is not certain, a "?"."""
        return estimate_diagram(self.position.stones, self.owner, self.dead, self.decided)

    def _repr_svg_(self) -> str:
        """Return the picture that Jupyter shows: stones, the dead ones crossed, and who owns each point how surely."""
        last = self.position.recent[0] if self.position.recent else None
        return board_svg.render_svg(
            self.position.stones, last=last, values=self.ownership, crossed=self.dead, label=self.result
        )

    def __repr__(self) -> str:
        """Return the result, its rules and trust, and the diagram."""
        worth = "draw" if self.result == "0" else self.result
        return f"<{worth} by {self.rules} rules, komi {self.komi:g}, {_STATES[self.state]}\n{self.diagram()}>"


def first_that_holds(reasons: tuple[tuple[str, Callable[[_Answer], bool]], ...], answer: _Answer) -> str:
    """Return the name of the first reason whose test holds for an answer; one must hold."""
    return next(name for name, holds in reasons if holds(answer))
