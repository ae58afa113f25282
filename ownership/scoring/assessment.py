"""A model's predictions for positions to be scored, and the estimates that follow from them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.coords import BLACK, EMPTY, WHITE
from goban.counting.claims import Claims
from goban.counting.estimate import DECIDED, Estimate
from goban.counting.estimate_position import estimate, estimate_open
from goban.counting.expectation import Expectation
from goban.counting.finished_or_not import looks_finished
from goban.position import Position, trusted_position
from goban.reading.position_reader import RolledOut
from goban.rollouts import roll_out
from goban.rulesets import Terms
from ownership.inference.evaluator import AnyEvaluator, Evaluator, as_evaluator
from ownership.inference.prediction import Prediction
from ownership.inference.second_judge import JudgePair
from ownership.scoring.vertex_claims import VertexClaims

SCORE_SYMMETRIES: Final = 8  # of the board, over which every score averages
PASS_CHANCE: Final = 0.002  # of the policy, from which a game with a counted result may have ended
ROLLOUTS: Final = 64
MOVE_WORTH: Final = 10.0  # points that a move is worth on a board with stones of one colour
DEPENDS: Final = 0.5  # difference of the ownership with either side to move from which it depends on who moves next
SURE_OF_TWO: Final = 0.95  # |ownership| of a chain, the mean of two models, from which rollouts are not asked
STONE_WORTH: Final = 14.0  # points that no more is lost by a pass on such a board


class Assessment(NamedTuple):
    """A model's prediction for a position of board side N to be scored.

    Attributes:
        prediction: at the end of a game the mean with Black and with White to move.
        unsettled: bool (N, N), points whose owner depends on who moves next; empty while a game goes on.
        ended: whether the game ends there, by two passes, or by a counted result where the model expects a pass.
        share: of rollouts in judging the stones, float32 (N, N).
        captured: bool (N, N), dead stones that a search captures; None for none.
    """

    prediction: Prediction
    unsettled: NDArray[np.bool_]
    ended: bool
    share: NDArray[np.float32]
    captured: Mask | None = None


def assess(
    judge: Evaluator | JudgePair,
    positions: Sequence[Position],
    ended: Sequence[bool | None],
    symmetries: int,
    terms: Sequence[Terms],
) -> list[Assessment]:
    """Return the predictions of a model, or of two, for positions of one board side.

    At the end of a game neither side is to move. So the model evaluates the board without its last moves with each side
    to move, each in half of the symmetries, and the two are averaged. (After two passes networks of KataGo expect that
    dead stones stay.) If much of the board is open for all that, the position is evaluated as one in which the game
    goes on.

    Args:
        judge: the model.
        positions: P positions.
        ended: whether the game ends there, as for `score_position`.
        symmetries: 1, or 8 to average over all symmetries of the board.
        terms: rules, komi and handicap of each count.
    """
    found: dict[int, Assessment] = {}
    expecting = _expecting_a_pass(judge, positions, ended, terms)
    ends = [index for index, each in enumerate(ended) if each or index in expecting]
    if ends:
        by, half = [terms[index] for index in ends], max(1, symmetries // 2)
        boards = {colour: [set_up(positions[index], colour) for index in ends] for colour in (BLACK, WHITE)}
        one, other = (judge.evaluate(boards[colour], half, by) for colour in (BLACK, WHITE))
        for index, first, second in zip(ends, one, other, strict=True):
            assessment = _both(positions[index], first, second, judge)
            if _is_finished(positions[index], assessment.prediction):
                found[index] = assessment
    going_on = [index for index in range(len(positions)) if index not in found]
    if going_on:
        unfinished, by = [_to_play(positions[index]) for index in going_on], [terms[index] for index in going_on]
        for index, prediction in zip(going_on, judge.evaluate(unfinished, symmetries, by), strict=True):
            shape, bounded = prediction.owners.shape, _bounded(positions[index], prediction)
            unsettled, share = np.zeros(shape, np.bool_), np.zeros(shape, np.float32)
            found[index] = Assessment(bounded, unsettled, bool(ended[index]), share)
    return [found[index] for index in range(len(positions))]


def _expecting_a_pass(
    judge: Evaluator | JudgePair, positions: Sequence[Position], ended: Sequence[bool | None], terms: Sequence[Terms]
) -> set[int]:
    """Return the numbers of the positions with a counted result and no passes where the model may well pass."""
    asked = [index for index, each in enumerate(ended) if each is None]
    if not asked or "policy" not in judge.heads:
        return set()
    answers = judge.evaluate([positions[index] for index in asked], 1, [terms[index] for index in asked])
    policies = ((index, answer.policy) for index, answer in zip(asked, answers, strict=True))
    return {index for index, policy in policies if policy is not None and policy[-1] >= PASS_CHANCE}


def _to_play(position: Position) -> Position:
    """Return the position, with the other side to move where the side to move has all the stones."""
    stones = position.stones
    alone = stones.any() and (stones * position.to_move >= 0).all()
    return set_up(position, -position.to_move) if alone else position


def _bounded(position: Position, prediction: Prediction) -> Prediction:
    """Return the prediction with the surplus of a side that has all the stones worth what a few stones can be worth.

    The network has been asked as if the other side were to move; that the side with the stones is adds a move.
    """
    stones = position.stones
    if not stones.any() or ((stones > 0).any() and (stones < 0).any()):
        return prediction
    colour, empty = int(stones.sum() > 0) * 2 - 1, stones == EMPTY
    lead = colour * float(prediction.owners.sum()) + MOVE_WORTH * (position.to_move == colour)
    most: float = min(STONE_WORTH * (int((stones != EMPTY).sum()) + 1), stones.size)
    shift = (min(lead, most) - colour * float(prediction.owners.sum())) / max(1, int(empty.sum()))
    owners = np.where(empty, np.clip(prediction.owners + colour * shift, -1, 1), prediction.owners)
    return replace(prediction, ownership=owners.astype(np.float32), policy=None, lead=None, win_rate=None)


def _is_finished(position: Position, prediction: Prediction) -> bool:
    """Return whether a position at which the players ended the game looks finished."""
    uncertain = np.abs(position.chain_means(prediction.owners)) < DECIDED
    return looks_finished(position.stones, uncertain, ended=True)


def _both(position: Position, one: Prediction, other: Prediction, judge: Evaluator | JudgePair) -> Assessment:
    """Return the mean of the predictions with either side to move.

    Rollouts have no share in judging chains of which two models are sure.
    """
    means = [position.chain_means(each.owners) for each in (one, other)]
    ownership = (one.owners + other.owners) / np.float32(2)
    mean = Prediction(
        ownership,
        None,
        None if one.deviation is None or other.deviation is None else (one.deviation + other.deviation) / 2,
        None if one.lead is None or other.lead is None else (one.lead + other.lead) / 2,
        None if one.win_rate is None or other.win_rate is None else (one.win_rate + other.win_rate) / 2,
    )
    certain = np.abs(means[0] + means[1]) / 2 >= SURE_OF_TWO if isinstance(judge, JudgePair) else False
    share = np.where(certain, 0, np.full(ownership.shape, judge.files.rollout_share)).astype(np.float32)
    return Assessment(mean, np.abs(means[0] - means[1]) >= DEPENDS, True, share)


def with_claims(ended: bool | None, claims: VertexClaims | Claims | None) -> bool | None:
    """Return whether a game ended, as for `score_position`: claims about chains suggest that it did."""
    return None if ended is False and claims is not None else ended


def estimate_by(
    assessment: Assessment, position: Position, terms: Terms, ended: bool | None, claims: Claims | None
) -> Estimate:
    """Return the estimate of a position from what a model predicts; `ended` of `with_claims`."""
    prediction = assessment.prediction
    if ended is None and claims is None and not assessment.ended:
        return estimate_without_last_moves(assessment, position, terms)
    given = partial(
        estimate,
        position,
        prediction.owners,
        terms,
        forecast=prediction.forecast,
        claims=claims,
        unsettled=assessment.unsettled,
        sure=assessment.captured,
        rollouts=RolledOut(_rolled_out(position), assessment.share) if assessment.share.any() else None,
    )
    answer = given(ended=assessment.ended, over=assessment.ended or _passes(prediction))
    if ended is not None or not answer.gaps.any():
        return answer
    return estimate_without_last_moves(assessment, position, terms) if claims is None else given(over=False)


def estimate_without_last_moves(assessment: Assessment, position: Position, terms: Terms) -> Expectation:
    """Return the expected score at the end of a record which seems to lack its last moves."""
    prediction = assessment.prediction
    return replace(estimate_open(position, prediction.owners, terms, prediction.forecast), lacks_moves=True)


@lru_cache(maxsize=256)
def _rolled_out(position: Position) -> NDArray[np.float32]:
    """Return float32 (N, N): the mean owners at the ends of rollouts, half of them with either side to move."""
    sides = enumerate((BLACK, WHITE))
    one, other = (roll_out(set_up(position, colour), ROLLOUTS // 2, seed).ownership for seed, colour in sides)
    return (one + other) / np.float32(2)


def _passes(prediction: Prediction) -> bool:
    """Return whether the model expects a pass; False for a model without a policy."""
    return prediction.policy is not None and int(prediction.policy.argmax()) == len(prediction.policy) - 1


def set_up(position: Position, to_move: int) -> Position:
    """Return the board of a position, without its last moves, with BLACK or WHITE to move."""
    return trusted_position(
        position.flat, position.side, to_move, -1, position.prisoners, recent=(), word=position.hash, earlier=()
    )


def evaluator_or_default(evaluator: AnyEvaluator | None) -> Evaluator:
    """Return the evaluator of a model, of the default one for None; see `as_evaluator`."""
    return default_evaluator() if evaluator is None else as_evaluator(evaluator)


@cache
def default_evaluator() -> Evaluator:
    """Return the evaluator of the default model, loaded once."""
    return Evaluator.load()
