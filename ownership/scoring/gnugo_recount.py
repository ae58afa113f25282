"""Counts in which GNU Go decides about the chains of which the model is not sure."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.chain_kernels import neighbour_table
from goban.coords import EMPTY
from goban.counting.claims import Claims
from goban.counting.count_estimate import Count
from goban.counting.dead_stones import SURE_SURVIVAL
from goban.counting.doubts import SAFE_DOUBT
from goban.counting.estimate import Estimate
from goban.position import Position
from goban.regions import owners
from ownership.scoring.assessment import Assessment, estimate_by

_GNUGO_CERTAINTY: Final = 0.95  # |ownership| of a point that GNU Go decides: certain, but it may still be dame


def recount(
    position: Position,
    assessment: Assessment,
    answer: Estimate,
    finished: NDArray[np.int8],
    players: Claims | None,
    program: str,
) -> tuple[Estimate, Estimate]:
    """Return the estimate in which GNU Go decides about chains of which the model is not sure, and GNU Go's estimate.

    `answer` is the model's; `finished`, int8 (N, N), the stones at the end of GNU Go's play; `program` is its name. The
    players' claims override both. Where a mixture would give a score that neither has, GNU Go decides the whole board.
    The ownership stays the model's, and the count is never safe.
    """
    owner = owners(finished, np.zeros(finished.shape, np.bool_))
    made = players or Claims(*np.zeros((3, *owner.shape), np.bool_))
    everything = (position.stones != EMPTY) & ~made.made
    mixed = _decided_by(position, assessment, answer, owner, made, _judged(position, answer) & ~made.made)
    alone = _decided_by(position, assessment, answer, owner, made, everything)
    recounted = mixed if mixed.score in (answer.score, alone.score) else alone
    if isinstance(recounted, Count):
        of_players = recounted.findings._replace(also_changed=answer.also_changed, ignored=answer.ignored)
        recounted = replace(recounted, findings=of_players)
    models = assessment.prediction.owners
    return replace(recounted, ownership=models, claimed=answer.claimed, second_opinion=program), alone


def _decided_by(
    position: Position, assessment: Assessment, answer: Estimate, owner: Stones, made: Claims, judged: Mask
) -> Estimate:
    """Return the estimate with judged stones, bool (N, N), and open points, by the owners at the end of other play."""
    stones, prediction = position.stones, assessment.prediction
    everything = bool(judged[(stones != EMPTY) & ~made.made].all())
    settled = np.where(stones == EMPTY, answer.decided & (not everything), ~judged)
    combined = np.where(settled, prediction.owners, _GNUGO_CERTAINTY * owner).astype(np.float32)
    dead = stones * position.chain_means(owner.astype(np.float32)) < 0
    claims = Claims(made.dead | (judged & dead), made.alive | (judged & ~dead), made.seki)
    blended = assessment._replace(
        prediction=replace(prediction, ownership=combined), ended=True, share=np.zeros(owner.shape, np.float32)
    )
    return estimate_by(blended, position, answer.terms, True, claims)


def _judged(position: Position, answer: Estimate) -> Mask:
    """Return bool (N, N): the chains whose status the model is not sure of, and those that touch them.

    GNU Go's answer about a fight holds as a whole; elsewhere it may have lost stones by a mistake of its own.
    """
    means = np.abs(position.chain_means(answer.ownership))
    unsure = (position.stones != EMPTY) & ((means < SURE_SURVIVAL) | (answer.doubt > SAFE_DOUBT) | answer.unsettled)
    beside = neighbour_table(position.side)[unsure.ravel()]
    ids = position.chain_ids()
    return np.asarray((position.stones != EMPTY) & (unsure | np.isin(ids, ids.ravel()[beside[beside >= 0]])))
