"""The expectation of a position in which the game goes on: who is likely to own what, and the expected score."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.counting.claims import Claims
from goban.counting.estimate import DECIDED, Estimate, State, first_that_holds
from goban.counting.expected_score import (
    expected_points,
    expected_score,
    possible_score,
    score_interval,
    win_probability,
)
from goban.counting.languages import say
from goban.reading.position_reader import PositionReader
from goban.rulesets import Terms

LEANING: Final = 1 / 3  # |ownership| from which an open point has an owner: two to one


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Expectation(Estimate):
    """The expected score of a position in which the game goes on.

    Attributes:
        means: float32 (N, N), the ownership, that of stones averaged over their chains.
        points: expected points of Black, and of White with komi and handicap.
        wins: the model's own probability that Black wins; None follows from score and deviation.
        lacks_moves: whether the record has a counted result, and yet seems to lack its last moves.
    """

    means: NDArray[np.float32]
    points: tuple[float, float]
    wins: float | None = None
    lacks_moves: bool = False

    @property
    def finished(self) -> bool:
        return False

    @property
    def dead(self) -> Mask:
        likely: Mask = self.position.stones * self.means < -LEANING
        return likely

    @property
    def owner(self) -> Stones:
        return (np.sign(self.means) * (np.abs(self.means) >= LEANING)).astype(np.int8)

    @property
    def decided(self) -> Mask:
        likely: Mask = np.abs(self.means) >= DECIDED
        return likely

    @property
    def black(self) -> float:
        return self.points[0]

    @property
    def white(self) -> float:
        return self.points[1]

    @property
    def state(self) -> State:
        return "open"

    @property
    def interval(self) -> tuple[float, float]:
        return score_interval(self.score, self.deviation, self.position, self.terms)

    @property
    def black_wins(self) -> float:
        return win_probability(self.score, self.deviation) if self.wins is None else self.wins

    @property
    def trust(self) -> str:
        side_points = self.position.stones.size
        uncertain = side_points - int(self.decided.sum())
        return say(first_that_holds(_TRUST, self), count=uncertain, points=side_points)


def _lacks_moves(answer: Expectation) -> bool:
    return answer.lacks_moves


def _is_claimed(answer: Expectation) -> bool:
    return answer.claimed


def _goes_on(answer: Expectation) -> bool:
    return not answer.finished


_TRUST: Final[tuple[tuple[str, Callable[[Expectation], bool]], ...]] = (
    ("trust_lacks_moves", _lacks_moves),
    ("trust_open_claims", _is_claimed),
    ("trust_open", _goes_on),
)
"""The sentences about an expected score, each with its test: the first that holds is said."""


def expect(
    reader: PositionReader, terms: Terms, deviation: float, lead: float | None, wins: float | None = None
) -> Expectation:
    """Return the expectation of a position.

    Args:
        reader: of the position and its ownership.
        terms: what is counted.
        deviation: standard deviation of the score in points.
        lead: the expected score, Black minus White; None for the sum over the owners.
        wins: the probability that Black wins, None for the one that follows from score and deviation.
    """
    black, white = expected_points(reader.position, reader.ownership, terms.ruleset, terms.total_komi)
    missing = 0.0 if lead is None else possible_score(lead, reader.position, terms) - (black - white)
    return Expectation(
        position=reader.position,
        ownership=reader.ownership,
        terms=terms,
        deviation=deviation,
        means=reader.means,
        points=(black + missing / 2, white - missing / 2),
        wins=wins,
    )


def expect_with_claims(answer: Expectation, reader: PositionReader, claims: Claims) -> Expectation:
    """Return the expectation with the claimed chains as claimed.

    The score changes by what the claims change in the sum over the owners.
    """
    position, terms = answer.position, answer.terms
    before = expected_score(position, answer.ownership, terms.ruleset, terms.total_komi)
    edited = PositionReader(position, _claimed_ownership(reader, claims))
    after = expected_score(position, edited.ownership, terms.ruleset, terms.total_komi)
    return replace(expect(edited, terms, answer.deviation, answer.score + after - before), claimed=True)


def _claimed_ownership(reader: PositionReader, claims: Claims) -> NDArray[np.float32]:
    """Return the ownership of a game that goes on with claimed chains, and the points beside them, as claimed."""
    edited = reader.ownership.copy()
    for chain in reader.chains:
        points, beside = list(chain.points), list(chain.liberties)
        if claims.seki.flat[points[0]]:
            edited.flat[points], edited.flat[beside] = chain.colour, 0
        elif claims.made.flat[points[0]]:
            colour = -chain.colour if claims.dead.flat[points[0]] else chain.colour
            edited.flat[points], edited.flat[beside] = colour, colour * np.abs(edited.flat[beside])
    return edited
