"""`ownership score`: who owns each point, and the score."""

import argparse
import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from goban.errors import InputError

if TYPE_CHECKING:
    from ownership.scorer import ScoredGame, ScoreOptions
    from preprocessing.sources import BadRecord

MAX_KOMI = 400
HELP = "show who owns each point of a game, and the score"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership score`."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="SGF file, collection, folder, zip or tar archive, - for stdin"
    )
    parser.add_argument("--move", type=int, metavar="N", help="score the position after N moves (default: the last)")
    parser.add_argument(
        "--rules", metavar="NAME", help="area, territory, chinese, japanese ... (default: the record's)"
    )
    parser.add_argument("--komi", type=float, metavar="K", help="points for White (default: the record's)")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: an object, or a list if there are several games"
    )
    parser.add_argument("--picture", metavar="FILE", help="also draw the ownership of the one game: .png, .svg, .pdf")
    parser.add_argument("--model", metavar="NAME|DIR", help="bundled model or model directory (default: default)")
    parser.add_argument(
        "--symmetries", type=int, choices=(1, 8), default=8, help="8 averages over the board's symmetries (default: 8)"
    )


def run(args: argparse.Namespace) -> int:
    """Score the games and print the answers; return 0, or 2 if a record could not be scored."""
    from itertools import chain, islice

    from ownership.evaluator import Evaluator
    from ownership.scorer import score_games
    from preprocessing.sources import read_games

    options = _options(args)
    records = read_games(args.files)
    first = list(islice(records, 2))
    if args.picture:
        _check_picture(args.picture, len(first))
    answers = score_games(chain(first, records), Evaluator.load(args.model), options)
    return _print_one(next(answers), args) if len(first) == 1 else _print_many(answers, args.json)


def _check_picture(path: str, games: int) -> None:
    from viz.figure import check_picture

    check_picture(path)
    if games > 1:
        raise InputError("--picture draws one game. Received: several; name one file, or leave --picture out")


def _options(args: argparse.Namespace) -> "ScoreOptions":
    from goban.scoring import RULESETS, parse_rules
    from ownership.scorer import ScoreOptions

    ruleset = parse_rules(args.rules) if args.rules else None
    if args.rules and ruleset is None:
        raise InputError(f"--rules must be one of {', '.join(RULESETS)}. Received: {args.rules}")
    if args.komi is not None and not abs(args.komi) <= MAX_KOMI:
        raise InputError(f"--komi must be between {-MAX_KOMI} and {MAX_KOMI} points. Received: {args.komi:g}")
    return ScoreOptions(args.move, ruleset, args.komi, args.symmetries)


def _print_one(answer: "ScoredGame | BadRecord", args: argparse.Namespace) -> int:
    from ownership.answers import as_json, as_text
    from ownership.scorer import ScoredGame

    if not isinstance(answer, ScoredGame):
        raise InputError(str(answer))
    print(json.dumps(as_json(answer)) if args.json else as_text(answer))
    if args.picture:
        _draw(answer, args.picture)
    return 0


def _print_many(answers: "Iterable[ScoredGame | BadRecord]", as_list: bool) -> int:
    """Print every answer as soon as it is there; report bad records on stderr and go on."""
    from ownership.answers import as_json, as_line
    from ownership.scorer import ScoredGame

    status, separator = 0, "[\n"
    for answer in answers:
        if not isinstance(answer, ScoredGame):
            status = 2
            print(f"ownership: error: {answer}", file=sys.stderr)
        elif as_list:
            print(separator + json.dumps(as_json(answer)), end="")
            separator = ",\n"
        else:
            print(as_line(answer))
    if as_list:
        print("[]" if separator == "[\n" else "\n]")
    return status


def _draw(scored: "ScoredGame", path: str) -> None:
    from ownership.answers import headline
    from viz.board import draw_ownership
    from viz.figure import new_axes, save

    answer = scored.estimate
    axes = new_axes()
    last = scored.position.recent[0] if scored.position.recent else None
    draw_ownership(scored.position.stones, answer.ownership, dead=answer.dead, last=last, ax=axes)
    axes.set_title(headline(scored))
    save(axes, path)
