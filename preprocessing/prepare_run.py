"""Many records in, one dataset out: parallel, resumable, in the order of the input."""

import csv
import io
import json
import sqlite3
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, as_completed
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from game_datasets.columns import GAMES
from game_datasets.game_filter import EVERY_GAME, GameFilter, Traits
from game_datasets.rows import (
    DatasetError,
    Row,
    accepted_row,
    excluded_row,
    rejected_row,
    unreadable_row,
)
from game_datasets.shards import fitted, read_rows, read_shard, shard_names, write_shard
from game_datasets.splits import settle_splits
from game_records.assumed_terms import with_usual_komi
from game_records.game_record import OPENING, GameRecord
from game_records.record_errors import UNUSABLE, BadRecord
from goban.errors import InputError
from preprocessing.labeller import Labeller, Rejected, truncated
from runtime.csv_cells import inert_cell
from runtime.safe_writing import one_writer
from runtime.storage import Folder
from runtime.workers import Workers

SHARD_SIZE = 256
_MANIFEST = "dataset.json"
_REJECTED = "rejected.csv"
_SHOWN = 80  # characters of an option's value
_AHEAD = 2  # games under way or waiting, for each one that is scored at a time

Report = Callable[[Row], None]
_CACHE_KIB = 1 << 16
_TABLE = """CREATE TABLE games
    (opening INTEGER, moves BLOB, source TEXT NOT NULL, PRIMARY KEY (opening, moves)) WITHOUT ROWID"""
_BESIDE = (
    "SELECT moves, source FROM games WHERE opening = ? AND moves <= ? ORDER BY moves DESC LIMIT 1",
    "SELECT moves, source FROM games WHERE opening = ? AND moves >= ? ORDER BY moves LIMIT 1",
)


class SeenGames:
    """The courses of games, each with the source where it occurred first. Gone when it is closed, as is its file."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._database.execute(_TABLE)
        self._database.execute("BEGIN")  # never committed: a transaction a game would write its changes to the disk

    def first_source(self, course: tuple[str, bytes], source: str) -> str | None:
        """Return where a game of this `GameRecord.course`, or of one that begins it or goes on from it, occurred first.

        None if this is the first time. Of the games that are kept none goes on from another, so that a game which does
        stands beside it in their order.
        """
        opening, moves = int(course[0], 16) - (1 << 63), course[1]
        for query in _BESIDE:
            found = self._database.execute(query, (opening, moves)).fetchone()
            if found and (moves.startswith(found[0]) or found[0].startswith(moves)):
                return str(found[1])
        self._database.execute("INSERT INTO games VALUES (?, ?, ?)", (opening, moves, source))
        return None

    def close(self) -> None:
        """Forget everything."""
        self._database.close()


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
    shard_size: int = SHARD_SIZE

    def run(
        self, records: Iterable[GameRecord | BadRecord], workers: Workers, report: Report = lambda row: None
    ) -> Counter[str]:
        """Label `records`, calling `report` with each finished row; return how many are accepted, by split.

        Raises:
            DatasetError: `output` cannot be used.
        """
        waiting: list[_Shard] = []
        most = 1 + -(-_AHEAD * workers.count // self.shard_size)
        with claim(self.output, self._options()) as written, closing(SeenGames()) as seen:
            for number, chunk in enumerate(_chunks(records, self.shard_size)):
                waiting.append(self._start(number, chunk, seen, workers, GAMES.file_name(number) in written))
                if len(waiting) > most:
                    self._finish(waiting.pop(0), workers, report)
            for shard in waiting:
                self._finish(shard, workers, report)
            write_rejected(self.output)
            return settle_splits(self.output)

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
        self, number: int, chunk: list[GameRecord | BadRecord], seen: SeenGames, workers: Workers, on_disk: bool
    ) -> _Shard:
        """Send the games of a shard to the workers, but for those that need none or that are on disk."""
        written = read_rows(self.output, GAMES.file_name(number)) if on_disk else []
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

    def _finish(self, shard: _Shard, workers: Workers, report: Report) -> None:
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
                write_shard(self.output, shard.number, [finished[number] for number in sorted(finished)])


@contextmanager
def claim(dataset: Folder, options: dict[str, Any]) -> Iterator[set[str]]:
    """Hold a dataset that is new or was made with the same options, and yield the names of its files.

    Raises:
        DatasetError: it is another one.
        InputError: another process holds it.
    """
    with one_writer(dataset.place):
        yield _claimed(dataset, options)


def _claimed(dataset: Folder, options: dict[str, Any]) -> set[str]:
    names = set(dataset.names())
    if _MANIFEST in names:
        found = _read_manifest(dataset)
        if found != options:
            differing = "; ".join(_differences(_as_given(found), _as_given(options)))
            raise DatasetError(f"{dataset}: made with other options: {differing}; choose another folder")
    elif names:
        raise DatasetError(f"{dataset}: expected a new folder or a dataset, found other files")
    else:
        dataset.write(_MANIFEST, (json.dumps(options, indent=1) + "\n").encode())
    return names


def _as_given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a dataset by the names that `ownership prepare` gives them; those of others as they are."""
    if not options.keys() >= {"gnugo", "model", "resigned"}:
        return options
    gnugo, model = options["gnugo"], options["model"]
    given = {
        "--scorer": "model" if gnugo is None else "gnugo" if model is None else "auto",
        "--finish": "resigned" if options["resigned"] else "counted",
        "--tolerance": options.get("tolerance"),
        **{f"--{name.replace('_', '-')}": value for name, value in (gnugo or {}).items()},
        "--model": model,
        **{f"--{name.replace('_', '-')}": value for name, value in (options.get("wanted") or {}).items()},
    }
    named = ("gnugo", "model", "resigned", "tolerance", "wanted")
    return given | {name: value for name, value in options.items() if name not in named}


