"""How a finished position is counted: dead stones, open borders, protective moves, and doubts."""

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.coords import EMPTY
from goban.counting.claims import Claims
from goban.counting.closed_board_count import count_without
from goban.counting.count_estimate import Count, PointFindings
from goban.counting.counted_score import Score
from goban.counting.dead_stones import StatusAssignment, assign_status
from goban.counting.doubts import CountedPoints, find_doubts
from goban.counting.estimate import DECIDED
from goban.counting.expected_score import score_deviation
from goban.counting.status_assignments import AS_LIKELY_AS_NOT
from goban.reading.dead_chains import read_dead_chains
from goban.reading.liberty_shortage import short_of_liberties
from goban.reading.living_chains_in_danger import taken_next
from goban.reading.position_reader import PositionReader
from goban.reading.protective_moves import protective_moves
from goban.reading.weak_groups import two_eyed_stones
from goban.rulesets import Terms

_SAFE_DEVIATION: Final = 0.6  # points, at most, of a safe score: 94% of them are within a point of the recorded score
_RISK: Final = 1.0  # points that hang on an unproved chain, times the probability that it is judged wrong


def count_finished(
    reader: PositionReader,
    terms: Terms,
    deviation: float,
    claims: Claims | None,
    unsettled: Mask,
    sure: Mask,
    over: bool,
) -> Count:
    """Return the count of a finished position: its dead stones, its score without them, and how certain that is.

    Arguments as for `estimate`, but for the reader of the position and the deviation of the score in points.
    """
    status = assign_status(reader, claims.status if claims else None)
    score, gaps, teire = _count_with_protective_moves(status.dead, reader, terms, claims)
    doubt = status.doubt
    open_now = np.where(reader.stones == EMPTY, score.owner != EMPTY, doubt > 0)  # proofs need no move
    unsettled = unsettled & open_now
    if over:
        unclaimed = ~claims.made if claims else np.ones(unsettled.shape, np.bool_)
        checks = _check_stones(reader, status)
        doubt = np.maximum(doubt, np.where(unclaimed, checks.doubt, 0)).astype(np.float32)
        unsettled = unsettled | (checks.open & unclaimed)
    doubt = np.where(sure, 0, doubt).astype(np.float32)
    decided = _decided(reader.stones, reader.ownership, doubt) & ~unsettled & ~gaps
    doubts = find_doubts(reader, terms, CountedPoints(score, status.dead, doubt, unsettled, gaps, decided))
    changed = _changed_by_claims(reader, terms, claims, status.dead, score.seki)
    ignored = claims.dead & ~status.dead if claims else np.zeros_like(gaps)
    also_changed = changed & ~claims.made if claims else changed
    answer = Count(
        position=reader.position,
        ownership=reader.ownership,
        terms=terms,
        deviation=deviation,
        claimed=bool(claims),
        status=replace(status, doubt=doubt),
        counted=score,
        findings=PointFindings(decided, gaps, teire, unsettled, also_changed, ignored),
        doubts=doubts,
        changed_by_claims=bool((changed | ignored).any()),
        over=over,
    )
    if not answer.safe:
        return answer
    return replace(answer, deviation=min(deviation, score_deviation(reader.ownership), _SAFE_DEVIATION))


def _count_with_protective_moves(
    dead: Mask, reader: PositionReader, terms: Terms, claims: Claims | None
) -> tuple[Score, Mask, Mask]:
    """Return the score without the dead stones, and bool (N, N) each: gaps in borders, and protective moves."""
    score, gaps = count_without(dead, reader, terms, claims)
    if terms.ruleset.counting != "territory":
        return score, gaps, np.zeros_like(gaps)
    teire, in_seki = protective_moves(reader, dead, score.owner)
    if in_seki.any():
        score, gaps = count_without(dead, reader, terms, claims, in_seki)
    return score, gaps, teire


def _changed_by_claims(reader: PositionReader, terms: Terms, claims: Claims | None, dead: Mask, seki: Mask) -> Mask:
    """Return bool (N, N): the stones that are dead, alive or in seki only because of claims about them or others."""
    if not claims:
        return np.zeros(dead.shape, np.bool_)
    without = assign_status(reader).dead
    return np.asarray((dead != without) | (seki != count_without(without, reader, terms)[0].seki))


def _decided(stones: Stones, ownership: NDArray[np.float32], doubt: NDArray[np.float32]) -> Mask:
    """Return bool (N, N): the points of a finished position whose owner is nine to one or better.

    Read from the ownership of an empty point, and from the doubt about the status of a stone.
    """
    decided: Mask = np.where(stones == EMPTY, np.abs(ownership) >= DECIDED, doubt <= (1 - DECIDED) / 2)
    return decided


class _Checks(NamedTuple):
    """The results of reading the stones of which the judgement of a finished position was sure.

    Attributes:
        open: bool (N, N), stones whose status depends on who moves next, or on a ko.
        doubt: float32 (N, N), the probability that the status of unproved stones is wrong, where much hangs on it.
    """

    open: Mask
    doubt: NDArray[np.float32]


def _check_stones(reader: PositionReader, status: StatusAssignment) -> _Checks:
    """Return the results of reading stones of which the judgement of a finished position was sure.

    Dead chains are captured although their side moves first, living ones of few liberties are not although the other
    side does; else they are open. What cannot be read is in doubt as the judgement leaves it, or as likely as not if
    ownership and rollouts give the stones to different sides; doubts about few points are dropped.
    """
    verdicts = read_dead_chains(reader, status.dead)
    short = short_of_liberties(reader, status.dead, status.dead & ~(verdicts.open | verdicts.unread))
    short |= taken_next(reader, status.dead)
    living = (reader.stones != EMPTY) & ~status.dead
    proved = status.read | two_eyed_stones(reader, status.dead)
    unproved = (verdicts.unread & ~status.read) | status.unproved | (living & reader.contested & ~proved)
    doubt = np.where(reader.contested, AS_LIKELY_AS_NOT, (1 - np.abs(reader.survival)) / 2)
    return _Checks(verdicts.open | short | status.open, _weighty(reader, np.where(unproved, doubt, 0)))


def _weighty(reader: PositionReader, doubt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the doubt about those chains whose points, with their liberties, weigh _RISK times as much."""
    weighty = np.zeros(doubt.shape, np.float32)
    for chain in reader.chains:
        chance = float(doubt.flat[chain.points[0]])
        if chance and 2 * chance * (len(chain.points) + len(chain.liberties)) >= _RISK:
            weighty.flat[list(chain.points)] = chance
    return weighty
