"""Parquet files of datasets: written whole or not at all, with checksums, and read as their schema has them."""

import io
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from game_datasets.columns import GAMES, SOFT
from game_datasets.file_schema import FileSchema
from game_datasets.parquet_footer import ColumnClaims, column_claims
from game_datasets.rows import DatasetError, Row, unreadable_row
from game_records.game_record import printable
from goban.errors import cut
from runtime.folders import Folder

_OF_TIMINGS: Final = "a Parquet file of timings, as `ownership prepare` writes it"
_SHOWN: Final = 120  # characters of the names of columns
GAMES_A_PORTION: Final = 256  # that a run finishes together, unless a command sets another number
MOST_ROWS: Final = 1 << 16  # of a file
_MOST_VALUES: Final = 1 << 22  # of a column of a group of rows, those of its lists
_MOST_BYTES: Final = 1 << 27  # of a column of a file, unpacked

Datasets = Path | str | Sequence[Path | str]


def shard_names(dataset: Folder, schema: FileSchema = GAMES) -> list[str]:
    """Return the names of a dataset's files in order; raise DatasetError when there are none."""
    names = schema.file_names(dataset)
    if not names:
        is_soft = schema is GAMES and SOFT.file_names(dataset)
        found = "a soft dataset, which is for `ownership train --soft`" if is_soft else "none"
        raise DatasetError(f"{dataset}: expected {schema.folder} with {schema.prefix}-*.parquet files, found {found}")
    return names


def dataset_files(datasets: Datasets, schema: FileSchema = GAMES) -> list[tuple[Folder, str]]:
    """Return folder and name of each file of one or more datasets, in order. A soft dataset is a folder or one file.

    Raises:
        DatasetError: a dataset has none.
    """
    found = []
    for place in listed(datasets):
        head, separator, name = str(place).rpartition("/")
        if schema is SOFT and name.endswith(".parquet"):
            found.append((Folder(head or separator or "."), name))
        else:
            folder = Folder(place)
            found += [(folder, name) for name in shard_names(folder, schema)]
    return found


def is_soft(place: Path | str) -> bool:
    """Return whether a place has a soft dataset, or has a file's name, and not a dataset of games."""
    if str(place).endswith(".parquet"):
        return True
    folder = Folder(place)
    return bool(SOFT.file_names(folder)) and not GAMES.file_names(folder)


def write_shard(dataset: Folder, number: int, rows: Sequence[Row], schema: FileSchema = GAMES) -> None:
    """Write one file so that it is there whole or not at all, then the timings of its rows that have "seconds".

    Args:
        dataset: its folder.
        number: of the file, from 0.
        rows: of games, or with the schema `SOFT` of labelled positions; a column that is left out is null.
        schema: of the rows.

    Texts are written as they can be printed. Raises DatasetError for more rows than a file may have.
    """
    import pyarrow as pa

    if len(rows) > MOST_ROWS:
        raise DatasetError(f"{dataset}: expected at most {MOST_ROWS:,} rows a file. Received: {len(rows):,}")
    table = pa.Table.from_pylist([_printable(row) for row in rows], schema=schema.arrow())
    write_parquet(dataset, schema.file_name(number), [table], schema.dialect)
    if timed := [row for row in rows if "seconds" in row]:
        columns = pa.schema([("source", pa.string()), ("scorer", pa.string()), ("seconds", pa.float32())])
        write_parquet(dataset, timing_name(number), [pa.Table.from_pylist(timed, schema=columns)], {})


def timing_name(number: int) -> str:
    """Return the name of the file with the timings of a shard."""
    return f"timing-{number:05}.parquet"


def _printable(row: Row) -> Row:
    return {name: printable(value) if isinstance(value, str) else value for name, value in row.items()}


def fitted(row: Row) -> Row:
    """Return a game's row, or where a column cannot hold its value that of an unreadable record, which names both."""
    import pyarrow as pa

    for name, column in GAMES.columns.items():
        try:
            pa.array([row.get(name)], column.arrow())
        except (pa.ArrowException, OverflowError, UnicodeError):
            detail = f"{name}: expected {column.arrow()}. Received: {cut(repr(row[name]))}"
            return unreadable_row(row["source"], "unreadable", detail)
    return row


def write_parquet(folder: Folder, name: str, groups: Sequence[Any], dialect: Mapping[str, Any]) -> None:
    """Write Arrow tables as one file with checksums, each a group of its rows, so that it is there whole or not at all.

    `dialect` as for `ParquetWriter`.
    """
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    with pq.ParquetWriter(stream, groups[0].schema, write_page_checksum=True, **dialect) as writer:
        for group in groups:
            writer.write_table(group)
    folder.write(name, stream.getvalue())


def read_shard(dataset: Folder, name: str, columns: Sequence[str] | None = None, schema: FileSchema = GAMES) -> Any:
    """Return one file, or some of its columns, as an Arrow table.

    Raises:
        DatasetError: it cannot be read, or holds what no such file holds.
    """
    import pyarrow as pa

    return pa.concat_tables(shard_groups(dataset, name, columns, schema))


def shard_groups(
    dataset: Folder, name: str, columns: Sequence[str] | None = None, schema: FileSchema = GAMES
) -> Iterator[Any]:
    """Yield what `read_shard` returns, a table for each group of rows of the file; one at least."""
    wanted = list(columns or schema.columns)
    place, row = printable(f"{dataset}/{name}"), 0
    for table in _parquet_groups(dataset, name, [*wanted, *({"side"} - {*wanted})], schema.kind):
        yield schema.checked(table, place, row).select(wanted)
        row += len(table)


