"""From a position and its ownership to its estimate: a count if it looks finished, else an expectation."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.counting.claims import Claims
from goban.counting.count_finished_position import count_finished
from goban.counting.estimate import DECIDED, Estimate
from goban.counting.expectation import Expectation, expect, expect_with_claims
from goban.counting.expected_score import Forecast, score_deviation
from goban.counting.finished_or_not import looks_finished
from goban.position import Position
from goban.reading.position_reader import PositionReader, RolledOut
from goban.rulesets import Terms

_NO_FORECAST: Final = Forecast()


def estimate(
    position: Position,
    ownership: NDArray[np.float32],
    terms: Terms,
    *,
    ended: bool = False,
    forecast: Forecast = _NO_FORECAST,
    claims: Claims | None = None,
    unsettled: Mask | None = None,
    sure: Mask | None = None,
    over: bool = True,
    rollouts: RolledOut | None = None,
) -> Estimate:
    """Return dead stones, owners and score of a position: counted if it looks finished, else expected.

    Args:
        position: the position, N by N.
        ownership: float32 (N, N), from an `Evaluator`.
        terms: what is counted: ruleset, komi, handicap stones.
        ended: whether the players have ended the game here, so that more doubt is allowed in counting it.
        forecast: the model's own. Its lead is the score of a game that goes on, which claims change by what they change
            in the sum over the owners; without a lead that sum is the score. Without a deviation it is
            `score_deviation`'s.
        claims: the players' claims about chains, which edit the ownership of a game that goes on.
        unsettled: bool (N, N), points whose owner, as the model predicts it, depends on who moves next; None for none.
        sure: bool (N, N), stones whose counted status is not in doubt; None for none.
        over: whether the players, or the model, say that no move is left; False lets no count be safe, and so spares
            the reading of what seems sure.
        rollouts: a second judge of the stones of a finished position; None for none.
    """
    reader = PositionReader(position, ownership, rollouts)
    if not looks_finished(position.stones, np.abs(reader.means) < DECIDED, ended=ended):
        answer = _expected(reader, terms, forecast)
        return expect_with_claims(answer, reader, claims) if claims else answer
    nothing = np.zeros(ownership.shape, np.bool_)
    unsettled, sure = (nothing if each is None else each for each in (unsettled, sure))
    return count_finished(reader, terms, _deviation(reader, forecast), claims, unsettled, sure, over)


def estimate_open(
    position: Position, ownership: NDArray[np.float32], terms: Terms, forecast: Forecast = _NO_FORECAST
) -> Expectation:
    """Return the same of a game that is known to go on, however finished the position looks."""
    return _expected(PositionReader(position, ownership), terms, forecast)


def _expected(reader: PositionReader, terms: Terms, forecast: Forecast) -> Expectation:
    return expect(reader, terms, _deviation(reader, forecast), forecast.lead, forecast.wins)


def _deviation(reader: PositionReader, forecast: Forecast) -> float:
    return score_deviation(reader.ownership) if forecast.deviation is None else forecast.deviation
