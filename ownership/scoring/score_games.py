"""The scores of many games, whose positions are evaluated in batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_records.assumed_terms import assumed_terms, likeliest_terms, possible_terms
from game_records.game_record import GameRecord
from game_records.record_errors import UNUSABLE, BadRecord
from goban.array_types import Mask, Stones
from goban.chain_kernels import neighbour_table
from goban.coords import EMPTY, pass_point
from goban.counting.claims import Claims
from goban.counting.count_estimate import Count
from goban.counting.count_finished_position import SAFE_DOUBT
from goban.counting.dead_stones import SURE_SURVIVAL
from goban.counting.estimate import Estimate
from goban.counting.expectation import Expectation
from goban.errors import InputError, require_type, shown, wrong_type
from goban.position import Position
from goban.regions import owners
from goban.rulesets import Ruleset, Terms, as_ruleset, require_komi
from ownership.inference.evaluator import Evaluator, own_evaluator
from ownership.inference.model_catalogue import place_of
from ownership.scoring.record_comparison import Comparison, compare
from ownership.scoring.score_position import (
    SYMMETRIES,
    Assessment,
    VertexClaims,
    assess,
    estimate_by,
    estimate_without_last_moves,
    evaluator_or_default,
    with_claims,
)
from preprocessing.gnugo import GnuGo, GnuGoError
from runtime.this_process import processors
from runtime.workers import local_processes

PASSES: Final = 2  # that end a game
MANY: Final = 256  # records whose scores take longer than to start processes
_CHUNK: Final = 64
_TASK: Final = 32  # records that a process scores together
FAR_OFF: Final = 10  # points from the recorded score to a count, above which a record without passes lacks moves
_GNUGO_CERTAINTY: Final = 0.95  # |ownership| of a point that GNU Go decides: certain, but it may still be dame


@dataclass(frozen=True)
class ScoreOptions:
    """What to score, and how.

    Attributes:
        move: the position after so many moves; None for the last.
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
    symmetries: int = SYMMETRIES
    claims: VertexClaims | None = None
    referee: GnuGo | None = None

    def __post_init__(self) -> None:
        if self.komi is not None:
            require_komi(self.komi)
        if isinstance(self.symmetries, bool) or self.symmetries not in (1, SYMMETRIES):
            raise InputError(f"symmetries must be 1 or {SYMMETRIES}. Received: {shown(self.symmetries)}")
        if isinstance(self.move, bool) or not isinstance(self.move, int | None):
            raise wrong_type("move as a whole number", self.move)


_DEFAULT_OPTIONS: Final = ScoreOptions()


