"""The games, terms and model of commands: their arguments, and what stderr says about them."""

import argparse
import sys
from collections.abc import Iterator
from typing import TypeVar

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from goban.errors import check_option, cut, naming
from goban.rulesets import MAX_KOMI, Ruleset, find_rules
from ownership.inference.evaluator import CACHED, Evaluator
from ownership.inference.model_catalogue import default_note
from ownership.scoring.score_games import ScoreOptions
from ownership.scoring.score_position import SYMMETRIES

GAME_HELP = (
    "SGF, GIB or NGF file, or a board as text, - for stdin; games.sgf#3 is the third game of a collection, "
    "games.zip/a.sgf one of an archive"
)
GAMES_HELP = f"{GAME_HELP}; a collection, folder, zip or tar archive is all its games"
MODEL_HELP = "model by name, as `ownership models` lists them, or a model directory (default: the default model)"

_Record = TypeVar("_Record", GameRecord, GameRecord | BadRecord)


def add_game_arguments(parser: argparse.ArgumentParser, output_help: str) -> None:
    """Declare the games and --output."""
    parser.add_argument("games", nargs="+", metavar="GAME", help=GAMES_HELP)
    parser.add_argument("-o", "--output", required=True, metavar="FILE|DIR", help=output_help)


def add_score_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --model and the arguments that `score_options` reads."""
    add_terms_arguments(parser)
    parser.add_argument(
        "--symmetries",
        type=int,
        choices=(1, 8),
        default=SYMMETRIES,
        help="1 evaluates the board as it is, 8 averages over its rotations and reflections (default: 8)",
    )


def add_terms_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --model, and the arguments but --symmetries that `score_options` reads."""
    parser.add_argument(
        "--rules",
        metavar="NAME",
        help="rules to count by, such as area, territory, chinese (default: the record's)",
    )
    parser.add_argument("--komi", type=komi_points, metavar="K", help="points for White (default: the record's)")
    parser.add_argument("--model", metavar="NAME|DIR", help=MODEL_HELP)
    parser.set_defaults(symmetries=SYMMETRIES)


def komi_points(text: str) -> float:
    """Return the number of points that --komi gives, with a decimal point or comma."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected points such as 6.5. Received: {cut(text)}") from None


def score_options(arguments: argparse.Namespace) -> ScoreOptions:
    """Return how to score the last position of a game; raise InputError for unknown rules or an impossible komi."""
    check_komi(arguments.komi)
    return ScoreOptions(None, chosen_rules(arguments.rules), arguments.komi, arguments.symmetries)


def check_komi(komi: float | None) -> None:
    """Raise InputError for a --komi that no game has."""
    check_option("komi", komi, -MAX_KOMI, MAX_KOMI)


def chosen_rules(name: str | None) -> Ruleset | None:
    """Return the ruleset that --rules names, None where it is left out; raise InputError for an unknown name."""
    return None if name is None else find_rules(name, "--rules")


def load_model(model: str | None, cached: int = CACHED) -> Evaluator:
    """Return the model of --model, or the default one, which stderr names if the user chose it; raise InputError."""
    with naming("--model"):
        evaluator = Evaluator.load(model, cached=cached)
    report_model(model)
    return evaluator


def report_model(model: str | None) -> None:
    """Name the default model on stderr if none is given and the user chose it."""
    if not model and (note := default_note()):
        print(f"ownership: {note}", file=sys.stderr)


def with_warning(record: _Record) -> _Record:
    """Return the record; print warnings on stderr if it breaks off, has an illegal move, or has what was skipped."""
    if isinstance(record, GameRecord):
        for why in _warnings(record):
            print(f"ownership: warning: {record.source}: {why}", file=sys.stderr)
    return record


def _warnings(record: GameRecord) -> Iterator[str]:
    yield from record.notes
    if record.illegal_move:
        yield f"the record is read up to an illegal move: {record.illegal_move}"
    elif record.broken_off:
        yield f"the record breaks off after move {len(record.moves)}"
