"""Parquet shards of a dataset: written whole or not at all, read column by column."""

import io
from collections.abc import Sequence
from fnmatch import filter as matching
from pathlib import Path
from typing import Any

from preprocessing.dataset.rows import DatasetError, Row, schema
from preprocessing.dataset.validation import checked
from preprocessing.storage import Folder

_DICTIONARY = ["rules", "scorer", "split", "reason", "black_rank", "white_rank", "date", "result", "ending"]
_DIALECT = {"compression": "zstd", "compression_level": 19, "use_dictionary": _DICTIONARY}

Datasets = Path | str | Sequence[Path | str]


def shard_name(number: int) -> str:
    """Return the file name of a dataset's shard by its number, from 0."""
    return f"shard-{number:05}.parquet"


def shard_names(dataset: Folder) -> list[str]:
    """Return the file names of a dataset's shards in order; raise DatasetError when there are none."""
    names = matching(dataset.names(), "shard-*.parquet")
    if not names:
        raise DatasetError(f"{dataset}: expected a dataset folder with shard-*.parquet files, found none")
    return names


def write_shard(dataset: Folder, number: int, rows: Sequence[Row]) -> None:
    """Write one shard, and the timings of its rows that have "seconds", so that it is there whole or not at all."""
    import pyarrow as pa

    timed = [row for row in rows if "seconds" in row]
    if timed:
        columns = pa.schema([("source", pa.string()), ("scorer", pa.string()), ("seconds", pa.float32())])
        dataset.write(f"timing-{number:05}.parquet", _parquet(pa.Table.from_pylist(timed, schema=columns)))
    dataset.write(shard_name(number), _parquet(pa.Table.from_pylist(list(rows), schema=schema()), _DIALECT))


def _parquet(table: Any, dialect: dict[str, Any] | None = None) -> bytes:
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(table, stream, **(dialect or {}))
    return stream.getvalue()


def read_shard(dataset: Folder, name: str, columns: Sequence[str] | None = None) -> Any:
    """Return one shard, or some of its columns, as an Arrow table.

    Raises:
        DatasetError: it cannot be read, or holds what no dataset holds (see `validation`).
    """
    wanted = list(schema().names if columns is None else columns)
    table = _read(dataset, name, [*wanted, *(["side"] if "side" not in wanted else [])])
    return checked(table, f"{dataset}/{name}").select(wanted)


def read_timing(dataset: Folder, name: str, columns: Sequence[str]) -> Any:
    """Return columns of a file of timings as an Arrow table; raise DatasetError when it cannot be read."""
    return _read(dataset, name, columns)


def _read(dataset: Folder, name: str, columns: Sequence[str]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        shard = pq.ParquetFile(pa.BufferReader(dataset.read(name)))
        missing = set(columns) - set(shard.schema_arrow.names)
        if missing:
            raise DatasetError(f"{dataset}/{name}: expected a column {min(missing)}: prepare this dataset again")
        # Arrow's own threads outlive the call, and now and then abort a process that ends meanwhile.
        return shard.read(columns=list(columns), use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"{dataset}/{name}: expected a Parquet shard of a dataset: {error}") from error


def read_rows(dataset: Folder, name: str) -> list[Row]:
    """Return the rows of one shard; raise DatasetError when it cannot be read."""
    rows: list[Row] = read_shard(dataset, name).to_pylist()
    return rows


def listed(datasets: Datasets) -> list[Path | str]:
    """Return the datasets as a list, also when it is only one."""
    return [datasets] if isinstance(datasets, Path | str) else list(datasets)
