"""Players by name and options, such as `alphabeta:time=2,width=8`, or another program by its command line."""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.players.alphabeta import AlphaBetaPlayer, Listener
from ownership.players.base import Player
from ownership.players.external import ExternalPlayer
from ownership.players.greedy import GreedyPlayer
from ownership.players.gtp_client import PATIENCE, program
from ownership.players.policy import PolicyPlayer, RandomPlayer
from ownership.search.options import Limits, SearchOptions

Load = Callable[[str | None], Evaluator]
Reader = Callable[[str], Any]


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise InputError(f"expected a whole number. Received: {text!r}")
    return int(text)


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise InputError(f"expected a number from 0 up. Received: {text!r}")
    return number


def _percent(text: str) -> float:
    if _number(text) > 100:
        raise InputError(f"expected a percentage up to 100. Received: {text}")
    return _number(text) / 100


def _symmetries(text: str) -> int:
    if text not in ("1", "8"):
        raise InputError(f"expected 1 or 8. Received: {text!r}")
    return int(text)


_SEARCH: Final[dict[str, Reader]] = {
    "width": lambda text: None if text == "all" else _whole(text),
    "narrowing": _number,
    "least_width": _whole,
    "forcing": _whole,
    "vital": _whole,
    "policy_weight": _number,
    "window": _number,
    "quiet_plies": _whole,
    "batch": _whole,
    "without": lambda text: frozenset(text.split("+")),
}
_LIMITS: Final[dict[str, Reader]] = {"depth": _whole, "nodes": _whole, "evaluations": _whole, "time": _number}

OPTIONS: Final[dict[str, dict[str, Reader]]] = {
    "alphabeta": {"model": str, "symmetries": _symmetries, "resign": _percent, **_LIMITS, **_SEARCH},
    "policy": {"model": str, "temperature": _number, "resign": _percent, "seed": _whole},
    "greedy": {"model": str, "candidates": _whole, "resign": _percent},
    "random": {"seed": _whole},
}
PLAYERS: Final = OPTIONS
assert {field.name for field in fields(SearchOptions)} == set(_SEARCH)


def make_player(
    text: str,
    load: Load,
    defaults: Mapping[str, Any] | None = None,
    *,
    listener: Listener | None = None,
    move_seconds: float = PATIENCE,
) -> Player:
    """Return the player of a text: a name of OPTIONS, with or without options, or else a command line.

    Args: `load`, which returns the evaluator of a model, None being the default one; `defaults`, options for players
    that have them; `listener`, told what a search finds; `move_seconds`, the longest that a program may take.
    Raises InputError for unknown names, options and values, and for a model without what the player needs.
    """
    name, _, listed = text.partition(":")
    if name not in OPTIONS:
        return ExternalPlayer(_program(text), move_seconds)
    given = {key: value for key, value in (defaults or {}).items() if key in OPTIONS[name]}
    values = {**given, **_values(name, _listed(name, listed))}
    if name == "random":
        return RandomPlayer(**values)
    evaluator = load(values.pop("model", None))
    if name == "alphabeta":
        return _alphabeta(evaluator, values, listener)
    renamed = {"resign": "resign_below", "candidates": "refined"}
    arguments = {renamed.get(key, key): value for key, value in values.items()}
    return PolicyPlayer(evaluator, **arguments) if name == "policy" else GreedyPlayer(evaluator, **arguments)


def _program(text: str) -> list[str]:
    try:
        return program(text)
    except InputError as error:
        raise InputError(f"expected a player {', '.join(OPTIONS)} or a GTP program: {error}") from None


def _listed(name: str, text: str) -> dict[str, str]:
    """Return the options of `key=value,key=value`."""
    pairs = [part.partition("=") for part in text.split(",") if part]
    for key, sign, _ in pairs:
        if key not in OPTIONS[name] or not sign:
            known = ", ".join(f"{each}=" for each in OPTIONS[name])
            raise InputError(f"player {name}: expected options {known}. Received: {key}")
    return {key: value for key, _, value in pairs}


def _values(name: str, options: Mapping[str, str]) -> dict[str, Any]:
    values = {}
    for key, text in options.items():
        try:
            values[key] = OPTIONS[name][key](text)
        except InputError as error:
            raise InputError(f"player {name}, {key}: {error}") from None
    return values


def _alphabeta(evaluator: Evaluator, values: Mapping[str, Any], listener: Listener | None) -> AlphaBetaPlayer:
    limits = {"seconds" if key == "time" else key: values[key] for key in _LIMITS if key in values}
    rest = {
        "resign_below" if key == "resign" else key: values[key] for key in ("symmetries", "resign") if key in values
    }
    if limits:
        rest["limits"] = Limits(**limits)
    if listener:
        rest["listener"] = listener
    return AlphaBetaPlayer(evaluator, SearchOptions(**{key: values[key] for key in _SEARCH if key in values}), **rest)
