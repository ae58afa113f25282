"""The games of commands and the terms to count them by: their arguments, and the lines about them on stderr."""

import argparse
import sys
from collections.abc import Iterator
from typing import Final, TypeVar

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from goban.errors import InputError, cut
from goban.rulesets import MAX_KOMI, RULESETS, Ruleset, find_rules
from ownership.commands.shared.model_arguments import model_argument, symmetries_argument
from ownership.inference.second_judge import SECOND_JUDGE
from ownership.scoring.scored_game import ScoreOptions
from runtime.command_line import Argument

GAME_HELP: Final = (
    "SGF, GIB, NGF or UGF file, or a board as text, - for stdin; games.sgf#3 is the third game of a collection, "
    "games.zip/a.sgf one of an archive"
)
GAMES_HELP: Final = f"{GAME_HELP}; a collection, folder, zip or tar archive is all its games"
GAMES_ARGUMENT: Final = Argument("games GAME", str, GAMES_HELP, count="+")

_Record = TypeVar("_Record", GameRecord, GameRecord | BadRecord)


def rules_argument() -> Argument:
    """Return the argument --rules."""
    meaning = "rules to count by, such as area, territory, chinese"
    return Argument("--rules NAME", str, meaning, otherwise="the record's", completer=lambda **_: list(RULESETS))


def komi_argument(otherwise: str = "the record's") -> Argument:
    """Return the argument --komi; `otherwise` names the komi without it."""
    return Argument("--komi K", _komi_points, "points for White", None, -MAX_KOMI, MAX_KOMI, otherwise)


def move_argument(verb: str) -> Argument:
    """Return the argument --move; `verb` is what the command does with the position."""
    return Argument("--move N", int, f"{verb} the position after N moves", otherwise="the last")


def score_arguments() -> tuple[Argument, ...]:
    """Return the arguments --rules, --komi, --model and --symmetries."""
    return rules_argument(), komi_argument(), model_argument(), symmetries_argument()


def _komi_points(text: str) -> float:
    """Return a number of points, with a decimal point or comma; raise InputError."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise InputError(f"expected points such as 6.5. Received: {cut(text)}") from None


def score_options(arguments: argparse.Namespace) -> ScoreOptions:
    """Return how to score the last position of a game; raise InputError for unknown rules."""
    rules = chosen_rules(arguments.rules)
    return ScoreOptions(None, rules, arguments.komi, arguments.symmetries, second_judge=SECOND_JUDGE)


def chosen_rules(name: str | None) -> Ruleset | None:
    """Return the ruleset that --rules names, None where it is left out; raise InputError for an unknown name."""
    return None if name is None else find_rules(name, "--rules")


def with_warning(record: _Record) -> _Record:
    """Return the record; print warnings on stderr if it breaks off, has an illegal move, or has skipped parts."""
    if isinstance(record, GameRecord):
        for why in _warnings(record):
            print(f"ownership: warning: {record.source}: {why}", file=sys.stderr)
    return record


def _warnings(record: GameRecord) -> Iterator[str]:
    yield from record.notes
    if record.illegal_move:
        yield f"the record is read up to an illegal move: {record.illegal_move}"
    elif record.broken_off:
        yield f"the record breaks off after move {len(record.move_points)}"
