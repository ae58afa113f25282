"""The arguments of scoring: rules, komi, model and symmetries."""

import argparse

from goban.errors import cut
from goban.game import MAX_KOMI
from goban.rulesets import Ruleset, find_rules
from ownership.commands.checks import check_number
from ownership.commands.model import MODEL_HELP
from ownership.scoring.games import ScoreOptions
from ownership.scoring.position import SYMMETRIES


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
    check_number("komi", komi, -MAX_KOMI, MAX_KOMI, "points")


def chosen_rules(name: str | None) -> Ruleset | None:
    """Return the ruleset that --rules names, None where it is left out; raise InputError for an unknown name."""
    return None if name is None else find_rules(name, "--rules")