@dataclass(frozen=True, eq=False)
class ScoredGame:
    """A position of a game and what it is worth.

    Attributes:
        game: the record.
        moves: moves played before the position.
        position: the position.
        estimate: what it is worth.
        model: the name of the model.
        policy: float32 (N*N + 1), the probability of the next move by flat index, the last being a pass; None where the
            model does not predict it, and at the end.
        changed: bool (N, N), stones that a second opinion gave another status than the model; None without one.
        undecided: why GNU Go, which was asked for a second opinion, gave none; else "".
        results: the results by the model alone and by GNU Go alone, where they differ.
        assumed: which of "rules", "komi" and "handicap" the record leaves open.
        comparison: the count beside the recorded score; None unless both are counted, at the end of the game.
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
    comparison: Comparison | None = None


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


def score_list(
    records: Iterable[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> Iterator[ScoredGame | BadRecord]:
    """Yield the answers of `score_games`; those of many records come from processes, each with the model.

    Threads would wait for each other: what is read out is Python. A few hundred records are held at a time.

    Raises:
        ChildProcessError: a process was killed.
    """
    records = iter(records)
    first = list(islice(records, MANY))
    records = chain(first, records)
    if len(first) < MANY or (count := processors()) == 1:
        yield from score_games(records, evaluator, options)
        return
    score = partial(_scored_elsewhere, place=place_of(evaluator.files), options=options)
    with local_processes(count) as workers:
        for _ in range(count):
            workers.executor.submit(score, [])  # loads the model
        # what has to be compiled is compiled once, and announced
        yield from score_games(islice(records, _TASK), evaluator, options)
        for answers in workers.in_order(score, iter(lambda: list(islice(records, _TASK)), [])):
            yield from answers


def _scored_elsewhere(
    records: list[GameRecord | BadRecord], place: str, options: ScoreOptions
) -> list[ScoredGame | BadRecord]:
    return list(score_games(records, own_evaluator(place), options))


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
    """Return what `score_games` counts a record by: the caller's terms, the record's, or those that it implies.

    Args:
        record: the record.
        evaluator: the model that counts the end of a record with a counted result and open terms; None for the bundled
            one, which is loaded once.
        options: rules and komi, which go before those of the record.
    """
    [end] = _end_assessments([record], evaluator_or_default(evaluator), options)
    return _terms(record, end, options)[1]


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
    ended = [_ended(game, _moves(game, options)) for game in games]
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

    Also for those of which it is unclear whether they end there.
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
    """Return the scored game; GNU Go, if it is the referee, decides what is not safe."""
    own, chosen = _terms(case.game, case.end, options)
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
        return _recount(case, _count(case, claims, own, terms), finished, claims, program)[0]

    answer = scored.estimate
    recounted, alone = _recount(case, answer, finished, claims, program)
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
) -> tuple[Estimate, Comparison | None]:
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
    return answer, compare(case.game, recorded, by_own)


def _with_recorded_moves(answer: Estimate, recorded: float) -> Estimate:
    """Return a count with the protective moves that are left deducted if that gives the recorded score."""
    if not isinstance(answer, Count):
        return answer
    owed = answer.protective_points
    return answer.with_protective_moves() if owed and answer.score - owed == recorded else answer


def _contradicted(answer: Estimate, comparison: Comparison | None) -> Estimate:
    """Return the estimate; it is not safe if it differs from the recorded score, and nothing explains that."""
    if not isinstance(answer, Count) or comparison is None or answer.claimed:
        return answer
    if not comparison.difference or comparison.reason:
        return answer
    return replace(answer, contradicts=(comparison.recorded, comparison.counted))


def _is_far_off(answer: Estimate, comparison: Comparison | None) -> bool:
    """Return whether a count contradicts the record, and by so much that the record seems to lack its last moves."""
    if comparison is None or not isinstance(answer, Count) or answer.contradicts is None:
        return False
    return abs(comparison.difference) > FAR_OFF


def _recount(
    case: _Case, answer: Estimate, finished: NDArray[np.int8], players: Claims | None, program: str
) -> tuple[Estimate, Estimate]:
    """Return the estimate with the status of chains by GNU Go where the model is not sure of it, and by GNU Go alone.

    `answer` is by the model alone; `finished`, int8 (N, N), the stones at the end of GNU Go's play; `program` is its
    name. The players' claims go first. Where a mixture would give a score that neither has, GNU Go decides the whole
    board. The ownership shown stays the model's own, and the count is never called safe.
    """
    owner = owners(finished, np.zeros(finished.shape, np.bool_))
    made = players or Claims(*np.zeros((3, *owner.shape), np.bool_))
    everything = (case.position.stones != EMPTY) & ~made.made
    mixed = _decided_by(case, answer, owner, made, _judged(case.position, answer) & ~made.made)
    alone = _decided_by(case, answer, owner, made, everything)
    recounted = mixed if mixed.score in (answer.score, alone.score) else alone
    if isinstance(recounted, Count):
        of_players = recounted.findings._replace(also_changed=answer.also_changed, ignored=answer.ignored)
        recounted = replace(recounted, findings=of_players)
    models = case.assessment.prediction.ownership
    return replace(recounted, ownership=models, claimed=answer.claimed, second_opinion=program), alone


def _decided_by(case: _Case, answer: Estimate, owner: Stones, made: Claims, judged: Mask) -> Estimate:
    """Return the estimate with judged stones, bool (N, N), and open points, by the owners at the end of other play."""
    stones, prediction = case.position.stones, case.assessment.prediction
    everything = bool(judged[(stones != EMPTY) & ~made.made].all())
    settled = np.where(stones == EMPTY, answer.decided & (not everything), ~judged)
    combined = np.where(settled, prediction.ownership, _GNUGO_CERTAINTY * owner).astype(np.float32)
    dead = stones * case.position.chain_means(owner.astype(np.float32)) < 0
    claims = Claims(made.dead | (judged & dead), made.alive | (judged & ~dead), made.seki)
    blended = case.assessment._replace(prediction=replace(prediction, owners=combined), ended=True, share=0.0)
    return estimate_by(blended, case.position, answer.terms, True, claims)


def _judged(position: Position, answer: Estimate) -> Mask:
    """Return bool (N, N): the chains whose status the model is not sure of, and those that touch them.

    GNU Go's answer about a fight holds as a whole; elsewhere it may have lost stones by a mistake of its own.
    """
    means = np.abs(position.chain_means(answer.ownership))
    unsure = (position.stones != EMPTY) & ((means < SURE_SURVIVAL) | (answer.doubt > SAFE_DOUBT) | answer.unsettled)
    beside = neighbour_table(position.side)[unsure.ravel()]
    ids = position.chain_ids()
    return np.asarray((position.stones != EMPTY) & (unsure | np.isin(ids, ids.ravel()[beside[beside >= 0]])))


def _terms(game: GameRecord, end: Assessment | None, options: ScoreOptions) -> tuple[Terms, Terms]:
    """Return the terms of a record, and those of the count: the caller's where given, else the record's."""
    own = _own_terms(game, end, options)
    komi = own.komi if options.komi is None else options.komi
    return own, Terms(options.rules or own.ruleset, komi, game.handicap)


def _own_terms(game: GameRecord, end: Assessment | None, options: ScoreOptions) -> Terms:
    """Return the terms of a record; what it leaves open is the caller's choice, unless only others fit its result."""
    left_open = assumed_terms(game)
    rules = options.rules if "rules" in left_open else None
    komi = options.komi if "komi" in left_open else None
    candidates = list(dict.fromkeys([*possible_terms(game, rules, komi), *possible_terms(game)]))
    if len(candidates) == 1 or end is None:
        return candidates[0]
    position, ended = game.position(), _ended(game, len(game.moves))
    leads: dict[str, tuple[float, float]] = {}
    for ruleset in {terms.ruleset.name: terms.ruleset for terms in candidates}.values():
        counted = estimate_by(end, position, Terms(ruleset, 0.0, game.handicap), ended, None)
        if isinstance(counted, Count):
            leads[ruleset.name] = (counted.score, counted.score - counted.protective_points)
    return likeliest_terms(candidates, game.result.score, leads)


def _moves(game: GameRecord, options: ScoreOptions) -> int:
    return len(game.moves) if options.move is None else options.move


def _ended(game: GameRecord, moves: int) -> bool | None:
    """Return whether the record ends here with two passes; None if it does so with nothing but a counted result."""
    if moves < len(game.moves):
        return False
    if [int(point) for point in game.moves[-PASSES:]] == PASSES * [pass_point(game.side)]:
        return True
    return None if game.shows_count else False
