"""`ownership report`: a page for each game, to look through in a browser, offline."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from goban.errors import InputError
from ownership.commands.scoring import add_scoring_arguments, score_options

if TYPE_CHECKING:
    from ownership.inference.evaluator import Evaluator
    from ownership.scoring.games import ScoredGame, ScoreOptions
    from preprocessing.records.game import GameRecord

_PAGE = (".html", ".htm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership report`."""
    parser.add_argument(
        "games", nargs="+", metavar="GAME", help="SGF file, collection, folder, zip or tar archive, - for stdin"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE|DIR", help="an .html file for one game; a folder for several"
    )
    add_scoring_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Write the pages; return 0, or 2 if a record could not be read."""
    from ownership.inference.evaluator import Evaluator
    from ownership.report.game_page import game_page
    from ownership.scoring.timeline import the_game

    options, output = score_options(args), Path(args.output)
    evaluator = Evaluator.load(args.model)
    if output.suffix.lower() not in _PAGE:
        return _write_folder(output, args.games, evaluator, options)
    if len(args.games) > 1:
        raise InputError(f"{output}: one page shows one game. Received: {len(args.games)}; name a folder for several")
    scored = _scored(the_game(args.games[0]), evaluator, options)
    output.write_text(game_page(scored), encoding="utf-8")
    return 0


def _write_folder(output: Path, paths: list[str], evaluator: "Evaluator", options: "ScoreOptions") -> int:
    """Write a page a game and an index; tell bad records on stderr and go on."""
    from ownership.report.game_page import game_page
    from ownership.report.index_page import index_page
    from preprocessing.records.game import GameRecord
    from preprocessing.records.sources import read_games

    output.mkdir(parents=True, exist_ok=True)
    written: list[tuple[str, ScoredGame]] = []
    status = 0
    for record in read_games(paths):
        if not isinstance(record, GameRecord):
            status = 2
            print(f"ownership: error: {record}", file=sys.stderr)
            continue
        scored = _scored(record, evaluator, options)
        name = f"game-{len(written) + 1:04}.html"
        (output / name).write_text(game_page(scored), encoding="utf-8")
        written.append((name, scored[-1]))
    (output / "index.html").write_text(index_page(written), encoding="utf-8")
    return status


def _scored(game: "GameRecord", evaluator: "Evaluator", options: "ScoreOptions") -> "list[ScoredGame]":
    """Return what every position of a game is worth, with a progress bar meanwhile."""
    from tqdm import tqdm

    from ownership.scoring.timeline import timeline

    plies = range(len(game.moves) + 1)
    answers = timeline(game, evaluator, options, plies)
    return list(tqdm(answers, total=len(plies), unit="position", leave=False, disable=not sys.stderr.isatty()))
