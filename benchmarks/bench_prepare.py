"""`ownership prepare` with its fast path beside GNU Go alone, on the same games, in games a second of this machine.

    python -m benchmarks.bench_prepare [--games N] [FILE ...]

The default is the first games of a month of the project's test set where that lies beside the repository, else the
examples. GNU Go is given as many processes as there are processors; so is the fast path.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bench_goban import ROOT
from ownership.selfplay.labelling import LabellingModel
from preprocessing.dataset.comparison import compare
from preprocessing.dataset.pipeline import Pipeline
from preprocessing.dataset.workers import local_workers
from preprocessing.labels.gnugo import GnuGo
from preprocessing.labels.labeller import Labeller
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games
from preprocessing.storage import Folder

REAL_GAMES = ROOT.parent / "shared" / "games" / "tygem-counted-2016-06.zip"


def main(arguments: Sequence[str] = ()) -> int:
    """Print speeds, accepted shares and how far the targets agree; return 2 if there is no game to label."""
    options = _parser().parse_args(arguments)
    default = REAL_GAMES if REAL_GAMES.exists() else ROOT / "examples"
    read = islice(read_games(options.files or [default]), options.games)
    games = [game for game in read if isinstance(game, GameRecord)]
    if not games:
        print(f"expected game records. Received: none in {' '.join(options.files)}", file=sys.stderr)
        return 2
    model = LabellingModel.find()
    model.ownership(games[0].position())
    with TemporaryDirectory() as folder:
        alone, fast = Folder(Path(folder, "gnugo")), Folder(Path(folder, "auto"))
        slow_seconds = _label(games, Labeller(GnuGo()), alone)
        fast_seconds = _label(games, Labeller(GnuGo(), model), fast)
        found = compare(alone, fast)
        print(f"{len(games)} games")
        accepted = (found.accepted + found.only_first, found.accepted + found.only_second)
        for name, seconds, number in zip(("gnugo", "auto"), (slow_seconds, fast_seconds), accepted, strict=True):
            rate = f"{len(games) / seconds:6.2f} games/s, {slow_seconds / seconds:5.1f} x GNU Go alone"
            print(f"--scorer {name:6} {rate}, {number / len(games):.1%} accepted")
    decided = found.agreed + found.opposed
    if decided:
        print(f"points that both decide: {found.agreed / decided:.3%} to the same player, {decided} in all")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench_prepare")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games to label (default %(default)s)")
    parser.add_argument("files", nargs="*", help="game records")
    return parser


def _label(games: list[GameRecord], labeller: Labeller, output: Folder) -> float:
    """Return the wall seconds of labelling the games into a new dataset."""
    start = time.perf_counter()
    with local_workers() as workers:
        Pipeline(output, labeller).run(games, workers)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
