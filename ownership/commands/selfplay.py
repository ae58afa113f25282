"""Make a dataset of games that a model plays to the end, after mistakes or as weak players.

Examples:
    ownership selfplay data/games -o data/mistakes --games 1024
    ownership selfplay --style weak --sides 9,19 -o data/weak

See docs/datasets.md.
"""

import argparse
from collections import Counter
from contextlib import nullcontext
from typing import Final

from game_datasets.rows import Row
from goban.errors import InputError, naming, plural
from ownership.commands.shared.filter_arguments import parse_sides
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.commands.shared.progress import progress_bar
from ownership.commands.shared.run_arguments import cluster_argument, seed_argument
from ownership.scoring.labelling_model import LabellingModel
from ownership.selfplay.branched_game_plans import Mistakes, Records
from ownership.selfplay.selfplay_run import SelfPlay
from ownership.selfplay.weak_game_plans import SparseGames, WeakGames
from runtime.command_line import Argument, declare
from runtime.folders import Folder
from runtime.workers import chosen_workers

_SIDES: Final = "9,13,19,19"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership selfplay`."""
    parser.set_defaults(kept="the finished shards")
    datasets = "folder or URL made by `ownership prepare`; games start from its records, of style weak a third of them"
    style = (
        "games that leave records by mistakes; games of weak and odd players, which begin with the empty board, "
        "handicap stones or random moves; or beginnings of games and boards with stones of one colour. The last two "
        "get no target"
    )
    sides = "board sides of games of other styles than mistakes, equally frequent"
    output = "folder or URL of the new dataset; continues the run that it holds"
    declare(
        parser,
        Argument("datasets DATASET", str, datasets, count="*"),
        Argument("-o --output DATASET", str, output, required=True),
        Argument("--style", ("mistakes", "weak", "sparse"), style, "mistakes"),
        Argument("--sides N,...", str, sides, otherwise=_SIDES),
        Argument("--games N", int, "games in the new dataset", 1024, least=1),
        model_argument("model that plays the games and labels them"),
        seed_argument("the choice of records and moves"),
        cluster_argument("play"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the games that are missing, with a progress bar on stderr and a summary on stdout; return 0."""
    evaluator = load_model(arguments.model, cached=0, bulk=True)
    with naming("--model"):
        model = LabellingModel.find(arguments.model)
    selfplay = SelfPlay(Folder(arguments.output), _planned(arguments), evaluator, model.name, arguments.seed)
    counts = Counter[str]()
    with progress_bar(total=arguments.games, unit="game", smoothing=0.05) as bar:

        def report(row: Row) -> None:
            counts[row["reason"]] += 1
            bar.set_postfix_str(f"{counts['']} accepted", refresh=False)

        with chosen_workers(arguments.cluster, nullcontext()) as cluster:
            selfplay.run(arguments.games, bar.update, report, cluster)
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