def file_metadata(dataset: Folder, name: str) -> Mapping[bytes, bytes]:
    """Return the texts by name that a file of games holds besides its rows; raise DatasetError if it has no footer."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with dataset.open(name) as stream:
            found = pq.ParquetFile(stream, thrift_container_size_limit=MOST_ROWS).schema_arrow.metadata
    except (pa.ArrowException, OSError, ValueError) as error:
        raise DatasetError(
            f"{printable(f'{dataset}/{name}')}: expected {GAMES.kind}. Received: {printable(str(error))}"
        ) from error
    return found or {}


def read_timing(dataset: Folder, name: str, columns: Sequence[str]) -> Any:
    """Return columns of a file of timings as an Arrow table; raise DatasetError when it cannot be read."""
    return read_parquet(dataset, name, columns, _OF_TIMINGS)


def read_parquet(folder: Folder, name: str, columns: Sequence[str], kind: str) -> Any:
    """Return columns of a Parquet file as an Arrow table; pages with a checksum must have it. Values are not looked at.

    Args:
        folder: where the file lies.
        name: its name.
        columns: the names of what is read.
        kind: what such a file holds and which command writes it, for the message.

    Raises:
        DatasetError: it cannot be read, lacks a column or has it twice, has text that is no UTF-8, or is too large.
    """
    import pyarrow as pa

    return pa.concat_tables(_parquet_groups(folder, name, columns, kind))


def _parquet_groups(folder: Folder, name: str, columns: Sequence[str], kind: str) -> Iterator[Any]:
    """Yield what `read_parquet` returns, a table for each group of rows; one at least."""
    import pyarrow as pa

    place = printable(f"{folder}/{name}")
    try:
        data = folder.read(name)
        shard = _opened(data)
        claims = column_claims(shard.metadata)
        fault = _fault(shard.metadata.num_rows, claims) or _fault_of_columns(shard.schema_arrow.names, columns)
        if fault:
            raise DatasetError(f"{place}: expected {kind}, {fault}")
        texts = [field.name for field in shard.schema_arrow if pa.types.is_string(field.type)]
        shard = _opened(data, texts)
        left = dict.fromkeys(texts, _MOST_BYTES)
        for groups in [[group] for group in range(shard.num_row_groups)] or [[]]:
            # Arrow's own threads outlive the call, and now and then abort a process that ends meanwhile.
            table = shard.read_row_groups(groups, columns=list(columns), use_threads=False)
            table.validate(full=True)
            for text in {*texts} & {*table.column_names}:
                left[text] -= _text_bytes(table[text])
                if left[text] < 0:
                    most, size = f"{_MOST_BYTES:,}", f"{_MOST_BYTES - left[text]:,}"
                    raise DatasetError(f"{place}: expected {kind}, of at most {most} bytes a column. Received: {size}")
            yield table.cast(pa.schema([_plain(field) for field in table.schema]))
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, DatasetError):
            raise
        raise DatasetError(f"{place}: expected {kind}. Received: {printable(str(error))}") from error


def _opened(data: bytes, texts: Sequence[str] = ()) -> Any:
    """Return the Parquet file in `data`, of which `texts` are columns to be read as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.ParquetFile(
        pa.BufferReader(data),
        page_checksum_verification=True,
        read_dictionary=list(texts),
        thrift_container_size_limit=MOST_ROWS,
    )


def _text_bytes(column: Any) -> int:
    """Return how many bytes the texts of a column take, each counted as often as it occurs."""
    import pyarrow.compute as pc

    chunks = (pc.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
    return sum(pc.sum(lengths).as_py() or 0 for lengths in chunks)


def _plain(field: Any) -> Any:
    """Return a field of an Arrow table, of texts where it has a dictionary of texts."""
    import pyarrow as pa

    return field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field


def _fault(rows: int, claims: ColumnClaims) -> str:
    """Return a Parquet file's claim of too many values, before anything is read, or ""."""
    limits = (("rows", MOST_ROWS, rows), ("values a column", _MOST_VALUES, claims.values))
    for what, most, claimed in (*limits, ("bytes a column", _MOST_BYTES, claims.unpacked)):
        if claimed > most:
            return f"of at most {most:,} {what}. Received: {claimed:,}"
    return ""


def _fault_of_columns(there: Sequence[str], wanted: Sequence[str]) -> str:
    """Return which of the wanted columns are not there, or there twice, or ""."""
    if missing := [column for column in wanted if column not in there]:
        received = textwrap.shorten(printable(", ".join(there)), _SHOWN, placeholder=" ...") or "none"
        return f"with the columns {', '.join(missing)}. Received: {received}"
    twice = [column for column in wanted if list(there).count(column) > 1]
    return f"with each column once. Received: {', '.join(twice)} twice" if twice else ""


def read_rows(dataset: Folder, name: str) -> list[Row]:
    """Return the rows of one shard; raise DatasetError when it cannot be read."""
    rows: list[Row] = read_shard(dataset, name).to_pylist()
    return rows


def record_sources(datasets: Datasets, ids: Collection[str]) -> dict[str, str]:
    """Return where the records of games were read, by id, an accepted one before its copies.

    Raises:
        DatasetError: a dataset cannot be read.
    """
    accepted: dict[str, str] = {}
    rejected: dict[str, str] = {}
    for folder, name in dataset_files(datasets):
        for row in read_shard(folder, name, ["id", "source", "reason"]).to_pylist():
            if row["id"] in ids:
                (rejected if row["reason"] else accepted).setdefault(row["id"], row["source"])
    return rejected | accepted


def listed(datasets: Datasets) -> list[Path | str]:
    """Return the datasets as a list, also when it is only one."""
    return [datasets] if isinstance(datasets, Path | str) else list(datasets)
