"""Write a page for each game, to look through in a browser, offline.

Examples:
    ownership report game.sgf -o game.html
    ownership report games.zip -o pages/

See docs/pictures.md.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from goban.errors import InputError
from ownership.commands.checks import naming
from ownership.commands.game_arguments import add_game_arguments
from ownership.commands.progress import progress_bar
from ownership.commands.score_arguments import add_score_arguments, score_options
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import game_page
from ownership.report.index_page import index_page
from ownership.scoring.games import ScoredGame, ScoreOptions
from ownership.scoring.timeline import timeline
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord, read_game, read_games
from preprocessing.storage import check_writable, replacing

_PAGE = (".html", ".htm")
_INDEX = "index.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership report`."""
    add_game_arguments(parser, "an .html file for one game; a folder for several, a page each and an index")
    add_score_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the pages; return 0, or 2 if a record could not be read."""
    options, output = score_options(arguments), Path(arguments.output)
    if output.suffix.lower() not in _PAGE:
        return _write_folder(output, arguments, options)
    _write_one(output, arguments, options)
    return 0


def _evaluator(arguments: argparse.Namespace) -> Evaluator:
    with naming("--model"):
        return Evaluator.load(arguments.model)


def _write_one(output: Path, arguments: argparse.Namespace, options: ScoreOptions) -> None:
    if (number := len(arguments.games)) > 1:
        raise InputError(f"{output}: one page shows one game. Received: {number}; name a folder for several")
    game = read_game(arguments.games[0])
    check_writable(output)
    _write(output, game_page(_scored(game, _evaluator(arguments), options)))


def _write_folder(output: Path, arguments: argparse.Namespace, options: ScoreOptions) -> int:
    """Write a page for each game, then the index; report bad records on stderr and go on."""
    evaluator = _evaluator(arguments)
    output.mkdir(parents=True, exist_ok=True)
    check_writable(output / _INDEX)
    written: list[tuple[str, ScoredGame]] = []
    status = 0
    for record in read_games(arguments.games):
        if isinstance(record, BadRecord):
            status = 2
            print(f"ownership: error: {record}", file=sys.stderr)
            continue
        scored = _scored(record, evaluator, options)
        name = f"game-{len(written) + 1:04}.html"
        _write(output / name, game_page(scored))
        written.append((name, scored[-1]))
    _write(output / _INDEX, index_page(written))
    return status


def _write(path: Path, page: str) -> None:
    with replacing(path) as partial:
        partial.write_text(page, encoding="utf-8")


def _scored(game: GameRecord, evaluator: Evaluator, options: ScoreOptions) -> Sequence[ScoredGame]:
    """Return the score of every position of a game, from before the first move to after the last."""
    plies = range(len(game.moves) + 1)
    scored = timeline(game, evaluator, options, plies)
    return list(progress_bar(scored, total=len(plies), unit="position", leave=False))
