"""The `ownership-gtp` program."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from goban.errors import ABOVE_ZERO, InputError, naming
from goban.game import Game
from goban.rulesets import DEFAULT_KOMI, DEFAULT_RULES, MAX_KOMI, find_rules
from gogui_plugin.analyze_commands import ANALYZE_ACTIONS
from gogui_plugin.gogui_analyze_menu import MENU_ACTIONS
from gogui_plugin.gtp import Handler, LineReader, Server
from gogui_plugin.gtp_arguments import parse_answer, parse_gtp_komi, parse_percentage, parse_seconds
from gogui_plugin.kata_raw_nn import RAW_NETWORK_ACTIONS
from gogui_plugin.session import NAME, PLAYER_NAMES, REPLAY, Action, Session, Settings, bind
from gogui_plugin.standard_commands import STANDARD_ACTIONS
from ownership.inference.model_catalogue import default_note, find_model
from ownership.katago_protocol.release import engine_version
from runtime.command_line import Argument, declare
from runtime.standard_streams import end_with_reader, open_stderr, print_error, stream_descriptor

_BROKEN_PIPE = 141
_SIDE = 19

_Value = TypeVar("_Value")


def main(argv: Sequence[str] | None = None) -> int:
    """Serve GTP on stdin and stdout until `quit` or the end of the input, and return the exit status.

    Args:
        argv: arguments without the program's name; None takes the process's.

    Returns:
        0, 2 for wrong arguments and closed streams, with one line on stderr, 141 if the reader of stdout went away.

    Raises:
        SystemExit: wrong options or --help, as argparse does.
    """
    open_stderr()
    try:
        arguments = parse_arguments(argv)
        source, target = stream_descriptor("stdin"), stream_descriptor("stdout")
        end_with_reader(target, _BROKEN_PIPE)
        if os.isatty(source):
            print("A GTP engine: attach it to a GUI, or enter GTP commands; quit ends it.", file=sys.stderr)
        serve_gtp(arguments, source, target)
    except BrokenPipeError:
        return _BROKEN_PIPE
    except (InputError, OSError) as error:
        print_error(f"ownership-gtp: error: {' '.join(str(error).split())}")
        return 2
    return 0


def serve_gtp(arguments: argparse.Namespace, source: int, target: int) -> None:
    """Serve GTP on two file descriptors until `quit` or the end of the input.

    Raises:
        InputError: no such model, player, rules or games.
        BrokenPipeError: the reader of `target` went away.
    """
    settings = Settings(
        model=arguments.model,
        player=arguments.player,
        seconds=arguments.time,
        symmetries=arguments.symmetries,
        resign_below=arguments.resign_below,
        games=arguments.games,
        ponder=arguments.ponder,
        name=arguments.name,
        version=arguments.version,
    )
    if settings.games is not None and not settings.games.exists():
        raise InputError(f"--games: expected a folder or file of games. Received: {settings.games}")
    lines = LineReader(source)
    if settings.model is not None:
        with naming("--model"):
            find_model(settings.model)
    elif note := default_note():
        print_error(f"ownership-gtp: {note}")
    session = Session(settings, _empty_board(arguments), lines)
    if settings.player not in (None, REPLAY):
        with naming("--player"):
            session.player()  # before the first command
    Server(handlers(session), lines, target, session.ponder).run()


def handlers(session: Session) -> dict[str, Handler]:
    """Return the handlers of all commands, by name; raise ValueError for a name that is registered twice."""
    actions: dict[str, Action] = {}
    for table in (STANDARD_ACTIONS, MENU_ACTIONS, ANALYZE_ACTIONS, RAW_NETWORK_ACTIONS):
        if twice := actions.keys() & table:
            raise ValueError(f"expected one action for each command. Received: several for {', '.join(twice)}")
        actions |= table
    return bind(session, actions)


def _empty_board(arguments: argparse.Namespace) -> Game:
    ruleset = find_rules(arguments.rules, "--rules")
    return Game.empty(_SIDE, ruleset=ruleset, komi=arguments.komi)


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of the command line; raise InputError, or SystemExit as argparse does."""
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ownership-gtp", description="A GTP engine that shows who will own each point; attach it to a Go GUI."
    )
    player = f"player that answers genmove: {', '.join(PLAYER_NAMES)} or a GTP program; docs/play.md lists the options"
    resign = "resign when winning is less probable than this, 0..100; 0 never"
    name = "answer to the command name, by which some clients choose what they show; docs/gogui.md lists them"
    declare(
        parser,
        Argument("--model NAME|DIR", str, "model by name or directory", otherwise="the default model"),
        Argument("--player NAME[:KEY=VALUE,...]", str, player, otherwise="mcts; greedy with a model without policy"),
        Argument("--time SECONDS", _plain(parse_seconds), "most seconds of a search for a move", 1.0, ABOVE_ZERO),
        Argument("--ponder", bool, "let mcts search on after its move until the next command"),
        Argument("--games FOLDER", Path, "folder of records for --player replay"),
        Argument("--rules NAME", str, "rules at the start", DEFAULT_RULES),
        Argument("--komi K", _plain(parse_gtp_komi), "komi at the start", DEFAULT_KOMI, -MAX_KOMI, MAX_KOMI),
        Argument("--symmetries", (1, 8), "1 is faster: ownership is not averaged over the board's symmetries", 8),
        Argument("--resign-below PERCENT", _plain(parse_percentage), resign, 0.02, otherwise="2"),
        Argument("--name TEXT", _plain(parse_answer), name, NAME),
        Argument("--version TEXT", _plain(parse_answer), "answer to the command version", engine_version()),
    )
    return parser


def _plain(parse: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """Return a function whose InputErrors begin differently from errors of GTP commands."""

    def parsed(text: str) -> _Value:
        try:
            return parse(text)
        except InputError as error:
            raise InputError(str(error).removeprefix("syntax error: ")) from None

    return parsed
