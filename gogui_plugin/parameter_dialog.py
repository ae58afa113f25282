"""The dialog in which GoGui shows and changes the engine's options."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from goban.errors import InputError, shown
from goban.rulesets import RULESETS, find_rules
from gogui_plugin.gtp import Command, GtpError
from gogui_plugin.gtp_arguments import (
    komi_argument,
    parse_bool,
    parse_percentage,
    parse_seconds,
    whole_argument,
)
from gogui_plugin.session import PLAYER_NAMES, REPLAY, Model, Session
from ownership.inference.model_files import default_model, find_model, named_models
from planes.plane_names import PLANES

_MOST_CANDIDATES = 361


@dataclass(frozen=True)
class Option:
    """An entry of the dialog.

    Attributes:
        key: its name.
        value: returns the current value as text.
        change: sets the value from text; raises InputError and changes nothing if the text is no such value.
        kind: returns GoGui's type of the entry: `bool`, `string`, or `list/` and the choices.
    """

    key: str
    value: Callable[[Session], str]
    change: Callable[[Session, str], None]
    kind: Callable[[Session], str] = lambda _: "string"


def parameters(session: Session, command: Command) -> str:
    """List the options, or change the one that is given as `KEY VALUE`; raise InputError and change nothing."""
    key, _, value = command.text.partition(" ")
    if not key:
        return "\n".join(f"[{each.kind(session)}] {each.key} {each.value(session)}" for each in OPTIONS)
    option = next((each for each in OPTIONS if each.key == key), None)
    if option is None:
        raise GtpError(f"expected an option {', '.join(each.key for each in OPTIONS)}. Received: {shown(key)}")
    option.change(session, value.strip())
    return ""


def _choices(names: Iterable[str]) -> str:
    return f"list/{'/'.join(dict.fromkeys(names))}"


def _change(session: Session, **values: Any) -> None:
    session.settings = replace(session.settings, **values)


def _model(session: Session) -> str:
    return session.settings.model or default_model().model


def _model_kind(session: Session) -> str:
    names = named_models()
    return _choices(names) if _model(session) in names else "string"


def _set_model(session: Session, value: str) -> None:
    model = Model(find_model(value))
    model.wait()
    session.model = model
    _change(session, model=value)


def _set_rules(session: Session, value: str) -> None:
    session.game = replace(session.game, ruleset=find_rules(value))


def _set_komi(session: Session, value: str) -> None:
    session.game = replace(session.game, komi=komi_argument(value))


def _set_player(session: Session, value: str) -> None:
    before = session.settings
    _change(session, player=value)
    try:
        if value != REPLAY:
            session.player()
    except InputError:
        session.settings = before
        raise


def _set_candidates(session: Session, value: str) -> None:
    _change(session, candidates=whole_argument(value, 1, _MOST_CANDIDATES))


def _set_plane(session: Session, value: str) -> None:
    if value not in PLANES:
        raise GtpError(f"expected a plane {', '.join(PLANES)}. Received: {shown(value)}")
    _change(session, plane=value)


OPTIONS: Final = (
    Option("model", _model, _set_model, _model_kind),
    Option(
        "average_symmetries",
        lambda session: str(int(session.settings.symmetries == 8)),
        lambda session, value: _change(session, symmetries=8 if parse_bool(value) else 1),
        lambda _: "bool",
    ),
    Option(
        "rules",
        lambda session: session.game.ruleset.name,
        _set_rules,
        lambda session: _choices([*RULESETS, session.game.ruleset.name]),
    ),
    Option("komi", lambda session: f"{session.game.komi:g}", _set_komi),
    Option(
        "player",
        lambda session: session.player_name,
        _set_player,
        lambda session: _choices([*PLAYER_NAMES, session.player_name]),
    ),
    Option(
        "seconds_per_move",
        lambda session: f"{session.settings.seconds:g}",
        lambda session, value: _change(session, seconds=parse_seconds(value)),
    ),
    Option(
        "seconds_of_search_displays",
        lambda session: f"{session.settings.search_seconds:g}",
        lambda session, value: _change(session, search_seconds=parse_seconds(value)),
    ),
    Option("candidates", lambda session: str(session.settings.candidates), _set_candidates),
    Option(
        "resign_below_percent",
        lambda session: f"{100 * session.settings.resign_below:g}",
        lambda session, value: _change(session, resign_below=parse_percentage(value)),
    ),
    Option("input_plane", lambda session: session.settings.plane, _set_plane, lambda _: _choices(PLANES)),
)
