"""The figures of a score as short texts: result, state, points, interval, win rate, likely moves."""

from typing import Protocol

import numpy as np

from goban.coords import BLACK, WHITE, colour_name, gtp_name
from goban.counting.estimate import Estimate
from ownership.scoring.score_games import ScoredGame

_NEARLY_CERTAIN = 0.995  # the probability that would be rounded to 100%


class Outlook(Protocol):
    """The figures of a game's score: from an `Estimate`, or the result of a search."""

    @property
    def score(self) -> float:
        """Black minus White, komi included."""

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds within which the final score lies with a probability of 90%."""

    @property
    def black_wins(self) -> float:
        """Probability that Black wins."""

    @property
    def result(self) -> str:
        """The score as in an SGF record."""

    @property
    def finished(self) -> bool:
        """Whether the score is counted."""


def headline(answer: Outlook) -> str:
    """Return the score, its 90% interval and who wins, or in a game that goes on the win rate, in one line."""
    return f"{outcome_text(answer)}, 90% interval {' to '.join(interval_text(answer))}, {wins_text(answer)}"


def outcome_text(answer: Outlook) -> str:
    """Return the score and how it was found, such as "B+6.5 counted" or "W+3.2 expected"."""
    return f"{answer.result} {'counted' if answer.finished else 'expected'}"


def points_text(answer: Estimate) -> tuple[str, str]:
    """Return Black's and White's points, in an open game rounded to 0.1, so that they differ by the verdict's score."""
    if answer.finished:
        return f"{answer.black:g}", f"{answer.white:g}"
    black = round(answer.black, 1) + 0.0
    return f"{black:.1f}", f"{black - round(answer.score, 1):.1f}"


def interval_text(answer: Outlook) -> list[str]:
    """Return the bounds of the 90% interval, rounded to 0.1, such as "B+8.5"."""
    bounds = (round(bound, 1) for bound in answer.interval)
    return [f"{winning_side(bound)[0]}+{abs(bound):.1f}" for bound in bounds]


def state_text(answer: Estimate) -> str:
    """Return "safe" if the position can safely be counted, "unsafe" if it is counted, "open" if the game goes on."""
    return "safe" if answer.safe else "unsafe" if answer.finished else "open"


def winning_side(points: float) -> str:
    """Return the name of the colour that a score, Black minus White, is for; Black for 0."""
    return colour_name(BLACK if points >= 0 else WHITE)


def wins_text(answer: Outlook) -> str:
    """Return who leads and how surely: "Black wins (over 99%)", or "White's win rate 54%" in a game that goes on."""
    chance = answer.black_wins if answer.score >= 0 else 1 - answer.black_wins
    leader, shown = winning_side(answer.score), f"{chance:.0%}" if chance < _NEARLY_CERTAIN else "over 99%"
    return f"{leader} wins ({shown})" if answer.finished else f"{leader}'s win rate {shown}"


def likely_moves(scored: ScoredGame, most: int) -> list[tuple[str, float]]:
    """Return the likeliest next moves as GTP vertices with their probabilities, likeliest first; raise ValueError."""
    if scored.policy is None:
        raise ValueError(f"expected a model with a policy. Received: {scored.model}")
    points = np.argsort(-scored.policy, kind="stable")[:most]
    return [(gtp_name(point, scored.position.side), round(float(scored.policy[point]), 4)) for point in points.tolist()]
