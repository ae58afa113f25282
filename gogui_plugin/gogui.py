"""GoGui's own commands: set-up, sequences, the window's title, interrupts."""

import os
import signal
from collections.abc import Mapping
from typing import Final

from goban.coords import pass_point
from goban.position import IllegalMove
from gogui_plugin.arguments import parse_colour, parse_stones
from gogui_plugin.engine import NAME
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.session import Action, Session


def _sigint(session: Session, _: Command) -> str:
    """Let SIGINT interrupt the running command, and return the process that it has to be sent to."""
    signal.signal(signal.SIGINT, lambda *_: session.interrupt())
    return str(os.getpid())


def _play_sequence(session: Session, command: Command) -> str:
    """Play moves, which may repeat positions, as those of `play` may."""
    stones = parse_stones(command.arguments, session.game.side)
    try:
        session.game = session.game.play_all(stones, superko=False)
    except IllegalMove as error:
        raise GtpError(f"illegal move: {error}") from None
    return ""


def _setup(session: Session, command: Command) -> str:
    game = session.game
    stones = parse_stones(command.arguments, game.side)
    if any(point == pass_point(game.side) for _, point in stones):
        raise GtpError("syntax error: expected points to set up. Received: pass")
    session.game = game.with_setup({point: colour for colour, point in stones}, game.position.to_move)
    return ""


def _setup_player(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    session.game = session.game.with_player(parse_colour(colour))
    return ""


def _title(session: Session, _: Command) -> str:
    game = f" - {session.loaded.record.source}" if session.loaded else ""
    return f"{NAME} ({session.model.name}){game}"


ACTIONS: Final[Mapping[str, Action]] = {
    "gogui-interrupt": lambda *_: "",
    "gogui-play_sequence": _play_sequence,
    "gogui-setup": _setup,
    "gogui-setup_player": _setup_player,
    "gogui-sigint": _sigint,
    "gogui-title": _title,
}
