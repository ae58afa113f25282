"""The scores of many games, whose positions are evaluated in batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from game_records.assumed_terms import assumed_terms, possible_terms
from game_records.game_record import GameRecord
from game_records.record_errors import UNUSABLE, BadRecord
from goban.errors import InputError, require_type, wrong_type
from goban.position import Position
from goban.rulesets import Terms, as_ruleset
from ownership.inference.evaluator import AnyEvaluator, Evaluator
from ownership.inference.second_judge import JudgePair, judges
from ownership.scoring.assessment import Assessment, assess, evaluator_or_default, with_claims
from ownership.scoring.captured_groups import captured_stones
from ownership.scoring.counting_terms import ends_after, terms_of
from ownership.scoring.game_case import Case, moves_of, refereed, score_case
from ownership.scoring.scored_game import ScoredGame, ScoreOptions

_CHUNK: Final = 64
_T = TypeVar("_T")

_DEFAULT_OPTIONS: Final = ScoreOptions()


def score_games(
    records: Iterable[GameRecord | BadRecord],
    evaluator: AnyEvaluator | None = None,
    options: ScoreOptions = _DEFAULT_OPTIONS,
) -> Iterator[ScoredGame | BadRecord]:
    """Yield one answer a record, in the order of the records, at most 64 of which are held at a time.

    Args:
        records: from `read_games`; a bad record gives a BadRecord, as does a game that has not the move of the options,
            an impossible position or komi, or a board side that the model does not know.
        evaluator: a model by name or directory, loaded, or an evaluator of your own; None for the default one.
        options: what to score, and how.

    Raises:
        InputError: unknown rules, or claims about a vertex without a stone.
        TypeError: anything but records, or no evaluator.
    """
    require_type(Iterable, "a list of records from read_games", records)
    records, model = iter(records), evaluator_or_default(evaluator)
    if options.rules is not None:
        as_ruleset(options.rules)
    while chunk := list(islice(records, _CHUNK)):
        _check_records(chunk)
        yield from _score_chunk(chunk, model, options)


def score_game(
    record: GameRecord, evaluator: AnyEvaluator | None = None, options: ScoreOptions = _DEFAULT_OPTIONS
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
    record: GameRecord, evaluator: AnyEvaluator | None = None, options: ScoreOptions = _DEFAULT_OPTIONS
) -> Terms:
    """Return the terms by which `score_games` counts a record: the caller's, the record's, or those that it implies.

    Args:
        record: the record.
        evaluator: the model that counts the end of a record with a counted result and open terms, as for `score_games`.
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
    if not isinstance(record, GameRecord) or move is None or 0 <= move <= len(record.move_points):
        return record
    return BadRecord(record.source, "move", f"expected a move number 0..{len(record.move_points)}. Received: {move}")


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


def _score_chunk(
    records: Sequence[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> list[ScoredGame | BadRecord]:
    starts = [_start(record, evaluator, options.move) for record in records]
    found = [start for start in starts if isinstance(start, _Start)]
    scored: dict[int, ScoredGame] = {}
    for side in sorted({start.game.side for start in found}):
        of_side = [start for start in found if start.game.side == side]
        for case, answer in zip(of_side, _score_side(of_side, evaluator, options), strict=True):
            scored[id(case.game)] = answer
    return [scored[id(start.game)] if isinstance(start, _Start) else start for start in starts]


def _score_side(starts: Sequence[_Start], evaluator: Evaluator, options: ScoreOptions) -> list[ScoredGame]:
    """Return the scored games of one board side: by the model, where it is not safe by two, by a search, by GNU Go."""
    cases = _cases(starts, evaluator, options)
    answers = _in_threads(partial(score_case, model=evaluator.name, options=options), cases, evaluator.threads)
    ended = [case.ended is not False for case in cases]
    unsafe = [number for number, each in enumerate(answers) if ended[number] and each.estimate.state == "unsafe"]
    both = judges(evaluator, options.second_judge, starts[0].game.side) if unsafe else None
    if both is not None:
        again = _cases([starts[number] for number in unsafe], both, options)
        by_both = _in_threads(partial(score_case, model=both.name, options=options), again, evaluator.threads)
        for number, case, answer in zip(unsafe, again, by_both, strict=True):
            cases[number], answers[number] = case, answer
    if options.capture_visits:
        for number in unsafe:
            answers[number] = _with_captures(cases[number], answers[number], evaluator, options)
    if options.referee is None:
        return answers
    decide = partial(refereed, referee=options.referee, options=options)
    return _in_threads(lambda each: decide(*each), list(zip(cases, answers, strict=True)), evaluator.threads)


def _with_captures(case: Case, scored: ScoredGame, evaluator: Evaluator, options: ScoreOptions) -> ScoredGame:
    """Return a scored game that is safe if a search captures the dead groups in doubt, else the same one."""
    if scored.estimate.state != "unsafe":
        return scored
    game = case.game.as_game(moves_of(case.game, options))
    captured = captured_stones(evaluator, game, scored.estimate, options.capture_visits)
    if captured is None:
        return scored
    return score_case(case._replace(assessment=case.assessment._replace(captured=captured)), scored.model, options)


def _in_threads(score: Callable[[_T], ScoredGame], cases: Sequence[_T], threads: int) -> list[ScoredGame]:
    if min(len(cases), threads) <= 1:  # to start threads would take longer
        return [score(case) for case in cases]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(score, cases))


def _cases(starts: Sequence[_Start], judge: Evaluator | JudgePair, options: ScoreOptions) -> list[Case]:
    """Return the cases of games of one board side, evaluated in a batch."""
    games, positions = [start.game for start in starts], [start.position for start in starts]
    ended = [ends_after(game, moves_of(game, options)) for game in games]
    asked = [with_claims(each, options.claims) for each in ended]
    assessments = assess(judge, positions, asked, options.symmetries, _first_terms(games, options))
    unclear = [
        game
        for game, each, assessment in zip(games, asked, assessments, strict=True)
        if each is None and not assessment.ended
    ]
    ends = _end_assessments(games, judge, options, unclear)
    last = [moves_of(game, options) == len(game.move_points) for game in games]
    return [Case(*parts) for parts in zip(games, positions, last, ended, assessments, ends, strict=True)]


def _end_assessments(
    games: Sequence[GameRecord], judge: Evaluator | JudgePair, options: ScoreOptions, unclear: Sequence[GameRecord] = ()
) -> list[Assessment | None]:
    """Return the predictions of the model for the end of each record whose result may imply its rules or komi.

    Also for `unclear` ones, which may lack their last moves. None for other records.
    """
    asked = {id(game) for game in unclear}
    chosen = [game for game in games if game.shows_count and (id(game) in asked or assumed_terms(game))]
    ends = [game.position() for game in chosen]
    assessments = assess(judge, ends, [True] * len(ends), options.symmetries, _first_terms(chosen, options))
    found = {id(game): assessment for game, assessment in zip(chosen, assessments, strict=True)}
    return [found.get(id(game)) for game in games]


def _first_terms(games: Sequence[GameRecord], options: ScoreOptions) -> list[Terms]:
    """Return the terms of each game, unless its result excludes them."""
    return [possible_terms(game, options.rules, options.komi)[0] for game in games]
