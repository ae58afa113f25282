"""Parquet files that are made to do harm end in one line, and little of them is read."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from game_datasets.columns import GAMES, SOFT
from game_datasets.load_table import load_games
from game_datasets.rows import DatasetError
from game_datasets.shards import MOST_ROWS, read_shard, write_shard
from runtime.folders import Folder
from tests.support.datasets import rows_of, write_dataset
from tests.support.memory import refused
from tests.support.soft import soft_row

SHARD = GAMES.file_name(0)


def rows_of_nothing(path: Path) -> None:
    """Write 20 million rows without values, a part at a time."""
    part = pa.table({name: pa.nulls(1 << 18, column.arrow()) for name, column in GAMES.columns.items()})
    with pq.ParquetWriter(path, GAMES.arrow(), compression="zstd") as writer:
        for _ in range(80):
            writer.write_table(part)


def a_long_game(path: Path) -> None:
    """Write a game of 10 million moves."""
    [row] = rows_of(write_dataset(path.parent / "other"))
    table = pa.Table.from_pylist([row | {"moves": None}], schema=GAMES.arrow())
    moves = pa.ListArray.from_arrays([0, 10_000_000], pa.repeat(pa.scalar(50, pa.int16()), 10_000_000))
    table = table.set_column(table.column_names.index("moves"), GAMES.arrow().field("moves"), moves)
    pq.write_table(table, path, compression="zstd")


def a_column_twice(path: Path) -> None:
    table = pa.Table.from_pylist(rows_of(write_dataset(path.parent / "other")), schema=GAMES.arrow())
    pq.write_table(table.append_column("moves", table["moves"]), path)


def names_of_columns(path: Path) -> None:
    pq.write_table(pa.table({"\x1b[2J": [1]}), path)


def a_large_text(path: Path) -> None:
    [row] = rows_of(write_dataset(path.parent / "other"))
    table = pa.Table.from_pylist([row | {"detail": "x" * ((1 << 27) + 1)}], schema=GAMES.arrow())
    pq.write_table(table, path, compression="zstd", use_dictionary=False)


def a_text_of_many_rows(path: Path) -> None:
    """Write 60,000 rows with one text of 10,000 letters, which the file holds once."""
    [row] = rows_of(write_dataset(path.parent / "other"))
    small = dict.fromkeys(("moves", "setup", "target"))
    table = pa.Table.from_pylist(60_000 * [row | small | {"source": ""}], schema=GAMES.arrow())
    sources = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), 60_000), ["x" * 10_000])
    table = table.set_column(table.column_names.index("source"), "source", sources)
    pq.write_table(table, path, compression="zstd", store_schema=False)


HOSTILE: dict[str, tuple[Callable[[Path], None], str]] = {
    "rows of nothing": (rows_of_nothing, "of at most 65,536 rows. Received: 20,971,520"),
    "a long game": (a_long_game, "of at most 4,194,304 values a column. Received: 10,000,000"),
    "a large text": (a_large_text, "of at most 134,217,728 bytes a column. Received: 134,217,"),
    "a text of many rows": (a_text_of_many_rows, "of at most 134,217,728 bytes a column. Received: 600,000,000"),
    "a column twice": (a_column_twice, "with each column once. Received: moves twice"),
    "names of columns": (names_of_columns, "Received: \ufffd[2J"),
}


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_a_line_within_its_memory_and_time(name: str, tmp_path: Path) -> None:
    write, message = HOSTILE[name]
    (tmp_path / "games").mkdir()
    write(tmp_path / "games" / SHARD)
    line = refused("compare", tmp_path / "games", tmp_path / "games")
    assert line.startswith(f"ownership: error: {tmp_path}/games/{SHARD}: expected a Parquet file of games")
    assert message in line


@pytest.mark.parametrize("field", ["source", "result", "black_rank", "date", "scorer", "detail"])
def test_texts_are_written_and_read_as_they_can_be_printed(field: str, tmp_path: Path) -> None:
    games = write_dataset(tmp_path / "games")
    [row] = rows_of(games)
    hostile = row | {field: "\x1b[31mB+3.5"}
    write_shard(Folder(games), 0, [hostile])
    assert rows_of(games)[0][field] == "\ufffd[31mB+3.5"
    pq.write_table(pa.Table.from_pylist([hostile], schema=GAMES.arrow()), games / SHARD)
    with pytest.raises(DatasetError, match=rf"row 0: {field}: expected a text that can be printed\. Received: '.x1b"):
        read_shard(Folder(games), SHARD)


def test_a_soft_file_is_bounded_too(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [soft_row(5, 1)]
    with pytest.raises(DatasetError, match=r"expected at most 65,536 rows a file\. Received: 65,537"):
        write_shard(Folder(tmp_path), 0, rows * (MOST_ROWS + 1), SOFT)


def test_a_game_whose_moves_were_changed_is_refused(tmp_path: Path) -> None:
    games = write_dataset(tmp_path / "games")
    [row] = rows_of(games)
    write_shard(Folder(games), 0, [row | {"moves": [*row["moves"][:-1], 51 - row["moves"][-1] % 2]}])
    with pytest.raises(DatasetError, match="row 0: moves: expected the moves that the id of the row is a hash of"):
        load_games(games)
