"""python -m benchmarks.bench_sampler [FILE ...]

Training positions a second through the sampler, and through planes in plain Python over sgfmill boards. Targets are the
areas of the last position, which changes no speed.
"""

import time
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from benchmarks.games import add_games, read
from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from game_datasets.rows import Label, Row, accepted_row, decode_points
from game_datasets.sampler import Sampler
from game_datasets.shards import write_shard
from game_records.game_record import GameRecord
from goban.regions import owners
from planes.feature_sets import FEATURE_SETS, FeatureSet
from runtime.folders import Folder
from tests.support.reference_planes import reference_planes, replay

MOST_GAMES = 300
BATCH_SIZE = 256
BATCHES = 100
WORKERS = 2
REFERENCE_POSITIONS = 40


def main() -> int:
    """Print the speeds for every feature set."""
    parser = parser_of("benchmarks.bench_sampler", __doc__)
    add_games(parser, "tygem-counted-2009-05.zip")
    games = read(parser.parse_args().files, MOST_GAMES)
    table = table_of(games)
    print(f"{len(games)} games, {BATCHES} batches of {BATCH_SIZE}, {WORKERS} worker threads")
    for feature_set in FEATURE_SETS.values():
        wall, processor = sampler_seconds(table, feature_set)
        sgfmill = reference_seconds(table, feature_set)
        print(
            f"{feature_set.name:10} {1 / wall:>8,.0f} positions/s  {1 / processor:>8,.0f} a core's second"
            f"   sgfmill {1 / sgfmill:>5,.0f} a core's second: {sgfmill / processor:,.0f} times as fast"
        )
    return 0


def table_of(games: Sequence[GameRecord]) -> GameTable:
    """Return a table of games."""
    with TemporaryDirectory() as folder:
        write_shard(Folder(folder), 0, [row_of(game) for game in games])
        return load_games(folder)


def row_of(game: GameRecord) -> Row:
    owner = owners(game.position().stones, np.zeros((game.side, game.side), np.bool_))
    return accepted_row(game, Label(owner, float(owner.sum()) - game.komi, "area"))


def sampler_seconds(table: GameTable, feature_set: FeatureSet) -> tuple[float, float]:
    """Return (wall time, processor time) of one position through the iterator, kernels compiled before."""
    sampler = Sampler(table, feature_set, BATCH_SIZE, seed=1, workers=WORKERS, chains=True)
    sampler.batch(0)
    wall, processor = time.perf_counter(), time.process_time()
    with closing(sampler.iterate()) as batches:
        for _ in islice(batches, BATCHES):
            pass
    made = BATCHES * BATCH_SIZE
    return (time.perf_counter() - wall) / made, (time.process_time() - processor) / made


def reference_seconds(table: GameTable, feature_set: FeatureSet) -> float:
    """Return the processor time of one position, drawn alike, through sgfmill's board."""
    draws = Sampler(table, feature_set, REFERENCE_POSITIONS, seed=1).batch(0)
    start = time.process_time()
    for game, ply in zip(draws.game.tolist(), draws.ply.tolist(), strict=True):
        setup = stones(table.setup[table.setup_offset[game] : table.setup_offset[game + 1]])
        moves = stones(table.move_codes[table.move_offset[game] : table.move_offset[game + 1]])
        reference_planes(replay(int(table.side[game]), setup, moves, ply), feature_set.planes)
    return (time.process_time() - start) / REFERENCE_POSITIONS


def stones(codes: NDArray[np.int16]) -> list[tuple[int, int]]:
    """Return the (flat index, colour) of codes."""
    points, colours = decode_points(codes)
    return list(zip(points.tolist(), colours.tolist(), strict=True))


if __name__ == "__main__":
    exit_with(main)
