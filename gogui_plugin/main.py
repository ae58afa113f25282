"""The `ownership-gtp` program."""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from goban.errors import InputError

_BROKEN_PIPE = 141
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Serve GTP on stdin and stdout until `quit` or the end of the input, and return the exit status.

    Args: `argv`, arguments without the program's name; None takes those of the process. Returns 0, 2 for wrong
    arguments, told in one line on stderr, 130 if interrupted, 141 if the reader of stdout went away. Raises
    SystemExit for wrong options, --help and --version, as argparse does.
    """
    arguments = parse_arguments(argv)
    try:
        serve(arguments, sys.stdin.fileno(), sys.stdout.fileno())
    except BrokenPipeError:
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (InputError, OSError) as error:
        print(f"ownership-gtp: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


def serve(arguments: argparse.Namespace, source: int, target: int) -> None:
    """Serve GTP on two file descriptors; raise InputError for a model that is not there, BrokenPipeError."""
    from goban.position import Position
    from goban.rulesets import RULESETS, parse_rules
    from gogui_plugin import analyze, engine, gogui, live
    from gogui_plugin.game_state import GameState
    from gogui_plugin.gtp import LineReader, Server
    from gogui_plugin.session import REPLAY, Session, Settings

    ruleset = parse_rules(arguments.rules)
    if ruleset is None:
        raise InputError(f"--rules must be one of {', '.join(RULESETS)}. Received: {arguments.rules}")
    if not 0 < arguments.time < math.inf:
        raise InputError(f"--time must be above 0 seconds. Received: {arguments.time:g}")
    if arguments.games is not None and not arguments.games.exists():
        raise InputError(f"--games: expected a folder or file of games. Received: {arguments.games}")
    settings = Settings(
        model=arguments.model,
        player=arguments.player,
        seconds=arguments.time,
        symmetries=arguments.symmetries,
        resign_below=arguments.resign_below / 100,
        games=arguments.games,
    )
    lines = LineReader(source)
    state = GameState((Position.empty(19),), komi=arguments.komi, ruleset=ruleset)
    session = Session(settings, state, lines.wait, lines.interrupted)
    if settings.player not in (None, REPLAY):
        session.player()  # says what is wrong with it before anything is asked
    Server(
        {
            **engine.handlers(session),
            **gogui.handlers(session, lines.interrupt),
            **analyze.handlers(session),
            **live.handlers(session),
        },
        lines,
        target,
    ).run()


def parse_arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of the command line; raise SystemExit as argparse does."""
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ownership-gtp", description="A GTP engine that shows who will own each point; attach it to a Go GUI."
    )
    parser.add_argument("--model", metavar="NAME|DIR", help="bundled model or model directory (default: default)")
    parser.add_argument(
        "--player",
        metavar="NAME[:KEY=VALUE,...]",
        help="who answers genmove: alphabeta, policy, greedy (one ply), random, replay or a GTP program; "
        "docs/play.md lists their options (default: alphabeta, with a model that knows no moves greedy)",
    )
    parser.add_argument(
        "--time", type=float, default=1.0, metavar="SECONDS", help="the most that a search takes a move (default: 1)"
    )
    parser.add_argument("--games", type=Path, metavar="FOLDER", help="where `load the next game` takes records from")
    parser.add_argument("--rules", default="area", metavar="NAME", help="rules at the start (default: area)")
    parser.add_argument("--komi", type=float, default=6.5, metavar="K", help="points for White (default: 6.5)")
    parser.add_argument(
        "--symmetries", type=int, choices=(1, 8), default=1, help="8 averages over the board's symmetries (default: 1)"
    )
    parser.add_argument(
        "--resign-below",
        type=float,
        default=2.0,
        metavar="PERCENT",
        help="resign when winning is less probable than this; 0 never (default: 2)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
