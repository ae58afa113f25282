"""The dialog in which GoGui shows and changes the engine's options."""

from collections.abc import Callable
from dataclasses import replace

from goban.errors import InputError
from goban.rulesets import RULESETS
from gogui_plugin.arguments import parse_bool, parse_number, parse_whole
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.judge import Judge
from gogui_plugin.session import PLAYERS, REPLAY, Session
from ownership.inference.files import bundled_models, find_model

_MOST_CANDIDATES = 361


def parameters(session: Session, command: Command) -> str:
    """List the options, or change the one that is given as `KEY VALUE`; raise InputError and change nothing."""
    key, _, value = command.text.partition(" ")
    if not key:
        return _listed(session)
    if key not in _SETTERS:
        raise GtpError(f"expected an option {', '.join(_SETTERS)}. Received: {key!r}")
    _SETTERS[key](session, value.strip())
    return ""


def _listed(session: Session) -> str:
    settings, state = session.settings, session.state
    names = bundled_models()
    current = settings.model or "default"
    model = f"[list/{'/'.join(names)}]" if current in names else "[string]"
    rules = dict.fromkeys([*RULESETS, state.ruleset.name])
    return "\n".join(
        [
            f"{model} model {current}",
            f"[bool] average_symmetries {int(settings.symmetries == 8)}",
            f"[list/{'/'.join(rules)}] rules {state.ruleset.name}",
            f"[string] komi {state.komi:g}",
            f"[list/{'/'.join(dict.fromkeys([*PLAYERS, session.player_name]))}] player {session.player_name}",
            f"[string] seconds_per_move {settings.seconds:g}",
            f"[string] candidates {settings.candidates}",
            f"[string] resign_below_percent {100 * settings.resign_below:g}",
        ]
    )


def _set_model(session: Session, value: str) -> None:
    judge = Judge(find_model(value))
    judge.wait()
    session.judge = judge
    session.settings = replace(session.settings, model=value)


def _set_symmetries(session: Session, value: str) -> None:
    session.settings = replace(session.settings, symmetries=8 if parse_bool(value) else 1)


def _set_rules(session: Session, value: str) -> None:
    if value not in RULESETS:
        raise GtpError(f"expected rules {', '.join(RULESETS)}. Received: {value!r}")
    session.state = replace(session.state, ruleset=RULESETS[value])


def _set_komi(session: Session, value: str) -> None:
    session.state = replace(session.state, komi=parse_number(value))


def _set_player(session: Session, value: str) -> None:
    before = session.settings
    session.settings = replace(before, player=value)
    try:
        if value != REPLAY:
            session.player()
    except InputError:
        session.settings = before
        raise


def _set_seconds(session: Session, value: str) -> None:
    seconds = parse_number(value)
    if seconds <= 0:
        raise GtpError(f"expected seconds above 0. Received: {seconds:g}")
    session.settings = replace(session.settings, seconds=seconds)


def _set_candidates(session: Session, value: str) -> None:
    count = parse_whole(value)
    if not 1 <= count <= _MOST_CANDIDATES:
        raise GtpError(f"expected 1..{_MOST_CANDIDATES} candidates. Received: {count}")
    session.settings = replace(session.settings, candidates=count)


def _set_resign(session: Session, value: str) -> None:
    percent = parse_number(value)
    if not 0 <= percent <= 100:
        raise GtpError(f"expected a percentage 0..100. Received: {percent:g}")
    session.settings = replace(session.settings, resign_below=percent / 100)


_SETTERS: dict[str, Callable[[Session, str], None]] = {
    "model": _set_model,
    "average_symmetries": _set_symmetries,
    "rules": _set_rules,
    "komi": _set_komi,
    "player": _set_player,
    "seconds_per_move": _set_seconds,
    "candidates": _set_candidates,
    "resign_below_percent": _set_resign,
}
