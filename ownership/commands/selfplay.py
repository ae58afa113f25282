"""Make a dataset of games that a model plays to the end, after mistakes or as weak players.

Examples:
    ownership selfplay data/games -o data/mistakes --games 1024
    ownership selfplay --style weak --sides 9,19 -o data/weak

See docs/datasets.md.
"""

import argparse
from collections import Counter
from typing import Final

from game_datasets.rows import Row
from goban.errors import InputError, check_option, naming, plural
from ownership.commands.shared.filter_arguments import parse_sides
from ownership.commands.shared.game_arguments import load_model
from ownership.commands.shared.progress import progress_bar
from ownership.scoring.labelling_model import LabellingModel
from ownership.selfplay.game_plans import Mistakes, Records
from ownership.selfplay.selfplay_run import SelfPlay
from ownership.selfplay.weak_game_plans import SparseGames, WeakGames
from runtime.storage import Folder

_SIDES: Final = "9,13,19,19"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership selfplay`."""
    parser.set_defaults(kept="the finished shards")
    parser.add_argument(
        "datasets",
        nargs="*",
        metavar="DATASET",
        help="folder or URL made by `ownership prepare`; games start from its records, of style weak a third of them",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DATASET",
        help="folder or URL of the new dataset; continues the run that it holds",
    )
    parser.add_argument(
        "--style",
        choices=("mistakes", "weak", "sparse"),
        default="mistakes",
        help="games that leave records by mistakes; games of weak and odd players, which begin with the empty "
        "board, handicap stones or random moves; or beginnings of games and boards with stones of one colour. The "
        "last two get no target (default: %(default)s)",
    )
    parser.add_argument(
        "--sides",
        metavar="N,...",
        help=f"board sides of games of other styles than mistakes, equally frequent (default: {_SIDES})",
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
    check_option("games", arguments.games, 1)
    check_option("seed", arguments.seed, 0)
    evaluator = load_model(arguments.model, cached=0)
    with naming("--model"):
        model = LabellingModel.find(arguments.model)
    selfplay = SelfPlay(Folder(arguments.output), _planned(arguments), evaluator, model.name, arguments.seed)
    counts = Counter[str]()
    with progress_bar(total=arguments.games, unit="game", smoothing=0.05) as bar:

        def report(row: Row) -> None:
            counts[row["reason"]] += 1
            bar.set_postfix_str(f"{counts['']} accepted", refresh=False)

        selfplay.run(arguments.games, bar.update, report)
    outcome = f"{counts['']} accepted" if selfplay.games.counted else "for a teacher to label"
    print(f"{arguments.output}: {plural(counts.total(), 'game')}, {outcome}")
    if not selfplay.games.counted:
        return 0
    for reason, number in counts.most_common():
        if reason:
            print(f"{number:8} {reason}")
    return 0


def _planned(arguments: argparse.Namespace) -> Mistakes | WeakGames | SparseGames:
    """Return the planner of the games; raise InputError for options that do not go together."""
    if arguments.style == "mistakes" and arguments.sides is not None:
        raise InputError("--sides needs --style weak or sparse: other games are on the boards of their records")
    if arguments.style != "weak" and not arguments.datasets:
        raise InputError("expected at least one DATASET, or --style weak. Received: none")
    records = Records(arguments.datasets) if arguments.datasets else None
    sides = parse_sides(_SIDES if arguments.sides is None else arguments.sides)
    if arguments.style == "weak":
        return WeakGames(sides, records)
    assert records is not None
    return SparseGames(sides, records) if arguments.style == "sparse" else Mistakes(records)
