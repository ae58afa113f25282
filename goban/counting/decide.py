"""From ownership to dead stones, owners and the score: is the game finished, which stones are dead, is the count safe?

A finished position is counted; for an unfinished one this gives the expected score. docs/counting.md explains both.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.borders import divide
from goban.counting.claims import Claims
from goban.counting.dead_stones import AS_LIKELY_AS_NOT, StatusAssignment, assign_status
from goban.counting.estimate import OPEN_EMPTY, Estimate
from goban.counting.expected import expected_points, score_deviation
from goban.counting.score import Score, count
from goban.position import Position
from goban.reading.dead_groups import read_dead_chains
from goban.reading.reader import Reader, Rollouts
from goban.reading.teire import find_teire, short_of_liberties
from goban.reading.weak_groups import two_eyed_stones
from goban.regions import Mask, Stones
from goban.rulesets import Terms

DECIDED = 0.8  # |ownership| of a point that is as good as settled: nine to one
LEANING = 1 / 3  # |ownership| from which an open point has an owner: two to one
OPEN_STONES = 0.01  # share of the points of a finished position that may hold uncertain stones
ENDED_EMPTY = 0.4  # the same where the players have ended the game, however many groups are in doubt
SAFE = 0.01  # probability that the status of a chain is wrong, up to which a count is safe
SAFE_DEVIATION = 0.6  # points, at most, of a safe score: 94% of them are within a point of the recorded score
FEWEST_STONES = 0.1  # share of the points that a board has at least that is counted
RISK = 1.0  # points that hang on an unproved chain, times the probability that it is judged wrong
DEPENDS = 0.5  # difference of the ownership with either side to move from which a point depends on who moves next


def estimate(
    position: Position,
    ownership: NDArray[np.float32],
    terms: Terms,
    *,
    ended: bool = False,
    deviation: float | None = None,
    claims: Claims | None = None,
    unsettled: Mask | None = None,
    over: bool = True,
    rollouts: Rollouts | None = None,
    goes_on: bool = False,
) -> Estimate:
    """Return dead stones, owners and score of a position: counted if it looks finished, else expected.

    Args:
        position: the position, N by N.
        ownership: float32 (N, N), from an `Evaluator`.
        terms: what is counted: ruleset, komi, handicap stones.
        ended: whether the players have ended the game here, so that more doubt is allowed in counting it.
        deviation: the model's own standard deviation of the score in points; None for `score_deviation`'s.
        claims: the players' claims about chains, which edit the ownership of a game that goes on.
        unsettled: bool (N, N), points whose owner, as the model predicts it, depends on who moves next; None for none.
        over: whether the players, or the model, say that no move is left; False lets no count be safe, and so spares
            the reading of what seems sure.
        rollouts: a second judge of the stones of a finished position; None for none.
        goes_on: whether the game is known to go on, however finished the position looks.
    """
    if deviation is None:
        deviation = score_deviation(ownership)
    reader = Reader(position, ownership, rollouts)
    uncertain = np.abs(reader.means) < DECIDED
    if goes_on or not looks_finished(position.stones, uncertain, ended=ended):
        edited = reader if claims is None else Reader(position, _claimed(reader, claims))
        return _expected(edited, terms, deviation, claims)
    unsettled = np.zeros(ownership.shape, np.bool_) if unsettled is None else unsettled
    return _counted(reader, terms, deviation, claims, unsettled, over)


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
        return open_empty <= ENDED_EMPTY * stones.size
    return open_stones <= OPEN_STONES * stones.size and open_empty <= OPEN_EMPTY * stones.size


def is_bare(stones: Stones) -> bool:
    """Return whether a board, int8 (N, N), has so few stones, or those of one colour alone, that nothing is decided."""
    black, white = int((stones > 0).sum()), int((stones < 0).sum())
    return not black or not white or black + white < FEWEST_STONES * stones.size


def _claimed(reader: Reader, claims: Claims) -> NDArray[np.float32]:
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


def _counted(
    reader: Reader, terms: Terms, deviation: float, claims: Claims | None, unsettled: Mask, over: bool
) -> Estimate:
    """Return the estimate of a finished position: its dead stones, its score without them, and how certain that is."""
    position, ownership = reader.position, reader.ownership
    status = assign_status(reader, claims.status if claims else None)
    unclaimed = ~claims.made if claims else np.ones(unsettled.shape, np.bool_)
    score, gaps = _count_without(status.dead, reader, terms, claims)
    doubt = status.doubt
    unsettled = unsettled & np.where(position.stones == EMPTY, score.owner != EMPTY, doubt > 0)  # proofs need no move
    if over:
        checks = _check_stones(reader, status)
        doubt = np.maximum(doubt, np.where(unclaimed, checks.doubt, 0)).astype(np.float32)
        unsettled = unsettled | (checks.open & unclaimed)
    decided = _decided(position.stones, ownership, doubt) & ~unsettled & ~gaps
    certain = looks_finished(position.stones, ~decided) and not unsettled.any()
    changed = _changed_by_claims(reader, terms, claims, status.dead, score.seki)
    ignored = claims.dead & ~status.dead if claims else np.zeros_like(gaps)
    safe = over and certain and float(doubt.max()) <= SAFE and not (gaps | changed | ignored).any()
    return Estimate(
        position=position,
        ownership=ownership,
        terms=terms,
        dead=status.dead,
        owner=score.owner,
        seki=score.seki,
        gaps=gaps,
        teire=find_teire(reader, status.dead, score.owner)
        if terms.ruleset.counting == "territory"
        else np.zeros_like(gaps),
        black=score.black.total,
        white=score.white.total + terms.total_komi,
        counted=score,
        deviation=min(deviation, score_deviation(ownership), SAFE_DEVIATION) if safe else deviation,
        decided=decided,
        doubt=doubt,
        read=status.read,
        also_changed=changed & ~claims.made if claims else changed,
        ignored=ignored,
        unsettled=unsettled,
        over=over,
        safe=safe,
        claimed=bool(claims),
    )


def _changed_by_claims(reader: Reader, terms: Terms, claims: Claims | None, dead: Mask, seki: Mask) -> Mask:
    """Return bool (N, N): the stones that are dead, alive or in seki only because of claims about them or others."""
    if not claims:
        return np.zeros(dead.shape, np.bool_)
    without = assign_status(reader).dead
    return np.asarray((dead != without) | (seki != _count_without(without, reader, terms)[0].seki))


def _count_without(dead: Mask, reader: Reader, terms: Terms, claims: Claims | None = None) -> tuple[Score, Mask]:
    """Return the score without the dead stones, and bool (N, N): the points that close open borders."""
    ownership, sharing = reader.ownership, None
    if claims:
        sharing = claims.seki & (reader.survival < 0)
        ownership = np.where(claims.dead, -reader.stones, ownership).astype(np.float32)
    owner, gaps = divide(reader.groups(dead).left, ownership, sharing)
    return count(reader.position, dead, terms, seki=claims.seki if claims else None, divided=owner), gaps


def _decided(stones: Stones, ownership: NDArray[np.float32], doubt: NDArray[np.float32]) -> Mask:
    """Return bool (N, N): the points of a finished position whose owner is nine to one or better.

    Read from the ownership of an empty point, and from the doubt about the status of a stone.
    """
    decided: Mask = np.where(stones == EMPTY, np.abs(ownership) >= DECIDED, doubt <= (1 - DECIDED) / 2)
    return decided


def _expected(reader: Reader, terms: Terms, deviation: float, claims: Claims | None) -> Estimate:
    """Return the estimate of a position in which the game goes on: the expected score."""
    position, ownership, means = reader.position, reader.ownership, reader.means
    black, white = expected_points(position, ownership, terms.ruleset, terms.total_komi)
    return Estimate(
        position=position,
        ownership=ownership,
        terms=terms,
        dead=position.stones * means < -LEANING,
        owner=(np.sign(means) * (np.abs(means) >= LEANING)).astype(np.int8),
        seki=np.zeros(ownership.shape, np.bool_),
        gaps=np.zeros(ownership.shape, np.bool_),
        teire=np.zeros(ownership.shape, np.bool_),
        black=black,
        white=white,
        counted=None,
        deviation=deviation,
        decided=np.abs(means) >= DECIDED,
        doubt=np.zeros(ownership.shape, np.float32),
        read=np.zeros(ownership.shape, np.bool_),
        also_changed=np.zeros(ownership.shape, np.bool_),
        ignored=np.zeros(ownership.shape, np.bool_),
        unsettled=np.zeros(ownership.shape, np.bool_),
        over=False,
        safe=False,
        claimed=bool(claims),
    )


class _Checks(NamedTuple):
    """The results of reading what the judgement of a finished position was sure of.

    Attributes:
        open: bool (N, N), stones whose status depends on who moves next, or on a ko.
        doubt: float32 (N, N), the probability that the status of unproved stones is wrong, where much hangs on it.
    """

    open: Mask
    doubt: NDArray[np.float32]


def _check_stones(reader: Reader, status: StatusAssignment) -> _Checks:
    """Return what reading has to say about stones that the judgement of a finished position was sure of.

    Dead chains are captured although their side moves first, living ones of few liberties are not although the other
    side does; else they are open. What cannot be read is in doubt as the judgement leaves it, or as likely as not if
    ownership and rollouts give the stones to different sides; doubts about few points are dropped.
    """
    verdicts = read_dead_chains(reader, status.dead)
    short = short_of_liberties(reader, status.dead, status.dead & ~(verdicts.open | verdicts.unread))
    living = (reader.stones != EMPTY) & ~status.dead
    proved = status.read | two_eyed_stones(reader, status.dead)
    unproved = (verdicts.unread & ~status.read) | status.unproved | (living & reader.contested & ~proved)
    doubt = np.where(reader.contested, AS_LIKELY_AS_NOT, (1 - np.abs(reader.survival)) / 2)
    return _Checks(verdicts.open | short | status.open, _weighty(reader, np.where(unproved, doubt, 0)))


def _weighty(reader: Reader, doubt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the doubt about those chains whose points, with their liberties, weigh RISK times as much."""
    found = np.zeros(doubt.shape, np.float32)
    for chain in reader.chains:
        chance = float(doubt.flat[chain.points[0]])
        if chance and 2 * chance * (len(chain.points) + len(chain.liberties)) >= RISK:
            found.flat[list(chain.points)] = chance
    return found
