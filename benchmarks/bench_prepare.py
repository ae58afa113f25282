"""python -m benchmarks.bench_prepare [--games N] [FILE ...]

`ownership prepare` with its fast path compared with GNU Go alone, on the same games, in games a second of this machine.
Both run one game on each processor.
"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.command import exit_with, parser_of
from benchmarks.games import add_games, read
from game_datasets.target_comparison import compare_targets
from game_records.game_record import GameRecord
from ownership.scoring.labelling_model import LabellingModel
from preprocessing.gnugo import GnuGo
from preprocessing.labeller import Labeller
from preprocessing.prepare_run import Pipeline
from runtime.folders import Folder
from runtime.workers import local_workers


def main() -> int:
    """Print speeds, accepted shares and how far the targets agree."""
    parser = parser_of("benchmarks.bench_prepare", __doc__)
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games to label (default: %(default)s)")
    add_games(parser, "tygem-counted-2016-06.zip")
    arguments = parser.parse_args()
    games = read(arguments.files, arguments.games)
    model = LabellingModel.find()
    model.ownership(games[0].position())
    with TemporaryDirectory() as folder:
        alone, fast = Folder(Path(folder, "gnugo")), Folder(Path(folder, "auto"))
        slow_seconds = _label(games, Labeller(GnuGo()), alone)
        fast_seconds = _label(games, Labeller(GnuGo(), model), fast)
        found = compare_targets(alone, fast)
        print(f"{len(games)} games")
        accepted = (found.accepted + found.only_first, found.accepted + found.only_second)
        for name, seconds, number in zip(("gnugo", "auto"), (slow_seconds, fast_seconds), accepted, strict=True):
            rate = f"{len(games) / seconds:6.2f} games/s, {slow_seconds / seconds:5.1f} x GNU Go alone"
            print(f"--scorer {name:6} {rate}, {number / len(games):.1%} accepted")
    decided = found.agreed + found.opposed
    if decided:
        print(f"points that both decide: {found.agreed / decided:.3%} to the same player, {decided} in all")
    return 0


def _label(games: list[GameRecord], labeller: Labeller, output: Folder) -> float:
    """Return the wall seconds of labelling the games into a new dataset."""
    start = time.perf_counter()
    with local_workers() as workers:
        Pipeline(output, labeller).run(games, workers)
    return time.perf_counter() - start


if __name__ == "__main__":
    exit_with(main)
