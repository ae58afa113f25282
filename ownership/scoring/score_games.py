"""The scores of many games, whose positions are evaluated in batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_records.assumed_terms import assumed_terms, possible_terms
from game_records.game_record import GameRecord
from game_records.record_errors import UNUSABLE, BadRecord
from goban.array_types import Mask
from goban.counting.claims import Claims
from goban.counting.count_estimate import Count
from goban.counting.estimate import Estimate
from goban.counting.expectation import Expectation
from goban.errors import InputError, require_type, shown, wrong_type
from goban.position import Position
from goban.rulesets import Ruleset, Terms, as_ruleset, require_komi
from ownership.inference.evaluator import Evaluator
from ownership.scoring.assessment import (
    SCORE_SYMMETRIES,
    Assessment,
    assess,
    estimate_by,
    estimate_without_last_moves,
    evaluator_or_default,
    with_claims,
)
from ownership.scoring.counting_terms import ends_after, terms_of
from ownership.scoring.gnugo_recount import recount
from ownership.scoring.record_comparison import RecordComparison, compare_with_record
from ownership.scoring.vertex_claims import VertexClaims
from preprocessing.gnugo import GnuGo, GnuGoError

_CHUNK: Final = 64
_FAR_OFF: Final = 10  # points from the recorded score to a count, above which a record without passes lacks moves


@dataclass(frozen=True)
class ScoreOptions:
    """The choices of a score.

    Attributes:
        move: moves played before the position; None for all of the game.
        rules: a ruleset, or its name in any spelling; None for the record's, or what such a record means.
        komi: points for White; None for the record's, or what such a record means.
        symmetries: 1 or 8, averaged over.
        claims: the players' claims about chains.
        referee: plays games that ended, but are not safe to count, to the end, and decides about the chains of which
            the model is not sure.

    Raises:
        InputError: a komi that is not -400 to 400, or other symmetries.
        TypeError: a move or a komi that is no number.
    """

    move: int | None = None
    rules: Ruleset | str | None = None
    komi: float | None = None
    symmetries: int = SCORE_SYMMETRIES
    claims: VertexClaims | None = None
    referee: GnuGo | None = None

    def __post_init__(self) -> None:
        if self.komi is not None:
            require_komi(self.komi)
        if isinstance(self.symmetries, bool) or self.symmetries not in (1, SCORE_SYMMETRIES):
            raise InputError(f"symmetries must be 1 or {SCORE_SYMMETRIES}. Received: {shown(self.symmetries)}")
        if isinstance(self.move, bool) or not isinstance(self.move, int | None):
            raise wrong_type("move as a whole number", self.move)


_DEFAULT_OPTIONS: Final = ScoreOptions()


@dataclass(frozen=True, eq=False)
class ScoredGame:
    """A position of a game and its estimate.

    Attributes:
        game: the record.
        moves: moves played before the position.
        position: the position.
        estimate: its count or expectation.
        model: the name of the model.
        policy: float32 (N*N + 1), the probability of the next move by flat index, the last being a pass; None where the
            model does not predict it, and at the end.
        changed: bool (N, N), stones that a second opinion gave another status than the model; None without one.
        undecided: why GNU Go, which was asked for a second opinion, gave none; else "".
        results: the results by the model alone and by GNU Go alone, where they differ.
        assumed: which of "rules", "komi" and "handicap" the record leaves open.
        comparison: the count compared with the recorded score; None unless both are counted, at the end of the game.
    """

    game: GameRecord
    moves: int
    position: Position
    estimate: Estimate
    model: str
    policy: NDArray[np.float32] | None = None
    changed: Mask | None = None
    undecided: str = ""
    results: tuple[str, str] | None = None
    assumed: tuple[str, ...] = ()
    comparison: RecordComparison | None = None


def score_games(
    records: Iterable[GameRecord | BadRecord],
    evaluator: Evaluator | None = None,
    options: ScoreOptions = _DEFAULT_OPTIONS,
) -> Iterator[ScoredGame | BadRecord]:
    """Yield one answer a record, in the order of the records, at most 64 of which are held at a time.

    Args:
        records: from `read_games`; a bad record gives a BadRecord, as does a game that has not the move of the options,
            an impossible position or komi, or a board side that the model does not know.
        evaluator: the model; None for the bundled one, which is loaded once.
        options: what to score, and how.

    Raises:
        InputError: unknown rules, or claims about a vertex without a stone.
        TypeError: anything but records, or an evaluator of another type.
    """
    require_type(Iterable, "a list of records from read_games", records)
    records, model = iter(records), evaluator_or_default(evaluator)
    if options.rules is not None:
        as_ruleset(options.rules)
    while chunk := list(islice(records, _CHUNK)):
        _check_records(chunk)
        yield from _score_chunk(chunk, model, options)


def score_game(
    record: GameRecord, evaluator: Evaluator | None = None, options: ScoreOptions = _DEFAULT_OPTIONS
) -> ScoredGame:
    """Return the answer of `score_games` about one record; raise InputError if it has no such move."""
    [answer] = score_games([record], evaluator, options)
    return usable(answer)


def usable(answer: ScoredGame | BadRecord) -> ScoredGame:
    """Return a scored game; raise InputError for a record that cannot be scored."""
    if isinstance(answer, BadRecord):
        raise InputError(str(answer))
    return answer


def record_terms(
    record: GameRecord, evaluator: Evaluator | None = None, options: ScoreOptions = _DEFAULT_OPTIONS
) -> Terms:
    """Return the terms by which `score_games` counts a record: the caller's, the record's, or those that it implies.

    Args:
        record: the record.
        evaluator: the model that counts the end of a record with a counted result and open terms; None for the bundled
            one, which is loaded once.
        options: rules and komi, which override the record's.
    """
    [end] = _end_assessments([record], evaluator_or_default(evaluator), options)
    return terms_of(record, end, options.rules, options.komi)[1]


def _check_records(records: Sequence[object]) -> None:
    for each in records:
        if not isinstance(each, GameRecord | BadRecord):
            raise wrong_type("records from read_games", each)


def with_move(record: GameRecord | BadRecord, move: int | None) -> GameRecord | BadRecord:
    """Return the record, or a BadRecord for a game that has no such move."""
    if not isinstance(record, GameRecord) or move is None or 0 <= move <= len(record.moves):
        return record
    return BadRecord(record.source, "move", f"expected a move number 0..{len(record.moves)}. Received: {move}")


class _Start(NamedTuple):
    """A game and its position to score."""

    game: GameRecord
    position: Position


def _start(record: GameRecord | BadRecord, evaluator: Evaluator, move: int | None) -> _Start | BadRecord:
    """Return the game and its position, or a BadRecord.

    Bad are also a game without the move, with an impossible position or komi, and one that the model refuses.
    """
    checked = with_move(record, move)
    if isinstance(checked, BadRecord):
        return checked
    try:
        evaluator.files.require_side(checked.side)
        possible_terms(checked)
        end = checked.position()
        return _Start(checked, end if move is None else checked.position(move))
    except InputError as error:
        return BadRecord(checked.source, UNUSABLE, str(error))


class _Case(NamedTuple):
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


def _score_chunk(
    records: Sequence[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> list[ScoredGame | BadRecord]:
    starts = [_start(record, evaluator, options.move) for record in records]
    found = [start for start in starts if isinstance(start, _Start)]
    scored: dict[int, ScoredGame] = {}
    for side in sorted({start.game.side for start in found}):
        cases = _cases([start for start in found if start.game.side == side], evaluator, options)
        score = partial(_score, model=evaluator.name, options=options)
        if min(len(cases), evaluator.threads) == 1:  # to start threads would take longer
            scored |= {id(case.game): score(case) for case in cases}
            continue
        with ThreadPoolExecutor(evaluator.threads) as pool:
            scored |= {id(answer.game): answer for answer in pool.map(score, cases)}
    return [scored[id(start.game)] if isinstance(start, _Start) else start for start in starts]


def _cases(starts: list[_Start], evaluator: Evaluator, options: ScoreOptions) -> list[_Case]:
    """Return the cases of games of one board side, evaluated in a batch."""
    games, positions = [start.game for start in starts], [start.position for start in starts]
    ended = [ends_after(game, _moves(game, options)) for game in games]
    asked = [with_claims(each, options.claims) for each in ended]
    assessments = assess(evaluator, positions, asked, options.symmetries, _first_terms(games, options))
    unclear = [
        game
        for game, each, assessment in zip(games, asked, assessments, strict=True)
        if each is None and not assessment.ended
    ]
    ends = _end_assessments(games, evaluator, options, unclear)
    last = [_moves(game, options) == len(game.moves) for game in games]
    return [_Case(*parts) for parts in zip(games, positions, last, ended, assessments, ends, strict=True)]


def _end_assessments(
    games: list[GameRecord], evaluator: Evaluator, options: ScoreOptions, unclear: Sequence[GameRecord] = ()
) -> list[Assessment | None]:
    """Return the predictions of the model for the end of each record whose result may imply its rules or komi.

    Also for `unclear` ones, which may lack their last moves. None for other records.
    """
    asked = {id(game) for game in unclear}
    chosen = [game for game in games if game.shows_count and (id(game) in asked or assumed_terms(game))]
    ends = [game.position() for game in chosen]
    assessments = assess(evaluator, ends, [True] * len(ends), options.symmetries, _first_terms(chosen, options))
    found = {id(game): assessment for game, assessment in zip(chosen, assessments, strict=True)}
    return [found.get(id(game)) for game in games]


def _first_terms(games: Sequence[GameRecord], options: ScoreOptions) -> list[Terms]:
    """Return the terms of each game, unless its result excludes them."""
    return [possible_terms(game, options.rules, options.komi)[0] for game in games]


def _score(case: _Case, model: str, options: ScoreOptions) -> ScoredGame:
    """Return the scored game; GNU Go, if it is the referee, decides about counts that are not safe."""
    own, chosen = terms_of(case.game, case.end, options.rules, options.komi)
    claims = None if options.claims is None else options.claims.on(case.position)
    count = partial(_count, case, claims, own)
    answer, comparison = _beside_record(case, count(chosen), count, own)
    answer = _contradicted(answer, comparison)
    if case.ended is None and _is_far_off(answer, comparison):
        answer, comparison = estimate_without_last_moves(case.assessment, case.position, chosen), None
    scored = ScoredGame(
        game=case.game,
        moves=_moves(case.game, options),
        position=case.position,
        estimate=answer,
        model=model,
        policy=case.assessment.prediction.policy if case.ended is False else None,
        assumed=assumed_terms(case.game, options.rules, options.komi),
        comparison=comparison,
    )
    if options.referee is None or case.ended is False or answer.safe:
        return scored
    return _decided(case, scored, claims, options.referee, own)


def _decided(case: _Case, scored: ScoredGame, claims: Claims | None, referee: GnuGo, own: Terms) -> ScoredGame:
    """Return the scored game as GNU Go decides it, or with the reason why it does not."""
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
        estimate=recounted,
        comparison=comparison,
        changed=recounted.dead != answer.dead,
        results=(answer.result, alone.result) if answer.score != alone.score else None,
    )


def _count(case: _Case, claims: Claims | None, own: Terms, terms: Terms) -> Estimate:
    """Return the estimate of a position by some terms.

    A game that seems to lack its last moves is counted if by its own terms that gives the recorded score; such a count
    is never safe.
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
    case: _Case, answer: Estimate, count: Callable[[Terms], Estimate], own: Terms
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


def _contradicted(answer: Estimate, comparison: RecordComparison | None) -> Estimate:
    """Return the estimate; it is not safe if it differs from the recorded score, and nothing explains that."""
    if not isinstance(answer, Count) or comparison is None or answer.claimed:
        return answer
    if not comparison.difference or comparison.reason:
        return answer
    return replace(answer, contradicts=(comparison.recorded, comparison.counted))


def _is_far_off(answer: Estimate, comparison: RecordComparison | None) -> bool:
    """Return whether a count contradicts the record, and by so much that the record seems to lack its last moves."""
    if comparison is None or not isinstance(answer, Count) or answer.contradicts is None:
        return False
    return abs(comparison.difference) > _FAR_OFF


def _moves(game: GameRecord, options: ScoreOptions) -> int:
    return len(game.moves) if options.move is None else options.move
