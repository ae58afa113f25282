"""Games on 5x5 that GNU Go labels, and the dataset that comes of them."""

import random
from pathlib import Path

from game_datasets.rows import Row
from game_records.record_sources import read_games
from preprocessing.gnugo import GnuGo
from preprocessing.labeller import Labeller
from preprocessing.prepare_run import Pipeline
from runtime.folders import Folder
from runtime.workers import local_workers
from tests.support.datasets import rows_of


def collection(games: int) -> str:
    """Return games on 5x5 that part the board in two, the order of the moves differing from game to game."""
    texts = []
    for number in range(games):
        black, white = [f"b{row}" for row in "abcde"], [f"c{row}" for row in "abcde"]
        order = random.Random(number)
        order.shuffle(black)
        order.shuffle(white)
        moves = "".join(f";B[{one}];W[{two}]" for one, two in zip(black, white, strict=True))
        result = "W+5.5" if number % 5 else "W+R"
        texts.append(f"(;GM[1]SZ[5]KM[0.5]RE[{result}]{moves})")
    return "\n".join(texts)


def run(source: str, output: Path, tolerance: float = 1.5, workers: int = 2) -> list[Row]:
    """Label a file of games in shards of four and return the rows."""
    labeller = Labeller(GnuGo(), tolerance=tolerance)
    with local_workers(workers) as threads:
        Pipeline(Folder(output), labeller, shard_size=4).run(read_games([source]), threads)
    return rows_of(output)
