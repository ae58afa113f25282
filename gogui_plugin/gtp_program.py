"""The `ownership-gtp` program."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from goban.errors import InputError
from goban.game import Game
from goban.rulesets import DEFAULT_KOMI, DEFAULT_RULES, find_rules
from gogui_plugin import gogui_menu, lz_kata_analyze, standard_commands
from gogui_plugin.gtp import Handler, LineReader, Server
from gogui_plugin.gtp_arguments import (
    komi_argument,
    parse_answer,
    parse_percentage,
    parse_seconds,
)
from gogui_plugin.session import NAME, PLAYER_NAMES, REPLAY, Action, Session, Settings, bind
from ownership.inference.model_files import default_note, find_model
from ownership.katago_protocol.release import engine_version
from runtime.this_process import end_with_reader, open_stderr, print_error, stream_descriptor

_BROKEN_PIPE = 141
_SIDE = 19

_Value = TypeVar("_Value")


def main(argv: Sequence[str] | None = None) -> int:
    """Serve GTP on stdin and stdout until `quit` or the end of the input, and return the exit status.

    Args:
        argv: arguments without the program's name; None takes those of the process.

    Returns:
        0, 2 for wrong arguments and closed streams, with one line on stderr, 141 if the reader of stdout went away.

    Raises:
        SystemExit: wrong options or --help, as argparse does.
    """
    open_stderr()
    arguments = parse_arguments(argv)
    try:
        source, target = stream_descriptor("stdin"), stream_descriptor("stdout")
        end_with_reader(target, _BROKEN_PIPE)
        if os.isatty(source):
            print("A GTP engine: attach it to a GUI, or enter GTP commands; quit ends it.", file=sys.stderr)
        serve(arguments, source, target)
    except BrokenPipeError:
        return _BROKEN_PIPE
    except (InputError, OSError) as error:
        print_error(f"ownership-gtp: error: {' '.join(str(error).split())}")
        return 2
    return 0


def serve(arguments: argparse.Namespace, source: int, target: int) -> None:
    """Serve GTP on two file descriptors until `quit` or the end of the input.

    Raises:
        InputError: wrong arguments, or no such model.
        BrokenPipeError: the reader of `target` went away.
    """
    settings = Settings(
        model=arguments.model,
        player=arguments.player,
        seconds=_read("--time", parse_seconds, arguments.time),
        symmetries=arguments.symmetries,
        resign_below=_read("--resign-below", parse_percentage, arguments.resign_below),
        games=arguments.games,
        ponder=arguments.ponder,
        name=_read("--name", parse_answer, arguments.name),
        version=_read("--version", parse_answer, arguments.version),
    )
    if settings.games is not None and not settings.games.exists():
        raise InputError(f"--games: expected a folder or file of games. Received: {settings.games}")
    lines = LineReader(source)
    if settings.model is not None:
        _read("--model", find_model, settings.model)
    elif note := default_note():
        print_error(f"ownership-gtp: {note}")
    session = Session(settings, _empty_board(arguments), lines)
    if settings.player not in (None, REPLAY):
        _read("--player", lambda _: session.player(), settings.player)  # before the first command
    Server(handlers(session), lines, target, session.ponder).run()


def handlers(session: Session) -> dict[str, Handler]:
    """Return the handlers of all commands, by name; raise ValueError for a name that is registered twice."""
    actions: dict[str, Action] = {}
    for module in (standard_commands, gogui_menu, lz_kata_analyze):
        if twice := actions.keys() & module.ACTIONS:
            raise ValueError(f"expected one action for each command. Received: several for {', '.join(twice)}")
        actions |= module.ACTIONS
    return bind(session, actions)


def _empty_board(arguments: argparse.Namespace) -> Game:
    ruleset = find_rules(arguments.rules, "--rules")
    return Game.empty(_SIDE, ruleset=ruleset, komi=_read("--komi", komi_argument, arguments.komi))


def _read(name: str, parse: Callable[[str], _Value], text: str) -> _Value:
    """Return the value of an option; raise InputError that names it."""
    try:
        return parse(text)
    except InputError as error:
        raise InputError(f"{name}: {str(error).removeprefix('syntax error: ')}") from None


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of the command line; raise SystemExit as argparse does."""
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ownership-gtp", description="A GTP engine that shows who will own each point; attach it to a Go GUI."
    )
    parser.add_argument("--model", metavar="NAME|DIR", help="model by name or directory (default: the default model)")
    parser.add_argument(
        "--player",
        metavar="NAME[:KEY=VALUE,...]",
        help=f"player that answers genmove: {', '.join(PLAYER_NAMES)} or a GTP program; docs/play.md lists their "
        "options (default: mcts, or greedy with a model that has no policy)",
    )
    parser.add_argument(
        "--time", default="1", metavar="SECONDS", help="most seconds of a search for a move (default: %(default)s)"
    )
    parser.add_argument(
        "--ponder", action="store_true", help="let mcts search on after its move until the next command (default: off)"
    )
    parser.add_argument("--games", type=Path, metavar="FOLDER", help="folder of records for --player replay")
    parser.add_argument(
        "--rules", default=DEFAULT_RULES, metavar="NAME", help="rules at the start (default: %(default)s)"
    )
    parser.add_argument(
        "--komi", default=f"{DEFAULT_KOMI:g}", metavar="K", help="komi at the start (default: %(default)s)"
    )
    parser.add_argument(
        "--symmetries",
        type=int,
        choices=(1, 8),
        default=8,
        help="1 is faster: ownership is not averaged over the board's symmetries (default: 8)",
    )
    parser.add_argument(
        "--resign-below",
        default="2",
        metavar="PERCENT",
        help="resign when winning is less probable than this; 0 never (default: %(default)s)",
    )
    parser.add_argument(
        "--name",
        default=NAME,
        metavar="TEXT",
        help="answer to the command name, by which some clients choose what they show; docs/gogui.md lists them "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--version",
        default=engine_version(),
        metavar="TEXT",
        help="answer to the command version (default: %(default)s)",
    )
    return parser
