"""The figures of a score as short texts: result, state, points, interval, win rate, likely moves."""

from typing import Final, Protocol

import numpy as np

from goban.coords import BLACK, WHITE, colour_name, gtp_name
from goban.counting.estimate import Estimate, State
from ownership.scoring.scored_game import ScoredGame

_NEARLY_CERTAIN: Final = 0.995  # the probability that would be rounded to 100%
_OUTCOMES: Final[dict[State, str]] = {
    "confirmed": "counted, confirmed",
    "safe": "counted, safe",
    "unsafe": "counted, not safe",
    "open": "expected",
}


class Outlook(Protocol):
    """The figures of a game's score: from an `Estimate`, or the result of a search."""

    @property
    def score(self) -> float:
        """Black minus White, komi included."""

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds within which the final score lies with a probability of 90%; None for a count."""

    @property
    def black_wins(self) -> float | None:
        """Probability that Black wins; None for a count."""

    @property
    def state(self) -> State:
        """What is known about the score, as for an `Estimate`."""

    @property
    def result(self) -> str:
        """The score as in an SGF record."""

    @property
    def finished(self) -> bool:
        """Whether the score is counted."""


def headline(answer: Outlook) -> str:
    """Return the score and whether its count is safe, or in a game that goes on its 90% interval and the win rate."""
    return ", ".join((outcome_text(answer), *outlook_texts(answer)))


def outcome_text(answer: Outlook) -> str:
    """Return the score and how it was found, such as "B+6.5 counted, safe" or "W+3.2 expected"."""
    return f"{answer.result} {_OUTCOMES[answer.state]}"


def outlook_texts(answer: Outlook) -> list[str]:
    """Return the 90% interval and the win rate of a game that goes on as texts; none of a count."""
    if answer.interval is None or answer.black_wins is None:
        return []
    chance = answer.black_wins if answer.score >= 0 else 1 - answer.black_wins
    shown = f"{chance:.0%}" if chance < _NEARLY_CERTAIN else "over 99%"
    interval = " to ".join(interval_text(answer.interval))
    return [f"90% interval {interval}", f"{winning_side(answer.score)}'s win rate {shown}"]


def points_text(answer: Estimate) -> tuple[str, str]:
    """Return Black's and White's points, in an open game rounded to 0.1, so that they differ by the verdict's score."""
    if answer.finished:
        return f"{answer.black:g}", f"{answer.white:g}"
    black = round(answer.black, 1) + 0.0
    return f"{black:.1f}", f"{black - round(answer.score, 1):.1f}"


def interval_text(interval: tuple[float, float]) -> list[str]:
    """Return the bounds of an interval, rounded to 0.1, such as "B+8.5"."""
    return [f"{winning_side(bound)[0]}+{abs(bound):.1f}" for bound in (round(bound, 1) for bound in interval)]


def winning_side(points: float) -> str:
    """Return the name of the colour that a score, Black minus White, is for; Black for 0."""
    return colour_name(BLACK if points >= 0 else WHITE)


def likely_moves(scored: ScoredGame, most: int) -> list[tuple[str, float]]:
    """Return the likeliest next moves as GTP vertices with their probabilities, likeliest first; raise ValueError."""
    if scored.policy is None:
        raise ValueError(f"expected a model with a policy. Received: {scored.model}")
    points = np.argsort(-scored.policy, kind="stable")[:most]
    return [(gtp_name(point, scored.position.side), round(float(scored.policy[point]), 4)) for point in points.tolist()]
