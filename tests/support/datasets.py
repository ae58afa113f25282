"""A dataset of one small game, and what datasets hold."""

import subprocess
from pathlib import Path

import numpy as np

from game_datasets.rows import (
    Label,
    Row,
    accepted_row,
    encode_points,
    record_of,
)
from game_datasets.shards import read_rows, shard_names, write_shard
from game_records.sgf import parse_game
from runtime.folders import Folder
from tests.support.waiting import wait_until

RECORD = b"(;GM[1]SZ[5]KM[0.5]RE[B+3.5];B[bb];W[dd];B[bc];W[dc];B[bd];W[db];B[be];W[de];B[ba];W[da];B[];W[];B[];W[])"


def write_dataset(path: Path) -> Path:
    """Write a dataset of one 5x5 game of 14 moves: Black owns 12 points, White 8, 5 are neutral."""
    target = np.repeat(np.array([1, 0, -1], np.int8), (12, 5, 8)).reshape(5, 5)
    game = parse_game(RECORD)
    row = accepted_row(game, Label(target, 3.5, "hand")) | {"split": "train"}
    path.mkdir()
    write_shard(Folder(path), 0, [row])
    return path


def with_passes(row: Row, passes: int) -> Row:
    """Return the row of the same game with more passes at its end and an id of its own."""
    game = record_of(row)
    code = 2 * game.side**2
    more = record_of(row | {"moves": [*row["moves"], *(code + number % 2 for number in range(passes))]})
    return row | {"id": more.id, "moves": encode_points(more.move_points, more.move_colours)}


def rows_of(dataset: Path) -> list[Row]:
    """Return all rows of a dataset."""
    return [row for name in shard_names(Folder(dataset)) for row in read_rows(Folder(dataset), name)]


def shards(dataset: Path) -> dict[str, bytes]:
    """Return the contents of a dataset's shards by their names."""
    return {path.name: path.read_bytes() for path in dataset.glob("shard-*.parquet")}


def wait_for_shards(process: "subprocess.Popen[bytes]", dataset: Path, number: int) -> None:
    """Wait until a program that writes a dataset has written a number of shards."""

    def are_there() -> bool:
        assert process.poll() is None, "ended before it was killed"
        return len(list(dataset.glob("shard-*.parquet"))) >= number

    wait_until(are_there, every=0.005)
