"""What the files of a match hold, checked field by field."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from goban.errors import InputError, cut
from ownership.match.game import Ending


def parse_object(text: bytes, where: str, remedy: str) -> dict[str, Any]:
    """Return the JSON object that a text holds; raise InputError, which begins with `where`, if it holds none."""
    try:
        found = json.loads(text.decode())
    except (ValueError, RecursionError):
        received = "no JSON" if text.strip() else "nothing"
        raise InputError(f"{where}: expected a JSON object. Received: {received}; {remedy}") from None
    if not isinstance(found, dict):
        raise InputError(f"{where}: expected a JSON object. Received: {shown(found)}; {remedy}")
    return found


def shown(value: object) -> str:
    """Return a value as JSON, cut where it is long, for an error."""
    try:
        text = json.dumps(value)
    except RecursionError:  # what could just be read may be nested too deep to be written
        return "deeply nested lists"
    return cut(text)


def parse_result(line: bytes, where: str, players: int) -> dict[str, Any]:
    """Return the fields of a game's result.

    Args:
        line: of `results.jsonl`.
        where: file and line, with which an error begins.
        players: how many the match has.

    Raises:
        InputError: a field is missing or has a value that no game has.
    """
    remedy = "delete the line to play the game again"
    found = parse_object(line, where, remedy)
    for name, (fits, expected) in _FIELDS.items():
        if name not in found or not fits(found[name]):
            received = shown(found[name]) if name in found else "none"
            raise InputError(f"{where}: {name} must be {expected}. Received: {received}; {remedy}")
    fields: dict[str, Any] = {name: _as_tuple(found[name]) for name in _FIELDS}
    if not fields["first"] < fields["second"] < players:
        raise InputError(
            f"{where}: first and second must be two of the {players} players, counted from 0. "
            f"Received: {fields['first']} and {fields['second']}; {remedy}"
        )
    return fields


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_seconds(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < math.inf  # type: ignore[operator]


def _is_pair(value: object, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(fits, value))


_COUNT = _is_count, "a whole number from 0 up"
_TEXT = (lambda value: isinstance(value, str)), "a text"
_SECONDS = (lambda value: _is_pair(value, _is_seconds)), "two numbers of seconds from 0 up"
_FIELDS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "first": _COUNT,
    "second": _COUNT,
    "number": _COUNT,
    "winner": (lambda value: type(value) is int and value in (-1, 0, 1), "1, -1 or 0"),
    "ending": (lambda value: value in list(Ending), f"one of {', '.join(Ending)}"),
    "result": _TEXT,
    "detail": _TEXT,
    "moves": _COUNT,
    "seconds": _SECONDS,
    "longest": _SECONDS,
    "thought": (lambda value: _is_pair(value, _is_count), "two whole numbers from 0 up"),
    "id": _TEXT,
}
