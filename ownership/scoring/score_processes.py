"""The scores of many games, in a process for each processor."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Final

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from ownership.inference.evaluator import Evaluator, own_evaluator
from ownership.inference.model_catalogue import place_of
from ownership.scoring.score_games import score_games
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from runtime.this_process import processors
from runtime.workers import local_processes

MANY: Final = 256  # records whose scores take longer than to start processes
_TASK: Final = 32  # records that a process scores together


def score_list(
    records: Iterable[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> Iterator[ScoredGame | BadRecord]:
    """Yield the answers of `score_games`; many records are bulk work, for processes that each have the model.

    Threads would wait for each other: what is read out is Python. A few hundred records are held at a time.

    Raises:
        ChildProcessError: a process was killed.
    """
    records = iter(records)
    first = list(islice(records, MANY))
    records = chain(first, records)
    if len(first) < MANY:
        yield from score_games(records, evaluator, options)
        return
    evaluator = evaluator.in_bulk()
    if (count := processors()) == 1:
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
