"""Search every position of games, write the analysis into their records, and print the largest mistakes.

Examples:
    ownership analyze game.sgf -o analyzed.sgf
    ownership analyze games/ -o analyzed/ --visits 400 --csv --json

See docs/review.md.
"""

import argparse
import csv
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.record_sources import ReadRecord, files_of, read_record, read_records
from goban.errors import InputError, cut, naming, plural
from ownership.commands.shared.game_arguments import (
    GAMES_ARGUMENT,
    komi_argument,
    rules_argument,
    score_options,
    with_warning,
)
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.commands.shared.output_files import FileNames, InputFiles, check_new_folder, output_argument, report_file
from ownership.commands.shared.progress import progress_bar
from ownership.review.move_losses import ReviewedMove, reviewed_moves
from ownership.review.review_json import REVIEW_COLUMNS, review_json, review_row
from ownership.review.review_text import review_text
from ownership.review.searched_positions import DEFAULT_VISITS, MOST_REVIEW_VISITS, ReviewedPosition, review
from ownership.review.write_analysis import is_reviewed, reviewed_record
from ownership.scoring.assessment import SCORE_SYMMETRIES
from runtime.command_line import Argument, declare
from runtime.safe_writing import one_writer, replacing

_TABLE: Final = "games.csv"
_NAME: Final = "output"  # the column that names the record of a row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership analyze`."""
    parser.set_defaults(symmetries=SCORE_SYMMETRIES)
    declare(
        parser,
        GAMES_ARGUMENT,
        output_argument("an .sgf file for one game; a folder for several, where analyzed games are skipped"),
        Argument("--visits N", int, "of each search", DEFAULT_VISITS, 2, MOST_REVIEW_VISITS),
        Argument("--moves A-B", _span, "analyze moves A to B only, at most to the end", otherwise="all"),
        Argument("--json", bool, "also write each game as JSON, beside its record"),
        Argument("--csv", bool, f"also write {_TABLE} into the folder: a row for each game"),
        rules_argument(),
        komi_argument(),
        model_argument(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the analyses and print the largest mistakes; return 0, or 2 if a record could not be read."""
    output = Path(arguments.output)
    if output.suffix.lower() != ".sgf":
        arguments.kept = "the finished games"
        return _analyze_folder(output, arguments)
    if arguments.csv:
        raise InputError(f"{output}: --csv needs a folder of games. Received: a file")
    if (number := len(arguments.games)) > 1:
        raise InputError(f"{output}: expected one game. Received: {number}; name a folder for several")
    record = read_record(arguments.games[0])
    InputFiles(files_of(arguments.games)).check_output(output)
    _Analysis(arguments).write(record, output)
    report_file(output)
    if arguments.json:
        report_file(output.with_suffix(".json"))
    return 0


class _Analysis:
    """The analysis of games as the arguments want it."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._options = score_options(arguments)
        self._visits: int = arguments.visits
        self._moves: tuple[int, int] | None = arguments.moves
        self._json: bool = arguments.json
        self._inputs = InputFiles(files_of(arguments.games))
        self._evaluator = load_model(arguments.model)
        with naming("--model"):
            self._evaluator.files.require_head("policy", "analyze")

    def write(self, record: ReadRecord, output: Path) -> tuple[list[ReviewedPosition], list[ReviewedMove]]:
        """Analyze a game, write its record and print the result; return the review."""
        described = output.with_suffix(".json")
        for path in (output, described) if self._json else (output,):
            self._inputs.check_output(path)
        with_warning(record.game)
        plies = self._plies(record.game)
        searched = review(record.game, self._evaluator, self._options, self._visits, plies)
        positions = list(progress_bar(searched, total=len(plies), unit="position", leave=False))
        moves = reviewed_moves(positions)
        if self._json:
            with replacing(described) as partial:
                partial.write_text(json.dumps(review_json(positions, moves)) + "\n", "utf-8")
        with replacing(output) as partial:
            partial.write_bytes(reviewed_record(record.data, positions, moves))
        print(review_text(positions, moves), flush=True)
        return positions, moves

    def has_finished(self, game: GameRecord, output: Path) -> bool:
        """Return whether a game was analyzed before; raise InputError if something else has the name of its record."""
        if not output.exists():
            return False
        found = read_record(output)
        if found.game.id != game.id or not is_reviewed(found.data):
            self._inputs.check_output(output)
            raise InputError(
                f"{output}: expected the analysis of {game.source}. Received: another record; choose another folder"
            )
        return not self._json or output.with_suffix(".json").exists()

    def _plies(self, game: GameRecord) -> Sequence[int]:
        last = len(game.move_points)
        if self._moves is None:
            return range(last + 1)
        first, final = self._moves
        if first > last:
            raise InputError(f"{game.source}: --moves: expected a first move 1..{last}. Received: {first}")
        return range(first - 1, min(final, last) + 1)


def _span(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})-(\d{1,5})", text, re.ASCII)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise InputError(f"expected two move numbers such as 1-50. Received: {cut(text)}")
    return int(match[1]), int(match[2])


def _analyze_folder(output: Path, arguments: argparse.Namespace) -> int:
    """Write a record for each game; report bad records on stderr and go on."""
    for given in arguments.games:
        if Path(given).is_dir() and Path(given).resolve() in (output.resolve(), *output.resolve().parents):
            raise InputError(f"{output}: expected a folder outside that of the games. Received: {given}")
    check_new_folder(output, ".sgf")
    analysis = _Analysis(arguments)
    output.mkdir(parents=True, exist_ok=True)
    with one_writer(output):
        return _analyze_games(analysis, output, arguments)


def _analyze_games(analysis: _Analysis, output: Path, arguments: argparse.Namespace) -> int:
    if arguments.csv:
        InputFiles(files_of(arguments.games)).check_output(output / _TABLE)
    table = _Table(output / _TABLE) if arguments.csv else None
    status, written, skipped = 0, 0, 0
    names = FileNames(".sgf")
    for record in read_records(arguments.games):
        name = names.next(record if isinstance(record, BadRecord) else record.game)
        target = output / name
        if isinstance(record, BadRecord):
            status = _report(record)
            continue
        try:
            if analysis.has_finished(record.game, target) and (table is None or name in table.rows):
                skipped += 1
                continue
            reviewed = analysis.write(record, target)
        except InputError as error:
            status = _report(error)
            continue
        print()
        written += 1
        if table is not None:
            table.add(name, review_row(*reviewed))
    if written:
        report_file(output)
    if skipped:
        print(f"Skipped {plural(skipped, 'game')} that {output} holds", file=sys.stderr)
    return status


def _report(error: object) -> int:
    print(f"ownership: error: {error}", file=sys.stderr)
    return 2


class _Table:
    """The table of a folder of games: a row for each, by the name of its record."""

    _COLUMNS: Final = (_NAME, *REVIEW_COLUMNS)

    def __init__(self, path: Path) -> None:
        self._path = path
        self.rows: dict[str, dict[str, str]] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file)
                if reader.fieldnames != list(self._COLUMNS):
                    raise InputError(f"{path}: expected a table of this command. Received: other columns; remove it")
                self.rows = {row[_NAME]: row for row in reader}

    def add(self, name: str, row: dict[str, str]) -> None:
        self.rows[name] = {_NAME: name, **row}
        with replacing(self._path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self._COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows.values())
