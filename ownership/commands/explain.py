"""Explain how a group lives or dies, both sides first; without a group, list those that most points hang on.

Examples:
    ownership explain game.sgf D18
    ownership explain game.sgf --move 120

See docs/explaining.md.
"""

import argparse
import json

from goban.coords import parse_gtp
from goban.errors import naming
from ownership.commands.shared.game_arguments import GAME_HELP, move_argument
from ownership.commands.shared.game_position import game_at
from ownership.commands.shared.model_arguments import load_model, model_argument
from ownership.explaining.explanation_text import status_json, status_text
from ownership.explaining.group_status import VISITS, explain_group
from ownership.explaining.stakes import stakes, stakes_text
from runtime.command_line import Argument, declare

_MOST = 10  # groups that are listed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership explain`."""
    declare(
        parser,
        Argument("file FILE", str, GAME_HELP),
        Argument("vertex VERTEX", str, "a stone of the group, such as D18", count="?"),
        move_argument("explain"),
        Argument("--visits N", int, "visits for the first move of each line", VISITS, 1, 100_000),
        Argument("--json", bool, "print JSON", False),
        model_argument(),
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the status of the group and the lines that show it, or what is at stake; return 0."""
    game = game_at(arguments.file, arguments.move)
    if arguments.vertex is None:
        found = stakes(load_model(arguments.model), game)
        print(json.dumps([each.as_json() for each in found]) if arguments.json else stakes_text(found, _MOST))
        return 0
    with naming("VERTEX"):
        point = parse_gtp(arguments.vertex, game.side)
        status = explain_group(load_model(arguments.model), game, point, arguments.visits)
    print(json.dumps(status_json(status)) if arguments.json else status_text(status))
    return 0
