"""python -m benchmarks.bench_scale [--games N ...] [FILE ...]

Training on many games: games read, positions drawn by the sampler, and positions indexed for `--unseen`, each in a
second of a core, and with the most memory of its own that the process holds, which what it maps from files is no part
of. The games are real ones, and copies of them whose first moves come in another order. A million takes some minutes,
and 5 GB in the folder of temporary files.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import psutil

from benchmarks.bench_sampler import row_of
from benchmarks.command import exit_with, parser_of
from benchmarks.games import add_games, read
from game_datasets.arrow_to_numpy import list_column
from game_datasets.columns import GAMES
from game_datasets.evaluation_positions import evaluation_positions
from game_datasets.load_table import load_games
from game_datasets.position_overlap import learned_keys
from game_datasets.rows import decode_points
from game_datasets.sampler import Sampler
from game_datasets.shards import write_parquet
from game_records.game_identity import game_id
from game_records.game_record import GameRecord
from planes.feature_sets import FEATURE_SETS
from runtime.folders import Folder

_GAMES: Final = [10_000, 100_000]
_REAL: Final = 1000
_A_FILE: Final = 10_000
_SHUFFLED: Final = 16  # first moves
_BATCH, _BATCHES = 256, 200
_EVERY: Final = 0.01  # seconds between looks at the memory
_MIB: Final = 1 << 20


def main() -> int:
    """Print a line for each number of games."""
    parser = parser_of("benchmarks.bench_scale", __doc__)
    numbers = [10_000, 100_000]
    parser.add_argument(
        "--games", type=int, nargs="+", default=numbers, metavar="N", help="games (default: %(default)s)"
    )
    parser.add_argument("--measure", type=Path, metavar="DATASET", help="measure on a dataset instead")
    add_games(parser, "tygem-counted-2009-05.zip")
    arguments = parser.parse_args()
    if arguments.measure:
        print(_measured(arguments.measure))
        return 0
    games = read(arguments.files, _REAL)
    for number in arguments.games:
        with TemporaryDirectory() as folder:
            write_copies(Folder(folder), games, number)
            command = [sys.executable, "-m", "benchmarks.bench_scale", "--measure", folder]
            line = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
            print(f"{number:>10,} games: {line}", flush=True)
    return 0


def write_copies(dataset: Folder, games: Sequence[GameRecord], number: int) -> None:
    """Write a dataset of `number` games, copies of these in turns."""
    import pyarrow as pa

    rows = pa.Table.from_pylist([row_of(game) for game in games], schema=GAMES.arrow())
    for shard, start in enumerate(range(0, number, _A_FILE)):
        chosen = np.arange(start, min(start + _A_FILE, number))
        copies = _shuffled(rows.take(chosen % len(games)), np.random.default_rng(start))
        write_parquet(dataset, GAMES.file_name(shard), [copies], {"compression": "zstd"})


def _shuffled(rows: Any, random: np.random.Generator) -> Any:
    """Return rows of games in which the first moves of each player come in another order, with the ids of these."""
    import pyarrow as pa

    moves, setup = (list_column(rows, name) for name in ("moves", "setup"))
    codes = moves.values.copy()
    for player in (0, 1):
        places = moves.offset[:-1, np.newaxis] + np.arange(player, _SHUFFLED, 2)
        codes[places] = random.permuted(codes[places], axis=1)
    ids = []
    for row, side in enumerate(rows["side"].to_pylist()):
        points, colours = decode_points(codes[moves.offset[row] : moves.offset[row + 1]])
        stones = np.zeros(side * side, np.int8)
        placed, owner = decode_points(setup.values[setup.offset[row] : setup.offset[row + 1]])
        stones[placed] = owner
        ids.append(game_id(side, stones, points, colours))
    lists = pa.ListArray.from_arrays(moves.offset.astype(np.int32), codes)
    for name, column in (("id", pa.array(ids)), ("moves", lists)):
        rows = rows.set_column(rows.column_names.index(name), name, column)
    return rows


def _measured(dataset: Path) -> str:
    """Return what is measured, in a line."""
    with _OwnMemory() as memory:
        start = time.process_time()
        table, held_out = (load_games(dataset, split) for split in ("train", "validation"))
        table.fingerprint, held_out.fingerprint  # noqa: B018 - a training names its games by these
        loaded = _per_second(len(table) + len(held_out), "games", start, memory)
        sampler = Sampler(table, FEATURE_SETS["tactical"], _BATCH, seed=1, workers=2)
        sampler.batch(0)
        with closing(sampler.iterate()) as batches:
            for _ in islice(batches, _BATCHES // 4):
                pass
            start = time.process_time()
            for _ in islice(batches, _BATCHES):
                pass
        evaluation_positions(held_out)
        sampled = _per_second(_BATCH * _BATCHES, "positions", start, memory)
        del sampler, table, held_out
        start = time.process_time()
        indexed = _per_second(len(learned_keys(dataset)), "indexed", start, memory)
    return f"{loaded}; {sampled}; {indexed}"


def _per_second(number: int, of: str, start: float, memory: "_OwnMemory") -> str:
    return f"{number / (time.process_time() - start):>9,.0f} {of} a core's second with {memory.most():,.0f} MiB"


class _OwnMemory:
    """Watches how much memory this process holds, apart from mapped files."""

    def __init__(self) -> None:
        self._process, self._ends, self._most = psutil.Process(), threading.Event(), 0
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "_OwnMemory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ends.wait(_EVERY):
            held = self._process.memory_info()
            self._most = max(self._most, held.rss - held.shared)

    def most(self) -> float:
        """Return the most since the last call, in MiB."""
        most, self._most = self._most, 0
        return most / _MIB


if __name__ == "__main__":
    exit_with(main)
