"""The scores of long lists of games, in as many processes as there are processors."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Final

from ownership.inference.evaluator import Evaluator, own_evaluator
from ownership.scoring.games import ScoredGame, ScoreOptions, score_games
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord
from preprocessing.workers import local_processes, processors

MANY: Final = 256  # records whose scores take longer than to start processes
_CHUNK: Final = 8  # records that a process scores together

_Records = list[GameRecord | BadRecord]
_Answers = list[ScoredGame | BadRecord]


def score_list(
    records: Iterable[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> Iterator[ScoredGame | BadRecord]:
    """Yield the answers of `score_games`; those of many records come from processes, each with the model.

    Threads would wait for each other: what is read out is Python. A few hundred records are held at a time.

    Raises:
        ChildProcessError: a process was killed.
    """
    records, count = iter(records), processors()
    first = list(islice(records, MANY)) if count > 1 else []
    records = chain(first, records)
    if len(first) < MANY:
        yield from score_games(records, evaluator, options)
        return
    score = partial(_scored, place=evaluator.files.place, options=options)
    with local_processes(count) as workers:
        for _ in range(count):
            workers.executor.submit(score, [])  # loads the model
        # what has to be compiled is compiled once, and announced
        yield from score_games(islice(records, _CHUNK), evaluator, options)
        for answers in workers.in_order(score, iter(lambda: list(islice(records, _CHUNK)), [])):
            yield from answers


def _scored(records: _Records, place: str, options: ScoreOptions) -> _Answers:
    return list(score_games(records, own_evaluator(place), options))
