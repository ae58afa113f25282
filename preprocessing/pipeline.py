"""Many records in, one dataset out: parallel, resumable, in the order of the input."""

import csv
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from preprocessing.dataset import (
    DatasetError,
    Row,
    accepted_row,
    read_rows,
    read_shard,
    rejected_row,
    shard_path,
    shard_paths,
    unreadable_row,
    write_shard,
)
from preprocessing.record import Game
from preprocessing.sources import BadRecord
from preprocessing.targets import Labeller, Rejected

SHARD_SIZE = 256
_MANIFEST = "dataset.json"
_REJECTED = "rejected.csv"

Counts = Counter[str]
Report = Callable[[Row], None]


@dataclass(frozen=True)
class _Shard:
    """One shard in the making: its rows in order, finished or under way."""

    path: Path
    rows: list[Row | Future[Row]]

    def collect(self, report: Report) -> None:
        """Wait for the rows, reporting each, and write those that are new."""
        finished = []
        for row in self.rows:
            finished.append(row.result() if isinstance(row, Future) else row)
            report(finished[-1])
        if any(isinstance(row, Future) for row in self.rows) or not self.path.exists():
            write_shard(self.path, finished)


@dataclass(frozen=True)
class Pipeline:
    """Labels records and writes them to the dataset folder `output`, one shard of `shard_size` records at a time.

    A shard appears whole or not at all, so a run that was killed goes on with the first missing one. Records keep
    the order of the input; of two games with the same moves, the later one is rejected.
    """

    output: Path
    labeller: Labeller
    executor: Executor
    shard_size: int = SHARD_SIZE

    def run(self, records: Iterable[Game | BadRecord], report: Report = lambda row: None) -> None:
        """Label `records`, calling `report` with each row in order; raise DatasetError for an unusable `output`."""
        self._open()
        seen: dict[str, str] = {}
        waiting: list[_Shard] = []
        for number, chunk in enumerate(_chunks(records, self.shard_size)):
            waiting.append(self._start(shard_path(self.output, number), chunk, seen))
            if len(waiting) > 1:
                waiting.pop(0).collect(report)
        for shard in waiting:
            shard.collect(report)
        _write_rejected(self.output)

    def _open(self) -> None:
        """Make the folder, or check that it was made with the same options."""
        options = {"scorer": self.labeller.scorer, "tolerance": self.labeller.tolerance, "shard_size": self.shard_size}
        manifest = self.output / _MANIFEST
        if manifest.exists():
            found = json.loads(manifest.read_text())
            if found != options:
                raise DatasetError(
                    f"{self.output}: made with {found}, cannot go on with {options}: choose another folder"
                )
            return
        if self.output.exists() and any(path.suffix != ".partial" for path in self.output.iterdir()):
            raise DatasetError(f"{self.output}: expected a new folder or a dataset, found other files")
        self.output.mkdir(parents=True, exist_ok=True)
        partial = manifest.with_suffix(".partial")
        partial.write_text(json.dumps(options, indent=1) + "\n")
        os.replace(partial, manifest)

    def _start(self, path: Path, chunk: list[Game | BadRecord], seen: dict[str, str]) -> _Shard:
        done = {row["source"]: row for row in read_rows(path)} if path.exists() else {}
        rows: list[Row | Future[Row]] = []
        for record in chunk:
            if isinstance(record, BadRecord):
                rows.append(unreadable_row(record.source, record.reason, record.detail))
                continue
            earlier = done.get(record.source)
            if record.id in seen:
                rows.append(rejected_row(record, "duplicate", f"same moves as {seen[record.id]}"))
            elif earlier and earlier["id"] == record.id:
                rows.append(earlier)
            else:
                rows.append(self.executor.submit(label_row, self.labeller, record))
            seen.setdefault(record.id, record.source)
        return _Shard(path, rows)


def label_row(labeller: Labeller, game: Game) -> Row:
    """Return the dataset row of one game, accepted or rejected."""
    try:
        return accepted_row(game, labeller.label(game))
    except Rejected as error:
        return rejected_row(game, error.reason, error.detail)


def count_reasons(dataset: Path) -> Counts:
    """Return how many records of a dataset were accepted, under "", and rejected, by reason."""
    counts = Counts()
    for path in shard_paths(dataset):
        counts.update(read_shard(path, ["reason"])["reason"].to_pylist())
    return counts


def _chunks(records: Iterable[Game | BadRecord], size: int) -> Iterator[list[Game | BadRecord]]:
    stream = iter(records)
    while chunk := list(islice(stream, size)):
        yield chunk


def _write_rejected(dataset: Path) -> None:
    """Write rejected.csv, one line a rejected record, from the shards."""
    partial = dataset / f"{_REJECTED}.partial"
    with partial.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["source", "reason", "detail"])
        for path in sorted(dataset.glob("shard-*.parquet")):
            table = read_shard(path, ["source", "reason", "detail"])
            writer.writerows(tuple(row.values()) for row in table.to_pylist() if row["reason"])
    os.replace(partial, dataset / _REJECTED)
