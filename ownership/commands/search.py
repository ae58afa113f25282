"""`ownership search`: what a search finds in a position of a game, depth by depth."""

import argparse
import math
from typing import TYPE_CHECKING

from goban.errors import InputError

if TYPE_CHECKING:
    from ownership.players.base import Turn
    from ownership.search.alphabeta import SearchResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership search`."""
    parser.add_argument("file", metavar="FILE", help="SGF file, - for stdin")
    parser.add_argument("--move", type=int, metavar="N", help="the position after N moves (default: the last)")
    parser.add_argument("--time", type=float, default=5.0, metavar="SECONDS", help="(default: %(default)g)")
    parser.add_argument(
        "--player",
        default="alphabeta",
        metavar="alphabeta[:KEY=VALUE,...]",
        help="how to search; docs/play.md lists the options (default: alphabeta)",
    )
    parser.add_argument("--model", metavar="NAME|DIR", help="bundled model or model directory (default: default)")


def run(args: argparse.Namespace) -> int:
    """Print a line for every depth, then the board with the moves that are expected; return 0."""
    from ownership.inference.evaluator import Evaluator
    from ownership.players.alphabeta import AlphaBetaPlayer
    from ownership.players.registry import make_player

    if not 0 < args.time < math.inf:
        raise InputError(f"--time must be above 0 seconds. Received: {args.time:g}")
    turn = _situation(args)
    if args.player.partition(":")[0] != "alphabeta":
        raise InputError(f"--player must be alphabeta, with or without options. Received: {args.player}")
    player = make_player(args.player, lambda model: Evaluator.load(model or args.model), {"time": args.time})
    assert isinstance(player, AlphaBetaPlayer)
    print("depth  score      nodes  evaluations  seconds  line")
    for result in player.results(turn, lambda: False):
        print(_line(turn, result), flush=True)
    print(_board(turn, result))
    return 0


def _situation(args: argparse.Namespace) -> "Turn":
    from ownership.players.base import Turn
    from preprocessing.records.game import GameRecord
    from preprocessing.records.sources import read_games

    game = next(read_games([args.file]), None)
    if not isinstance(game, GameRecord):
        raise InputError(str(game or f"{args.file}: no game"))
    last = len(game.moves)
    plies = last if args.move is None else args.move
    if not 0 <= plies <= last:
        raise InputError(f"--move must be 0..{last} in {args.file}. Received: {plies}")
    return Turn(game.as_game(plies))


def _line(turn: "Turn", result: "SearchResult") -> str:
    from goban.coords import gtp_name
    from goban.counting.score import format_result

    line = " ".join(gtp_name(point, turn.position.side) for point in result.line)
    depth = f"{result.depth}{'' if result.complete else '+'}"
    score = format_result(round(result.score, 1))
    return f"{depth:<5}  {score:<7}  {result.nodes:7}  {result.evaluations:11}  {result.seconds:7.2f}  {line}"


def _board(turn: "Turn", result: "SearchResult") -> str:
    """Return the board with the moves that are expected numbered, as far as a digit goes."""
    from goban import diagram

    stones = turn.position.stones
    moves = [point for point in dict.fromkeys(result.line) if point < stones.size and not stones.flat[point]]
    return diagram.render(stones, marks={point: str(number) for number, point in enumerate(moves[:9], 1)})
