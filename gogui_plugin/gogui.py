"""GoGui's own commands: set-up, sequences, the window's title, interrupts."""

import os
import signal
from collections.abc import Callable

from goban.coords import pass_point
from goban.position import IllegalMove
from gogui_plugin.arguments import parse_colour, parse_stones
from gogui_plugin.engine import NAME
from gogui_plugin.gtp import Command, GtpError, Handler
from gogui_plugin.session import Action, Session, bind


def handlers(session: Session, interrupt: Callable[[], None]) -> dict[str, Handler]:
    """Return the handlers by name; `interrupt` is what a SIGINT does once `gogui-sigint` was asked for."""

    def sigint(_: Command) -> str:
        signal.signal(signal.SIGINT, lambda *_: interrupt())
        return str(os.getpid())

    return {**bind(session, _ACTIONS), "gogui-sigint": sigint}


def _play_sequence(session: Session, command: Command) -> str:
    stones = parse_stones(command.arguments, session.state.side)
    try:
        session.state = session.state.play_all(stones)
    except IllegalMove as error:
        raise GtpError(f"illegal move: {error}") from None
    return ""


def _setup(session: Session, command: Command) -> str:
    state = session.state
    stones = parse_stones(command.arguments, state.side)
    if any(point == pass_point(state.side) for _, point in stones):
        raise GtpError("syntax error: expected points to set up. Received: pass")
    session.state = state.with_setup({point: colour for colour, point in stones}, state.position.to_move)
    return ""


def _setup_player(session: Session, command: Command) -> str:
    (colour,) = command.take(1)
    session.state = session.state.with_player(parse_colour(colour))
    return ""


def _title(session: Session, _: Command) -> str:
    game = f" - {session.record.game.source}" if session.record else ""
    return f"{NAME} ({session.judge.name}){game}"


_ACTIONS: dict[str, Action] = {
    "gogui-interrupt": lambda *_: "",
    "gogui-play_sequence": _play_sequence,
    "gogui-setup": _setup,
    "gogui-setup_player": _setup_player,
    "gogui-title": _title,
}
