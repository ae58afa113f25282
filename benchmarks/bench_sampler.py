"""Training positions a second through the sampler, and through planes in plain Python over sgfmill boards.

    python -m benchmarks.bench_sampler [FOLDER OR FILE ...]

The default is real games beside the repository where they are, else the examples. Targets are random.
"""

import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import islice

from benchmarks.bench_goban import MOST_GAMES, REAL_GAMES, ROOT
from preprocessing.dataset.sampler import Sampler
from preprocessing.dataset.table import GameTable
from preprocessing.features.planes import FEATURE_SETS, FeatureSet
from preprocessing.features.reference import reference_planes, replay
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games
from tests.support.random_games import RandomGame, Stone, game_table

BATCH_SIZE = 256
BATCHES = 100
WORKERS = 2
REFERENCE_POSITIONS = 40


def main(arguments: Sequence[str] = ()) -> int:
    """Print the speeds for every feature set; return 2 if there is no game to draw from."""
    default = REAL_GAMES if REAL_GAMES.exists() else ROOT / "examples"
    found = islice(read_games(arguments or [default]), MOST_GAMES)
    games = [record(game) for game in found if isinstance(game, GameRecord)]
    if not games:
        print(f"expected game records. Received: none in {' '.join(arguments)}", file=sys.stderr)
        return 2
    table = game_table(games)
    print(f"{len(games)} games, {BATCHES} batches of {BATCH_SIZE}, {WORKERS} worker threads")
    for feature_set in FEATURE_SETS.values():
        wall, processor = sampler_seconds(table, feature_set)
        sgfmill = reference_seconds(table, games, feature_set)
        print(
            f"{feature_set.name:10} {1 / wall:>8,.0f} positions/s  {1 / processor:>8,.0f} a core's second"
            f"   sgfmill {1 / sgfmill:>5,.0f} a core's second: {sgfmill / processor:,.0f} times as fast"
        )
    return 0


def record(game: GameRecord) -> RandomGame:
    """Return a game's set-up stones and moves as lists."""
    setup = [(point, int(colour)) for point, colour in enumerate(game.setup) if colour]
    moves: list[Stone] = [(int(p), int(c)) for p, c in zip(game.moves, game.colours, strict=True)]
    return RandomGame(game.side, setup, moves)


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


def reference_seconds(table: GameTable, games: Sequence[RandomGame], feature_set: FeatureSet) -> float:
    """Return the processor time of one position, drawn alike, through sgfmill's board."""
    draws = Sampler(table, feature_set, REFERENCE_POSITIONS, seed=1).batch(0)
    start = time.process_time()
    for game, ply in zip(draws.game, draws.ply, strict=True):
        reference_planes(replay(*games[int(game)], int(ply)), feature_set.planes)
    return (time.process_time() - start) / REFERENCE_POSITIONS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
