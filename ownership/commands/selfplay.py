"""`ownership selfplay`: make a dataset of games that leave the records of other datasets and are played to the end."""

import argparse
from collections import Counter

from ownership.commands.checks import check_number
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.labelling import LabellingModel
from ownership.selfplay.plan import Records
from ownership.selfplay.run import SelfPlay
from preprocessing.dataset.rows import Row
from preprocessing.storage import Folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership selfplay`."""
    parser.add_argument(
        "datasets",
        nargs="+",
        metavar="DATASET",
        help="folder or URL made by `ownership prepare`; games start from its records",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DATASET",
        help="folder or URL of the new dataset; continues the run that it holds",
    )
    parser.add_argument(
        "--games", type=int, default=1024, metavar="N", help="games in the new dataset (default: %(default)s)"
    )
    parser.add_argument(
        "--model", metavar="NAME|DIR", help="model that plays the games and labels them (default: default)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="seed for the choice of records and moves (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the games that are missing, with a progress bar on stderr and a summary on stdout; return 0."""
    check_number("games", arguments.games, 1)
    check_number("seed", arguments.seed, 0)
    evaluator, model = Evaluator.load(arguments.model, cached=0), LabellingModel.find(arguments.model)
    records = Records(arguments.datasets)
    selfplay = SelfPlay(Folder(arguments.output), records, evaluator, model.name, arguments.seed)
    counts = Counter[str]()
    with progress_bar(total=arguments.games, unit="game", smoothing=0.05) as bar:

        def report(row: Row) -> None:
            counts[row["reason"]] += 1
            bar.set_postfix(accepted=counts[""], refresh=False)

        selfplay.run(arguments.games, bar.update, report)
    print(f"{arguments.output}: {counts.total()} games, {counts['']} accepted")
    for reason, number in counts.most_common():
        if reason:
            print(f"{number:8} {reason}")
    return 0
