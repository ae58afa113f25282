"""The scores of many games, in a process for each processor, or on a cluster."""

from collections.abc import Callable, Iterable, Iterator
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
from runtime.workers import Workers, local_processes

MANY: Final = 256  # records whose scores take longer than to start processes
_TASK: Final = 32  # records that a process scores together


def score_list(
    records: Iterable[GameRecord | BadRecord],
    evaluator: Evaluator,
    options: ScoreOptions,
    cluster: Workers | None = None,
) -> Iterator[ScoredGame | BadRecord]:
    """Yield the answers of `score_games`; many records are bulk work, for processes that each have the model.

    Threads would wait for each other: what is read out is Python. A few hundred records are held at a time.

    Args:
        records: from `read_games`.
        evaluator: the model.
        options: what to score, and how.
        cluster: the workers that score the records; None for processes of this machine, one a processor.

    Raises:
        ChildProcessError: a process of this machine was killed.
        InputError: several workers of the cluster died at the same records.
    """
    records = iter(records)
    first = list(islice(records, MANY))
    records = chain(first, records)
    is_bulk = len(first) == MANY
    score = partial(_scored_elsewhere, place=place_of(evaluator.files), options=options, bulk=is_bulk)
    if cluster is not None:
        yield from _in_tasks(cluster, score, records)
    elif not is_bulk:
        yield from score_games(records, evaluator, options)
    elif (count := processors()) == 1:
        yield from score_games(records, evaluator.in_bulk(), options)
    else:
        with local_processes(count) as workers:
            for _ in range(count):
                workers.executor.submit(score, [])  # loads the model
            # what has to be compiled is compiled once, and announced
            yield from score_games(islice(records, _TASK), evaluator.in_bulk(), options)
            yield from _in_tasks(workers, score, records)


_Records = list[GameRecord | BadRecord]
_Answers = list[ScoredGame | BadRecord]


def _in_tasks(
    workers: Workers, score: Callable[[_Records], _Answers], records: Iterator[GameRecord | BadRecord]
) -> Iterator[ScoredGame | BadRecord]:
    for answers in workers.in_order(score, iter(lambda: list(islice(records, _TASK)), [])):
        yield from answers


def _scored_elsewhere(records: _Records, place: str, options: ScoreOptions, bulk: bool) -> _Answers:
    return list(score_games(records, own_evaluator(place, bulk), options))
