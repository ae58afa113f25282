"""`ownership match`: let players play each other, and tell how much better one is."""

import argparse
import math
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from goban.errors import InputError

if TYPE_CHECKING:
    from ownership.inference.evaluator import Evaluator
    from ownership.match.conditions import Conditions
    from ownership.match.referee import Referee
    from ownership.players.base import Player

MOST_PLAYERS = 26


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership match`."""
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="alphabeta, policy, greedy or random, with options such as alphabeta:time=2,width=8, or the command "
        "line of a GTP program, such as 'gnugo --mode gtp --level 10'; docs/play.md lists the options",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FOLDER", help="where results and games are kept"
    )
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each pair (default: %(default)s)")
    parser.add_argument("--size", type=int, default=9, metavar="S", help="board side (default: %(default)s)")
    parser.add_argument(
        "--komi", type=float, metavar="K", help="points for White (default: 6.5 up to 9x9, else 7.5; 0.5 with handicap)"
    )
    parser.add_argument("--handicap", type=int, default=0, metavar="H", help="stones for Black (default: 0)")
    parser.add_argument("--rules", default="chinese", metavar="NAME", help="(default: %(default)s)")
    parser.add_argument(
        "--opening", type=int, metavar="N", help="random moves that games begin with (default: 2, on 5x5 and below 1)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the openings (default: %(default)s)")
    parser.add_argument("--time", type=float, default=0.0, metavar="SECONDS", help="each player's for a game")
    parser.add_argument(
        "--byo-yomi", type=float, default=0.0, metavar="SECONDS", help="for each move, after the time for the game"
    )
    parser.add_argument(
        "--patience", type=float, default=60.0, metavar="SECONDS", help="given a program for a move (default: 60)"
    )
    parser.add_argument(
        "--referee", default="gnugo", metavar="gnugo|MODEL", help="who counts: GNU Go or a model (default: gnugo)"
    )
    parser.add_argument("--model", metavar="NAME|DIR", help="of players without one of their own, and of the comments")
    parser.add_argument("--no-comments", action="store_true", help="write no ownership into the games")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="games at the same time (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Play what is left to be played, and print the results; return 0."""
    from tqdm import tqdm

    from ownership.inference.evaluator import Evaluator
    from ownership.match.conditions import schedule
    from ownership.match.run import Match
    from ownership.match.storage import MatchFolder
    from ownership.match.summary import summary

    _check(args)

    @cache
    def load(model: str | None) -> Evaluator:
        return Evaluator.load(model)

    def load_own(model: str | None) -> Evaluator:
        return load(model or args.model)

    make, conditions, referee = _maker(load_own, args.patience), _conditions(args), _referee(args.referee, load)
    for text in dict.fromkeys(args.players):
        make(text)
    folder = MatchFolder(args.output, args.players, conditions, args.referee)
    results = folder.results()
    done = {result.pairing for result in results}
    pairings = [each for each in schedule(args.players, args.games) if each not in done]
    commentator = None if args.no_comments else load(args.model)
    match = Match(args.players, make, conditions, referee, folder, commentator)
    games = match.play(pairings, args.jobs)
    bar = tqdm(
        games, initial=len(results), total=len(results) + len(pairings), unit="game", disable=not sys.stderr.isatty()
    )
    try:
        results.extend(bar)
    finally:
        games.close()
    print(summary(args.players, results))
    return 0


def _check(args: argparse.Namespace) -> None:
    if not 2 <= len(args.players) <= MOST_PLAYERS:
        raise InputError(f"expected 2..{MOST_PLAYERS} players. Received: {len(args.players)}")
    for name, least in (("games", 1), ("jobs", 1), ("seed", 0)):
        if getattr(args, name) < least:
            raise InputError(f"--{name} must be at least {least}. Received: {getattr(args, name)}")
    if not 0 < args.patience < math.inf:
        raise InputError(f"--patience must be above 0 seconds. Received: {args.patience:g}")


def _conditions(args: argparse.Namespace) -> "Conditions":
    from ownership.match.conditions import Conditions, most_opening_moves

    komi, opening = args.komi, args.opening
    if opening is None:
        opening = min(2, most_opening_moves(args.size))
    if komi is None:
        komi = 0.5 if args.handicap else 6.5 if args.size <= 9 else 7.5
    return Conditions(args.size, komi, args.handicap, args.rules, opening, args.seed, args.time, args.byo_yomi)


def _maker(load: "Callable[[str | None], Evaluator]", patience: float) -> "Callable[[str], Player]":
    from ownership.players.registry import make_player

    return lambda text: make_player(text, load, move_seconds=patience)


def _referee(name: str, load: "Callable[[str | None], Evaluator]") -> "Referee":
    from ownership.match.referee import GnuGoReferee, ModelReferee
    from preprocessing.labels.gnugo import GnuGo

    if name != "gnugo":
        return ModelReferee(load(name))
    gnugo = GnuGo()
    gnugo.version()
    return GnuGoReferee(gnugo)
