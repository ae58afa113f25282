"""The arguments by which a command says how positions are scored."""

import argparse
from typing import TYPE_CHECKING

from goban.errors import InputError

if TYPE_CHECKING:
    from ownership.scoring.games import ScoreOptions

MAX_KOMI = 400


def add_scoring_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that `score_options` reads, and --model."""
    parser.add_argument(
        "--rules",
        metavar="NAME",
        help="area, territory, chinese, japanese ... (default: the record's, or as it suggests)",
    )
    parser.add_argument(
        "--komi", type=float, metavar="K", help="points for White (default: the record's, or as it suggests)"
    )
    parser.add_argument("--model", metavar="NAME|DIR", help="bundled model or model directory (default: default)")
    parser.add_argument(
        "--symmetries", type=int, choices=(1, 8), default=8, help="8 averages over the board's symmetries (default: 8)"
    )


def score_options(args: argparse.Namespace) -> "ScoreOptions":
    """Return how to score the last position; raise InputError for rules or komi that cannot be."""
    from goban.rulesets import RULESETS, parse_rules
    from ownership.scoring.games import ScoreOptions

    ruleset = parse_rules(args.rules) if args.rules else None
    if args.rules and ruleset is None:
        raise InputError(f"--rules must be one of {', '.join(RULESETS)}. Received: {args.rules}")
    if args.komi is not None and not abs(args.komi) <= MAX_KOMI:
        raise InputError(f"--komi must be between {-MAX_KOMI} and {MAX_KOMI} points. Received: {args.komi:g}")
    return ScoreOptions(ruleset=ruleset, komi=args.komi, symmetries=args.symmetries)
