"""Write an offline HTML page for each game.

Examples:
    ownership report game.sgf -o game.html
    ownership report games.zip -o pages/ --language ja

See docs/review.md.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from pathlib import Path
from typing import TypeVar

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.record_sources import files_of, read_game, read_games
from goban.counting.languages import LANGUAGES, language
from goban.errors import InputError, naming
from ownership.commands.shared.game_arguments import GAMES_ARGUMENT, score_arguments, score_options, with_warning
from ownership.commands.shared.model_arguments import load_model
from ownership.commands.shared.output_files import FileNames, InputFiles, check_new_folder, output_argument, report_file
from ownership.commands.shared.progress import progress_bar
from ownership.explaining.risks import Risk, risk_of_last_move
from ownership.inference.evaluator import Evaluator
from ownership.report.game_page import game_page, review_page
from ownership.report.index_page import IndexEntry, index_page
from ownership.review.move_losses import ReviewedMove, largest_mistakes, reviewed_moves
from ownership.review.review_text import MOST_MISTAKES
from ownership.review.searched_positions import MOST_REVIEW_VISITS, review
from ownership.scoring.likely_game import likely_game
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import timeline
from runtime.command_line import Argument, declare
from runtime.safe_writing import one_writer, replacing

_PAGE = (".html", ".htm")
_INDEX = "index.html"
_Make = Callable[[GameRecord], tuple[str, ScoredGame, list[ReviewedMove]]]
_Position = TypeVar("_Position")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership report`."""
    visits = "review the game: visits of a search of every position"
    declare(
        parser,
        GAMES_ARGUMENT,
        output_argument("an .html file for one game; a folder for several, a page each and an index"),
        Argument("--visits N", int, visits, None, 2, MOST_REVIEW_VISITS, "no search"),
        Argument("--language", LANGUAGES, "language of the pages", LANGUAGES[0]),
        *score_arguments(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pages; return 0, or 2 if a record could not be read."""
    context = copy_context()
    context.run(language.set, arguments.language)
    return context.run(_write_all, arguments)


def _write_all(arguments: argparse.Namespace) -> int:
    options, output = score_options(arguments), Path(arguments.output)
    if output.suffix.lower() not in _PAGE:
        return _write_folder(output, arguments, options)
    _write_one(output, arguments, options)
    return 0


def _maker(arguments: argparse.Namespace, options: ScoreOptions) -> _Make:
    """Return the function that makes the page of a game, with the model loaded."""
    evaluator = load_model(arguments.model)
    if arguments.visits is not None:
        with naming("--model"):
            evaluator.files.require_head("policy", "--visits")

    def scored(game: GameRecord) -> tuple[str, ScoredGame, list[ReviewedMove]]:
        plies = range(len(game.move_points) + 1)
        found = _watched(timeline(game, evaluator, options, plies), game)
        return game_page(found), found[-1], []

    def reviewed(game: GameRecord) -> tuple[str, ScoredGame, list[ReviewedMove]]:
        found = _watched(review(game, evaluator, options, arguments.visits), game)
        moves = reviewed_moves(found)
        return review_page(found, _risks(found[-1].scored, moves, evaluator)), found[-1].scored, moves

    return scored if arguments.visits is None else reviewed


def _risks(end: ScoredGame, moves: Sequence[ReviewedMove], evaluator: Evaluator) -> dict[int, Risk]:
    """Return what the largest mistakes put in danger, by their numbers."""
    terms = end.estimate.terms
    game = likely_game(end.game, None, terms.ruleset, terms.komi)
    mistakes = [move.number for move in largest_mistakes(moves, MOST_MISTAKES)]
    risks = {number: risk_of_last_move(evaluator, game.undo(end.move - number)) for number in mistakes}
    return {number: risk for number, risk in risks.items() if risk is not None}


def _watched(positions: Iterator[_Position], game: GameRecord) -> list[_Position]:
    """Return the positions of a game; show on stderr how many there are so far."""
    return list(progress_bar(positions, total=len(game.move_points) + 1, unit="position", leave=False))


def _write_one(output: Path, arguments: argparse.Namespace, options: ScoreOptions) -> None:
    if (number := len(arguments.games)) > 1:
        raise InputError(f"{output}: one page shows one game. Received: {number}; name a folder for several")
    game = with_warning(read_game(arguments.games[0]))
    InputFiles(files_of(arguments.games)).check_output(output)
    page, _, _ = _maker(arguments, options)(game)
    _write(output, page)
    report_file(output)


def _write_folder(output: Path, arguments: argparse.Namespace, options: ScoreOptions) -> int:
    """Write a page for each game, then the index; report bad records on stderr and go on."""
    check_new_folder(output, ".html")
    make = _maker(arguments, options)
    output.mkdir(parents=True, exist_ok=True)
    with one_writer(output):
        return _write_pages(output, make, arguments.games)


def _write_pages(output: Path, make: _Make, games: Sequence[str]) -> int:
    inputs = InputFiles(files_of(games))
    inputs.check_output(output / _INDEX)
    written: list[IndexEntry] = []
    status = 0
    names = FileNames(_PAGE[0], Path(_INDEX).stem)
    for record in map(with_warning, read_games(games)):
        name = names.next(record)
        try:
            page, end, moves = _made(record, make, output / name, inputs)
        except InputError as error:
            status = 2
            print(f"ownership: error: {error}", file=sys.stderr)
            continue
        _write(output / name, page)
        written.append(IndexEntry(name, end, moves))
    _write(output / _INDEX, index_page(written))
    report_file(output / _INDEX)
    return status


def _made(
    record: GameRecord | BadRecord, make: _Make, path: Path, inputs: InputFiles
) -> tuple[str, ScoredGame, list[ReviewedMove]]:
    """Return the page of a record; raise InputError for a bad record, and for a path that is an input."""
    if isinstance(record, BadRecord):
        raise InputError(str(record))
    inputs.check_output(path)
    return make(record)


def _write(path: Path, page: str) -> None:
    with replacing(path) as partial:
        partial.write_text(page, encoding="utf-8")
