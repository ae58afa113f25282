"""The score of one position of a game, from what a model predicts about it, beside the record and by GNU Go."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from game_records.assumed_terms import assumed_terms
from game_records.game_record import GameRecord
from goban.counting.claims import Claims
from goban.counting.count_estimate import Count
from goban.counting.estimate import Estimate
from goban.counting.expectation import Expectation
from goban.position import Position
from goban.rulesets import Terms
from ownership.scoring.assessment import Assessment, estimate_by, estimate_without_last_moves, with_claims
from ownership.scoring.counting_terms import terms_of
from ownership.scoring.gnugo_recount import recount
from ownership.scoring.record_comparison import RecordComparison, compare_with_record
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from preprocessing.gnugo import GnuGo, GnuGoError

_FAR_OFF: Final = 10  # points from the recorded score to a count, above which a record without passes lacks moves


class Case(NamedTuple):
    """A position to score.

    Attributes:
        game: its record.
        position: the position.
        last: whether it is the one after the last move.
        ended: whether the game ends here; see `score_position`.
        assessment: what the model predicts about the position.
        end: the same about the end of a record whose result may imply rules and komi, or show whether its last moves
            are there; None for other records.
    """

    game: GameRecord
    position: Position
    last: bool
    ended: bool | None
    assessment: Assessment
    end: Assessment | None


def score_case(case: Case, model: str, options: ScoreOptions) -> ScoredGame:
    """Return the scored game, by the model of that name."""
    own, chosen = terms_of(case.game, case.end, options.rules, options.komi)
    claims = _claims(case, options)
    count = partial(_count, case, claims, own)
    answer, comparison = _beside_record(case, count(chosen), count, own)
    answer = _judged_by_record(answer, comparison)
    if case.ended is None and _is_far_off(answer, comparison):
        answer, comparison = estimate_without_last_moves(case.assessment, case.position, chosen), None
    return ScoredGame(
        game=case.game,
        move=moves_of(case.game, options),
        position=case.position,
        estimate=answer,
        model=model,
        policy=case.assessment.prediction.policy if case.ended is False else None,
        assumed=assumed_terms(case.game, options.rules, options.komi),
        comparison=comparison,
    )


def refereed(case: Case, scored: ScoredGame, referee: GnuGo, options: ScoreOptions) -> ScoredGame:
    """Return a scored game that ended as GNU Go decides it where it is not safe, or with the reason why it does not."""
    if case.ended is False or scored.estimate.safe:
        return scored
    own, _ = terms_of(case.game, case.end, options.rules, options.komi)
    claims = _claims(case, options)
    try:
        finished, program = referee.finish(case.game), referee.version()
    except GnuGoError as error:
        return replace(scored, undecided=error.detail)

    def count(terms: Terms) -> Estimate:
        answer = _count(case, claims, own, terms)
        return recount(case.position, case.assessment, answer, finished, claims, program)[0]

    answer = scored.estimate
    recounted, alone = recount(case.position, case.assessment, answer, finished, claims, program)
    recounted, comparison = _beside_record(case, recounted, count, own)
    return replace(
        scored,
        estimate=_judged_by_record(recounted, comparison),
        comparison=comparison,
        changed=recounted.dead != answer.dead,
        results=(answer.result, alone.result) if answer.score != alone.score else None,
    )


def _count(case: Case, claims: Claims | None, own: Terms, terms: Terms) -> Estimate:
    """Return the estimate of a position by some terms.

    A game that seems to lack its last moves is counted if by its own terms that gives the recorded score.
    """
    answer = estimate_by(case.assessment, case.position, terms, with_claims(case.ended, claims), claims)
    recorded = case.game.result.score
    if case.end is None or recorded is None or not isinstance(answer, Expectation) or not answer.lacks_moves:
        return answer
    counted = by_own = estimate_by(case.end, case.position, terms, True, None)
    if terms != own:
        by_own = estimate_by(case.end, case.position, own, True, None)
    if not isinstance(counted, Count) or counted.gaps.any() or _with_recorded_moves(by_own, recorded).score != recorded:
        return answer
    return replace(counted, over=False)


def _beside_record(
    case: Case, answer: Estimate, count: Callable[[Terms], Estimate], own: Terms
) -> tuple[Estimate, RecordComparison | None]:
    """Return the estimate with the protective moves of the recorded score, and the comparison with that score.

    Where the caller's terms do not give the recorded score, the count by the record's own is compared with it. None
    unless both are counted, at the end of the game.
    """
    recorded = case.game.result.score
    if recorded is None or not answer.finished or not case.last:
        return answer, None
    answer = by_own = _with_recorded_moves(answer, recorded)
    if answer.score != recorded and answer.terms != own:
        by_own = _with_recorded_moves(count(own), recorded)
    return answer, compare_with_record(case.game, recorded, by_own)


def _with_recorded_moves(answer: Estimate, recorded: float) -> Estimate:
    """Return a count with the protective moves that are left deducted if that gives the recorded score."""
    if not isinstance(answer, Count):
        return answer
    owed = answer.protective_points
    return answer.with_protective_moves() if owed and answer.score - owed == recorded else answer


def _judged_by_record(answer: Estimate, comparison: RecordComparison | None) -> Estimate:
    """Return the estimate; the recorded score confirms a count, or contradicts it if nothing explains the difference.

    It does neither to a count by the players' claims. Without two passes a count with open borders is not confirmed.
    """
    if not isinstance(answer, Count) or comparison is None or answer.claimed:
        return answer
    if not comparison.difference:
        return replace(answer, confirmed=answer.over or not answer.gaps.any())
    if comparison.reason:
        return answer
    return replace(answer, contradicts=(comparison.recorded, comparison.counted))


def _is_far_off(answer: Estimate, comparison: RecordComparison | None) -> bool:
    """Return whether a count contradicts the record, and by so much that the record seems to lack its last moves."""
    if comparison is None or not isinstance(answer, Count) or answer.contradicts is None:
        return False
    return abs(comparison.difference) > _FAR_OFF


def _claims(case: Case, options: ScoreOptions) -> Claims | None:
    return None if options.claims is None else options.claims.on(case.position)


def moves_of(game: GameRecord, options: ScoreOptions) -> int:
    """Return how many moves are played before the position of the options."""
    return len(game.move_points) if options.move is None else options.move
