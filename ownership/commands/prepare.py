"""Turn game records into a dataset of labelled games.

Examples:
    ownership prepare games/ more.zip -o data/games
    ownership prepare games.zip -o data/games --scorer model --min-rank 5d

See docs/datasets.md.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tqdm import tqdm

from game_datasets.rows import SPLITS, Row
from goban.errors import ABOVE_ZERO, InputError, naming, plural
from ownership.commands.shared.filter_arguments import add_filter_arguments, game_filter
from ownership.commands.shared.kernel_compilation import call_scoring_kernels
from ownership.commands.shared.model_arguments import model_argument, report_model
from ownership.commands.shared.progress import progress_bar
from ownership.commands.shared.run_arguments import LONGEST_TIME, cluster_argument
from ownership.inference.model_catalogue import find_model
from ownership.scoring.labelling_model import LabellingModel
from preprocessing.gnugo import GnuGo
from preprocessing.labeller import Labeller
from preprocessing.prepare_run import Pipeline, read_on
from preprocessing.rejection_reasons import REJECTIONS
from runtime.command_line import Argument, declare
from runtime.folders import Folder
from runtime.this_process import processors
from runtime.workers import chosen_workers, local_workers

_SHOWN_REASONS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership prepare`."""
    parser.set_defaults(kept="the finished games")
    scorer = "who marks the dead stones: the model where the record confirms it and else GNU Go (auto), or one of them"
    finish = "which games to label: counted ones, or also resigned ones, which the scorer plays to the end"
    tolerance = "accept GNU Go's answer when its score is this close to the record; 6 in 2015"
    declare(
        parser,
        Argument("sources", str, "SGF files, collections, folders, archives, URLs of these, or -", count="+"),
        Argument("-o --output OUTPUT", str, "folder or URL of the dataset; resumed if there", required=True),
        Argument("--limit N", int, "read the first N records only", least=1),
        Argument("--scorer", ("auto", "gnugo", "model"), scorer, "auto"),
        model_argument("model of the scorer"),
        Argument("--finish", ("counted", "resigned"), finish, "counted"),
        Argument("--tolerance POINTS", float, tolerance, 1.5, least=0),
        Argument("--time-limit SECONDS", float, "for GNU Go, each game", 30.0, ABOVE_ZERO, LONGEST_TIME),
        Argument("--level LEVEL", int, "of GNU Go: 1 is much faster", 10, least=0),
        Argument("--memory-limit MIB", int, "for GNU Go", 1024, 1, 1_000_000),
        Argument("--gnugo PROGRAM", Path, "the gnugo program", otherwise="found on PATH or in /usr/games"),
        Argument("--workers N", int, "games at a time", processors(), least=1, otherwise="one for each core"),
        cluster_argument("score"),
    )
    add_filter_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Label the games, showing progress on stderr and a summary on stdout; return 2 if a record was unreadable."""
    import pyarrow  # noqa: F401 - if it is missing, fail before hours of scoring, not after

    _check(arguments)
    pipeline = Pipeline(Folder(arguments.output), _labeller(arguments), game_filter(arguments))
    if pipeline.labeller.model and not arguments.cluster:
        call_scoring_kernels()  # what compiles is announced before a bar that waits for it
    workers = chosen_workers(arguments.cluster, local_workers(arguments.workers))
    with workers as chosen, _Progress(arguments) as progress:
        splits = pipeline.run(read_on(chosen, arguments.sources, arguments.limit), chosen, progress.report)
    progress.print_summary()
    _print_next(arguments.output, splits)
    return 2 if progress.unreadable else 0


def _labeller(arguments: argparse.Namespace) -> Labeller:
    gnugo, model, finisher = None, None, None
    if arguments.scorer != "model":
        gnugo = GnuGo(arguments.gnugo, arguments.time_limit, arguments.memory_limit, arguments.level)
        if not arguments.cluster:
            gnugo.version()  # fail before the first game if it is missing; a cluster's workers have their own
    if arguments.scorer != "gnugo":
        with naming("--model"):
            model = LabellingModel.find(arguments.model)
        if arguments.finish == "resigned":
            from ownership.selfplay.playing_on import ModelFinisher

            find_model(arguments.model).require_head("policy", "--finish resigned")
            finisher = ModelFinisher(model.place)
        report_model(arguments.model)
    return Labeller(gnugo, model, arguments.tolerance, arguments.finish == "resigned", finisher)


class _Progress:
    """Counts the accepted and rejected records, and reports unreadable ones, on stderr."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.counts: Counter[str] = Counter()
        self.unreadable = 0
        self.assumed = 0
        self._output = arguments.output
        self._bar = progress_bar(unit="game", total=arguments.limit, smoothing=0.05)

    def __enter__(self) -> "_Progress":
        return self

    def __exit__(self, *_: Any) -> None:
        self._bar.close()

    def report(self, row: Row) -> None:
        """Count one row."""
        reason = row["reason"]
        self.counts[reason] += 1
        self.assumed += bool(not reason and row["detail"])
        if reason and reason not in REJECTIONS:
            self.unreadable += 1
            tqdm.write(f"{row['source']}: {reason}: {row['detail']}", file=sys.stderr)
        figures = ", ".join(f"{number} {name}" for name, number in self._figures().items())
        self._bar.set_postfix_str(figures, refresh=False)
        self._bar.update()

    def _figures(self) -> dict[str, int]:
        """Return how many games were accepted, and rejected for the most frequent reasons."""
        rejected = [(name, number) for name, number in self.counts.most_common() if name]
        return {"accepted": self.counts[""]} | dict(rejected[:_SHOWN_REASONS])

    def print_summary(self) -> None:
        """Print on stdout how many records were accepted, and rejected for which reasons."""
        assumed = f", {self.assumed:,} of them with an assumed komi" if self.assumed else ""
        print(f"{self._output}: {plural(self.counts.total(), 'record')}, {self.counts['']:,} accepted{assumed}")
        for reason, number in self.counts.most_common():
            if reason:
                print(f"{number:8} {reason}")


def _print_next(output: str, splits: Counter[str]) -> None:
    """Print on stderr how to train on the dataset, or what it lacks."""
    if all(splits[name] for name in SPLITS):
        print(f"Next: ownership train {output} --minutes 30 --output runs/mine", file=sys.stderr)
    elif splits:
        found = ", ".join(f"{splits[name]} for {name}" for name in SPLITS)
        print(
            f"Too few games to train on: expected accepted games of three openings or more, found {found}. "
            "Give more records after the same ones",
            file=sys.stderr,
        )


def _check(arguments: argparse.Namespace) -> None:
    """Raise InputError for options that exclude each other."""
    if arguments.scorer == "gnugo" and arguments.model:
        raise InputError("--model is for --scorer auto or model. Received: --scorer gnugo")