def _differences(found: dict[str, Any], options: dict[str, Any]) -> Iterator[str]:
    """Yield each option that differs, such as "seed 3 there, 4 here"; groups of options are looked into.

    Another scorer has other options, so that it is the only difference.
    """
    names = dict.fromkeys((*found, *options))
    for name in ["--scorer"] if found.get("--scorer") != options.get("--scorer") else names:
        before, now = found.get(name), options.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            yield from _differences(before, now)
        elif before != now:
            yield f"{name} {_shown(before)} there, {_shown(now)} here"


def _shown(value: object) -> str:
    if isinstance(value, dict):
        text = ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    else:
        text = "none" if value is None else value if isinstance(value, str) else json.dumps(value)
    return textwrap.shorten(text, _SHOWN, placeholder=" ...") or "none"


def _read_manifest(dataset: Folder) -> dict[str, Any]:
    place = f"{dataset}/{_MANIFEST}"
    try:
        found = json.loads(dataset.read(_MANIFEST))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DatasetError(f"{place}: expected the options of a dataset, a JSON object: choose another folder")
    return found


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


def _chunks(records: Iterable[GameRecord | BadRecord], size: int) -> Iterator[list[GameRecord | BadRecord]]:
    stream = iter(records)
    while chunk := list(islice(stream, size)):
        yield chunk


def write_rejected(dataset: Folder) -> None:
    """Write rejected.csv, one line a rejected record, from the shards."""
    columns = ["source", "reason", "recorded_score", "counted_score", "detail"]
    shards = (read_shard(dataset, name, columns).to_pylist() for name in shard_names(dataset))
    rejected = ([row[column] for column in columns] for rows in shards for row in rows if row["reason"])
    dataset.write(_REJECTED, (_csv_line(row) for row in chain([columns], rejected)))


def _csv_line(values: list[str | float | None]) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line).writerow(inert_cell(value) if isinstance(value, str) else value for value in values)
    return line.getvalue().encode()
