"""The table of a dataset's rejected records, rejected.csv."""

import csv
import io
from itertools import chain
from typing import Final

from game_datasets.shards import read_shard, shard_names
from runtime.csv_cells import inert_cell
from runtime.folders import Folder

_REJECTED: Final = "rejected.csv"


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
