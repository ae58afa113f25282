"""`ownership score`: who owns each point, and the score."""

import argparse
import csv
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from goban.errors import InputError
from ownership.commands.scoring import add_scoring_arguments, score_options

if TYPE_CHECKING:
    from ownership.scoring.games import ScoredGame, ScoreOptions
    from preprocessing.records.sources import BadRecord


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership score`."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="SGF file, collection, folder, zip or tar archive, - for stdin"
    )
    parser.add_argument("--move", type=int, metavar="N", help="score the position after N moves (default: the last)")
    add_scoring_arguments(parser)
    parser.add_argument(
        "--json", action="store_true", help="print JSON: an object, or a list if there are several games"
    )
    parser.add_argument("--picture", metavar="FILE", help="also draw the ownership of the one game: .png, .svg, .pdf")
    parser.add_argument("--csv", action="store_true", help="print a table: one row a game, with a line of headings")
    parser.add_argument("--explain", action="store_true", help="also show how players count it")
    for name, meaning in (("dead", "that are dead"), ("alive", "that live"), ("seki", "in seki")):
        parser.add_argument(
            f"--{name}",
            type=_vertices,
            default=(),
            metavar="D4,Q16",
            help=f"chains {meaning}, whatever the model says",
        )
    parser.add_argument(
        "--gnugo", action="store_true", help="let GNU Go decide where a game that ended cannot safely be counted"
    )


def _vertices(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run(args: argparse.Namespace) -> int:
    """Score the games and print the answers; return 0, or 2 if a record could not be scored."""
    from itertools import chain, islice

    from ownership.inference.evaluator import Evaluator
    from ownership.scoring.games import score_games
    from preprocessing.records.sources import read_games

    options = _options(args)
    records = read_games(args.files)
    first = list(islice(records, 2))
    if len(first) > 1:
        _refuse_several(args)
    if args.picture:
        _check_picture(args.picture)
    answers = score_games(chain(first, records), Evaluator.load(args.model), options)
    if args.csv:
        return _print_table(answers)
    return _print_one(next(answers), args) if len(first) == 1 else _print_many(answers, args.json)


def _check_picture(path: str) -> None:
    from viz.figure import check_picture

    check_picture(path)


def _refuse_several(args: argparse.Namespace) -> None:
    for name in ("picture", "explain", "dead", "alive", "seki"):
        if getattr(args, name):
            raise InputError(f"--{name} is about one game. Received: several; name one file, or leave --{name} out")


def _options(args: argparse.Namespace) -> "ScoreOptions":
    from ownership.scoring.claims import VertexClaims
    from preprocessing.labels.gnugo import GnuGo, find_gnugo

    if args.csv and args.json:
        raise InputError("expected --csv or --json. Received: both")
    referee = GnuGo(find_gnugo()) if args.gnugo else None
    claims = VertexClaims(args.dead, args.alive, args.seki) or None
    return replace(score_options(args), move=args.move, claims=claims, referee=referee)


def _print_one(answer: "ScoredGame | BadRecord", args: argparse.Namespace) -> int:
    from ownership.scoring.games import ScoredGame
    from ownership.scoring.text import as_json, as_text

    if not isinstance(answer, ScoredGame):
        raise InputError(str(answer))
    print(json.dumps(as_json(answer)) if args.json else as_text(answer, explain=args.explain))
    if args.picture:
        _draw(answer, args.picture)
    return 0


def _print_many(answers: "Iterable[ScoredGame | BadRecord]", as_list: bool) -> int:
    """Print every answer as soon as it is there; report bad records on stderr and go on."""
    from ownership.scoring.games import ScoredGame
    from ownership.scoring.text import as_json, as_line

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


def _print_table(answers: "Iterable[ScoredGame | BadRecord]") -> int:
    """Print a row of comma-separated values for every game as soon as it is scored; report bad records and go on."""
    from ownership.scoring.games import ScoredGame
    from ownership.scoring.text import as_row

    status, table = 0, None
    for answer in answers:
        if not isinstance(answer, ScoredGame):
            status = 2
            print(f"ownership: error: {answer}", file=sys.stderr)
            continue
        row = as_row(answer)
        if table is None:
            table = csv.DictWriter(sys.stdout, list(row), lineterminator="\n")
            table.writeheader()
        table.writerow(row)
    return status


def _draw(scored: "ScoredGame", path: str) -> None:
    from ownership.scoring.text import caption
    from viz.board import draw_ownership
    from viz.figure import new_axes, save

    answer = scored.estimate
    axes = new_axes()
    last = scored.position.recent[0] if scored.position.recent else None
    draw_ownership(scored.position.stones, answer.ownership, dead=answer.dead, last=last, ax=axes)
    axes.set_title(caption(scored))
    save(axes, path)
