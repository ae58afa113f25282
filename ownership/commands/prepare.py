"""`ownership prepare`: game records in, a dataset of labelled games out."""

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from goban.errors import InputError

if TYPE_CHECKING:
    from preprocessing.dataset import Row

HELP = "turn game records into a dataset of labelled games"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("sources", nargs="+", help="SGF files, collections, folders, zip or tar archives, or -")
    parser.add_argument("-o", "--output", required=True, type=Path, help="folder of the dataset; resumed if there")
    parser.add_argument("--limit", type=int, metavar="N", help="read the first N records only")
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1.5,
        metavar="POINTS",
        help="accept a game when its counted score is this close to the record (default %(default)s; classic 6)",
    )
    parser.add_argument("--time-limit", type=float, default=30, metavar="SECONDS", help="for GNU Go, each game")
    parser.add_argument("--memory-limit", type=int, default=1024, metavar="MIB", help="for GNU Go")
    parser.add_argument("--gnugo", type=Path, metavar="PROGRAM", help="the gnugo program (default: found by itself)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="games at a time")


def run(arguments: argparse.Namespace) -> int:
    """Label the games, showing progress on stderr and a summary on stdout; return 2 if a record was unreadable."""
    import pyarrow  # noqa: F401 - what is missing is said before hours of scoring, not after

    from preprocessing.gnugo import GnuGo, find_gnugo
    from preprocessing.pipeline import Pipeline
    from preprocessing.sources import read_games
    from preprocessing.targets import REJECTIONS, Labeller

    _check(arguments)
    gnugo = GnuGo(arguments.gnugo or find_gnugo(), arguments.time_limit, arguments.memory_limit)
    labeller = Labeller(gnugo, gnugo.version(), arguments.tolerance)
    counts: Counter[str] = Counter()
    unreadable = 0
    executor = ThreadPoolExecutor(arguments.workers)
    with _progress_bar(arguments.limit) as bar:

        def report(row: "Row") -> None:
            nonlocal unreadable
            reason = row["reason"]
            counts[reason] += 1
            if reason and reason not in REJECTIONS:
                unreadable += 1
                bar.write(f"{row['source']}: {reason}: {row['detail']}", file=sys.stderr)
            bar.set_postfix(accepted=counts[""], rejected=counts.total() - counts[""], refresh=False)
            bar.update()

        try:
            Pipeline(arguments.output, labeller, executor).run(
                islice(read_games(arguments.sources), arguments.limit), report
            )
        finally:
            executor.shutdown(cancel_futures=True)
    _print_summary(arguments.output, counts)
    return 2 if unreadable else 0


def _check(arguments: argparse.Namespace) -> None:
    """Raise InputError for a number out of range."""
    if arguments.workers < 1:
        raise InputError(f"--workers must be at least 1. Received: {arguments.workers}")
    if arguments.limit is not None and arguments.limit < 1:
        raise InputError(f"--limit must be at least 1. Received: {arguments.limit}")
    if not arguments.tolerance >= 0:
        raise InputError(f"--tolerance must be 0 points or more. Received: {arguments.tolerance:g}")
    for name in ("time_limit", "memory_limit"):
        value = getattr(arguments, name)
        if not 0 < value < 1_000_000:
            raise InputError(f"--{name.replace('_', '-')} must be above 0 and below a million. Received: {value:g}")


def _progress_bar(total: int | None):  # type: ignore[no-untyped-def]
    from tqdm import tqdm

    return tqdm(total=total, unit="game", smoothing=0.05, file=sys.stderr)


def _print_summary(output: Path, counts: Counter[str]) -> None:
    print(f"{output}: {counts.total()} records, {counts['']} accepted")
    for reason, number in counts.most_common():
        if reason:
            print(f"{number:8} {reason}")
