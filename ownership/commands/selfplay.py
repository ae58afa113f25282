"""`ownership selfplay`: datasets in, a dataset of games that leave their records and are played to the end out."""

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING

from goban.errors import InputError

if TYPE_CHECKING:
    from preprocessing.dataset.rows import Row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership selfplay`."""
    parser.add_argument(
        "datasets", metavar="dataset", nargs="+", help="folder or URL made by `ownership prepare`, with the records"
    )
    parser.add_argument("-o", "--output", required=True, help="folder or URL of the new dataset; resumed if there")
    parser.add_argument("--games", type=int, default=1024, metavar="N", help="to be played (default %(default)s)")
    parser.add_argument("--model", metavar="NAME|DIR", help="that plays and counts (default: the bundled one)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is left to chance (default %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Play the games that are missing, showing progress on stderr and a summary on stdout; return 0."""
    from tqdm import tqdm

    from ownership.inference.evaluator import Evaluator
    from ownership.selfplay.labelling import LabellingModel
    from ownership.selfplay.plan import Records
    from ownership.selfplay.run import SelfPlay
    from preprocessing.storage import Folder

    for name, least in (("games", 1), ("seed", 0)):
        if getattr(args, name) < least:
            raise InputError(f"--{name} must be at least {least}. Received: {getattr(args, name)}")
    evaluator, model = Evaluator.load(args.model, cached=0), LabellingModel.find(args.model)
    selfplay = SelfPlay(Folder(args.output), Records(args.datasets), evaluator, model.name, args.seed)
    counts = Counter[str]()
    with tqdm(total=args.games, unit="game", smoothing=0.05, disable=not sys.stderr.isatty()) as bar:

        def report(row: "Row") -> None:
            counts[row["reason"]] += 1
            bar.set_postfix(accepted=counts[""], refresh=False)

        selfplay.run(args.games, bar.update, report)
    print(f"{args.output}: {counts.total()} games, {counts['']} accepted")
    for reason, number in counts.most_common():
        if reason:
            print(f"{number:8} {reason}")
    return 0
