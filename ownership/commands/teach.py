"""`ownership teach`: ask a model about positions of datasets' games, for `ownership train --soft` to learn from."""

import argparse

from ownership.commands.checks import check_number
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator, require_head
from ownership.selfplay.labelling import LabellingModel
from ownership.teaching.questions import Choice
from ownership.teaching.run import TaughtGames, Teaching
from preprocessing.storage import Folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership teach`."""
    parser.add_argument(
        "datasets",
        nargs="+",
        metavar="DATASET",
        help="folder or URL made by `ownership prepare`; positions come from its games of split train",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="SOFT",
        help="folder or URL of the soft dataset; continues the run that it holds",
    )
    parser.add_argument(
        "--teacher", metavar="NAME|DIR", help="model that is asked: a bundled name or a directory (default: default)"
    )
    parser.add_argument(
        "--symmetries",
        type=int,
        choices=(1, 8),
        default=8,
        help="symmetries of the board to average opinions over (default: %(default)s)",
    )
    parser.add_argument(
        "--every",
        type=int,
        default=10,
        metavar="N",
        help="moves between positions of a game, whose last one always counts (default: %(default)s)",
    )
    parser.add_argument(
        "--further",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="share of the positions, 0 to 1, that are asked about after 1 to 8 further moves (default: %(default)s)",
    )
    parser.add_argument(
        "--temperature",
        type=float,
        metavar="T",
        help="draw these moves from the teacher's policy at this temperature, above 0 (default: any legal moves)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of all random choices (default: %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Ask what is missing, with a progress bar on stderr and a line on stdout; return 0."""
    check_number("every", arguments.every, 1)
    check_number("further", arguments.further, 0, 1)
    check_number("temperature", arguments.temperature, 0.01, 100)
    check_number("seed", arguments.seed, 0)
    evaluator, model = Evaluator.load(arguments.teacher, cached=0), LabellingModel.find(arguments.teacher)
    if arguments.temperature is not None:
        require_head(evaluator, "policy", "--temperature")
    choice = Choice(arguments.every, arguments.further, arguments.temperature, arguments.seed)
    games = TaughtGames(arguments.datasets)
    teaching = Teaching(Folder(arguments.output), games, evaluator, model.name, arguments.symmetries, choice)
    asked = 0
    with progress_bar(total=len(games), unit="game", smoothing=0.05) as bar:

        def done(count: int, positions: int) -> None:
            nonlocal asked
            asked += positions
            bar.set_postfix(positions=asked, refresh=False)
            bar.update(count)

        teaching.run(done)
    print(f"{arguments.output}: {len(games)} games, {asked} new positions, asked {model.name}")
    return 0
