"""Search for the best moves in a position of a game.

Examples:
    ownership search game.sgf --move 60 --time 5

See docs/play.md.
"""

import argparse

from goban import text_diagram
from goban.coords import colour_name, gtp_name
from goban.counting.counted_score import format_result
from goban.errors import InputError, cut
from goban.game import Game
from ownership.commands.shared.game_arguments import GAME_HELP, move_argument
from ownership.commands.shared.game_position import game_at
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.commands.shared.run_arguments import LONGEST_TIME
from ownership.inference.evaluator import Evaluator
from ownership.players.alphabeta_player import AlphaBetaPlayer
from ownership.players.long_term_player import LongTermPlayer
from ownership.players.mcts_player import MctsPlayer
from ownership.players.player_interface import Turn
from ownership.players.registry import make_player
from ownership.search.alphabeta.alphabeta_options import TECHNIQUES
from ownership.search.search_result import SearchResult
from runtime.command_line import Argument, declare

_MAX_MARKS = 9
_COLUMNS = {
    "depth": "plies read, in a tree search of its longest line; + where the last ply is not read to the end",
    "score": "points by which Black (B+) or White (W+) is expected to win after the line, komi included",
    "nodes": "positions searched so far; in a tree search those in the tree",
    "evaluations": "positions that the network evaluated so far",
    "seconds": "since the search began",
    "line": "the best moves of both sides, the next one first",
}
_SEARCHERS = ("mcts", "alphabeta", "longterm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership search`."""
    techniques = "\n".join(f"  {name:14} {effect}" for name, effect in TECHNIQUES.items())
    columns = "\n".join(f"  {name:14} {meaning}" for name, meaning in _COLUMNS.items())
    parser.epilog = f"columns:\n{columns}\n\ntechniques of alphabeta, which without=NAME+NAME leaves out:\n{techniques}"
    player = f"--player {'|'.join(_SEARCHERS)}[:KEY=VALUE,...]"
    declare(
        parser,
        Argument("file FILE", str, GAME_HELP),
        move_argument("search"),
        Argument("--time SECONDS", float, "seconds to search for", 5.0, 0.001, LONGEST_TIME),
        Argument(player, str, "search to use, with its options, which docs/play.md lists", "mcts"),
        model_argument(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each result on the way, then the board with the expected moves; return 0."""
    game = game_at(arguments.file, arguments.move)
    turn = Turn(game)
    player = _player(arguments)
    print("depth  score      nodes  evaluations  seconds  line")
    for result in player.results(turn, lambda: False):
        print(_line(game.side, result), flush=True)
    print(_board(game, result))
    print(f"{colour_name(game.position.to_move)} to move; the numbers are the expected moves")
    return 0


def _player(arguments: argparse.Namespace) -> MctsPlayer | AlphaBetaPlayer | LongTermPlayer:
    def load(model: str | None) -> Evaluator:
        return Evaluator.load(model) if model else load_model(arguments.model)

    name = arguments.player.partition(":")[0]
    player = make_player(arguments.player, load, {"time": arguments.time}) if name in _SEARCHERS else None
    if not isinstance(player, MctsPlayer | AlphaBetaPlayer | LongTermPlayer):
        known = f"{', '.join(_SEARCHERS[:-1])} or {_SEARCHERS[-1]}"
        raise InputError(f"--player must be {known}, with or without options. Received: {cut(arguments.player)}")
    return player


def _line(side: int, result: SearchResult) -> str:
    line = " ".join(gtp_name(point, side) for point in result.line)
    depth = f"{result.depth}{'' if result.complete else '+'}"
    score = format_result(round(result.score, 1))
    return f"{depth:<5}  {score:<7}  {result.nodes:7}  {result.evaluations:11}  {result.seconds:7.2f}  {line}"


def _board(game: Game, result: SearchResult) -> str:
    """Return the board as a diagram, with numbers on the first moves of the expected line."""
    stones = game.position.stones
    moves = [point for point in dict.fromkeys(result.line) if point < stones.size and not stones.flat[point]]
    marks = {point: str(number) for number, point in enumerate(moves[:_MAX_MARKS], 1)}
    return text_diagram.render_text(stones, marks=marks)
