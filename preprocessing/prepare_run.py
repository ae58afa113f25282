"""Many records in, one dataset out: parallel, resumable, in the order of the input."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, as_completed
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from game_datasets.game_filter import EVERY_GAME, GameFilter, Traits
from game_datasets.manifest import claim
from game_datasets.portions import Portions
from game_datasets.rejected_csv import write_rejected
from game_datasets.rows import (
    DatasetError,
    Row,
    accepted_row,
    excluded_row,
    rejected_row,
    unreadable_row,
)
from game_datasets.shards import GAMES_A_PORTION, fitted
from game_datasets.splits import settle_splits
from game_records.assumed_terms import with_usual_komi
from game_records.game_identity import OPENING
from game_records.game_record import GameRecord
from game_records.record_errors import UNUSABLE, BadRecord
from game_records.record_files import RawRecord
from game_records.record_sources import parsed, raw_records
from goban.errors import InputError
from preprocessing.labeller import Labeller, truncated
from preprocessing.rejection_reasons import Rejected
from preprocessing.seen_games import SeenGames
from runtime.folders import Folder
from runtime.workers import Workers

_PARSED = 64  # records that a worker parses together
_AHEAD = 2  # games under way or waiting, for each one that is scored at a time

Report = Callable[[Row], None]


@dataclass(frozen=True)
class _Shard:
    """One shard in the making: its rows in order, finished or under way; `on_disk` if nothing about it is new."""

    number: int
    rows: list[Row | Future[Row]]
    games: list[GameRecord | BadRecord]
    on_disk: bool


@dataclass(frozen=True)
class Pipeline:
    """Labels records and writes them to the dataset folder `output`, one shard of `shard_size` records at a time.

    An interruption leaves the finished games of a shard, and one that kills the process all whole shards; the next run
    goes on from there. Records keep the order of the input; of two copies of a game, the later one is
    rejected. What is in a whole shard depends on neither the number of workers nor their speed.
    """

    output: Folder
    labeller: Labeller
    wanted: GameFilter = EVERY_GAME
    shard_size: int = GAMES_A_PORTION

    def run(
        self, records: Iterable[GameRecord | BadRecord], workers: Workers, report: Report = lambda row: None
    ) -> Counter[str]:
        """Label `records`, calling `report` with each finished row; return how many are accepted, by split.

        Raises:
            DatasetError: `output` cannot be used.
        """
        waiting: list[_Shard] = []
        most = 1 + -(-_AHEAD * workers.count // self.shard_size)
        with claim(self.output, self._options()), closing(SeenGames()) as seen:
            portions = Portions(self.output)
            for number, chunk in enumerate(_chunks(records, self.shard_size)):
                waiting.append(self._start(number, chunk, seen, workers, portions))
                if len(waiting) > most:
                    self._finish(waiting.pop(0), workers, portions, report)
            for shard in waiting:
                self._finish(shard, workers, portions, report)
            write_rejected(self.output)
            splits = settle_splits(self.output, portions)
            portions.join()
            return splits

    def _options(self) -> dict[str, Any]:
        gnugo, model = self.labeller.gnugo, self.labeller.model
        return {
            "gnugo": gnugo and {name: getattr(gnugo, name) for name in ("time_limit", "memory_limit", "level")},
            "model": model and model.name,
            "tolerance": self.labeller.tolerance,
            "resigned": self.labeller.resigned,
            "wanted": self.wanted.describe(),
            "shard_size": self.shard_size,
            "opening": OPENING,
        }

    def _start(
        self, number: int, chunk: list[GameRecord | BadRecord], seen: SeenGames, workers: Workers, portions: Portions
    ) -> _Shard:
        """Send the games of a shard to the workers, but for those that need none or that are on disk."""
        written = portions.rows(number)
        self._check_same(written, chunk)
        done = {(row["source"], row["id"]): row for row in written}
        rows: list[Row | Future[Row]] = []
        for record in chunk:
            if isinstance(record, BadRecord):
                rows.append(unreadable_row(record.source, record.reason, record.detail))
                continue
            row = self._refused_row(record, seen) or done.get((record.source, record.id))
            rows.append(row or workers.executor.submit(label_row, self.labeller, record))
        unchanged = len(written) == len(rows) and not any(isinstance(row, Future) for row in rows)
        return _Shard(number, rows, chunk, unchanged)

    def _check_same(self, written: list[Row], chunk: list[GameRecord | BadRecord]) -> None:
        """Raise DatasetError when an accepted game of a shard would be lost."""
        sources = {record.source for record in chunk}
        if lost := [row["source"] for row in written if not row["reason"] and row["source"] not in sources]:
            raise DatasetError(
                f"{self.output}: made from other records or in another order: {lost[0]} is there; choose another folder"
            )

    def _refused_row(self, game: GameRecord, seen: SeenGames) -> Row | None:
        """Return the row of a game that need not be sent to a worker, else None."""
        if game.illegal_move:
            reason = "bad move" if game.illegal_move.reason == "off board" else "illegal move"
            return unreadable_row(game.source, reason, str(game.illegal_move))
        if game.broken_off and not self.labeller.may_confirm(game):
            return unreadable_row(game.source, *truncated(game))
        if refusal := self.wanted.refusal(Traits.of(game)):
            return excluded_row(game, "filtered", refusal)
        if refused := self.labeller.refusal(game):
            return rejected_row(game, *refused)
        labelled = label_row(self.labeller, game) if game.broken_off else None
        if labelled is not None and labelled["reason"]:
            return labelled  # a whole copy of the game may come later
        if earlier := seen.first_source(game.course, game.source):
            return excluded_row(game, "duplicate", f"the game of {earlier}")
        return labelled

    def _finish(self, shard: _Shard, workers: Workers, portions: Portions, report: Report) -> None:
        """Wait for the rows of a shard, reporting each as it is finished, and write it unless it is there."""
        finished = {number: fitted(row) for number, row in enumerate(shard.rows) if not isinstance(row, Future)}
        under_way = {row: number for number, row in enumerate(shard.rows) if isinstance(row, Future)}
        for row in finished.values():
            report(row)
        try:
            for future in as_completed(under_way):
                number = under_way[future]
                finished[number] = fitted(_result(future, shard.games[number], workers))
                report(finished[number])
        finally:
            if finished and not shard.on_disk:
                portions.write(shard.number, [finished[number] for number in sorted(finished)])


def _result(row: Future[Row], record: GameRecord | BadRecord, workers: Workers) -> Row:
    try:
        return row.result()
    except workers.losses as error:
        assert isinstance(record, GameRecord)
        return rejected_row(record, "worker died", " ".join(str(error).split()))


def label_row(labeller: Labeller, game: GameRecord) -> Row:
    """Return the dataset row of one game, accepted or rejected, with the wall time that it took as "seconds".

    A komi of 0 that the recorded score excludes is replaced by the usual one.
    """
    started = time.monotonic()
    game = with_usual_komi(game)
    try:
        row = accepted_row(game, labeller.label(game))
    except Rejected as error:
        row = rejected_row(game, error.reason, error.detail, error.counted)
    except InputError as error:
        row = rejected_row(game, UNUSABLE, str(error))
    return row | {"seconds": time.monotonic() - started}


def read_on(
    workers: Workers, sources: Iterable[str | Path], limit: int | None = None
) -> Iterator[GameRecord | BadRecord]:
    """Return the first records of `read_games`: this process reads their bytes, workers parse and hash the games."""
    raw = islice(raw_records(sources), limit)
    return chain.from_iterable(workers.in_order(_parsed, iter(lambda: list(islice(raw, _PARSED)), [])))


def _parsed(records: list[RawRecord | BadRecord]) -> list[GameRecord | BadRecord]:
    """Return the games of some records, with the hashes that the run needs."""
    games = [parsed(record) for record in records]
    for game in games:
        if isinstance(game, GameRecord) and not game.illegal_move:
            game.id, game.course  # noqa: B018 - a game keeps them
    return games


def _chunks(records: Iterable[GameRecord | BadRecord], size: int) -> Iterator[list[GameRecord | BadRecord]]:
    stream = iter(records)
    while chunk := list(islice(stream, size)):
        yield chunk
