"""Checks of the fields of network configurations, each an error of one line."""

import reprlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from goban.errors import InputError, cut


class NetworkConfigError(InputError):
    """A network configuration that cannot be built."""


def check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Raise NetworkConfigError for a value that is none of the choices."""
    if not any(value == each and type(value) is type(each) for each in choices):
        shown = ", ".join(map(str, choices))
        raise NetworkConfigError(f"{name} must be one of {shown}. Received: {reprlib.repr(value)}")


def check_range(name: str, value: object, low: int, high: int) -> None:
    """Raise NetworkConfigError for anything but a whole number from `low` to `high`."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NetworkConfigError(f"{name} must be a whole number from {low} to {high}. Received: {reprlib.repr(value)}")


def check_flag(name: str, value: object) -> None:
    """Raise NetworkConfigError for anything but true and false."""
    if not isinstance(value, bool):
        raise NetworkConfigError(f"{name} must be true or false. Received: {reprlib.repr(value)}")


def check_fields(kind: type, values: object, what: str) -> Mapping[str, Any]:
    """Return the fields of a dataclass `kind` given by name; raise NetworkConfigError for another value or name."""
    if not isinstance(values, Mapping):
        raise NetworkConfigError(f"{what} must be a mapping. Received: {reprlib.repr(values)}")
    known = [field.name for field in fields(kind)]
    for name in values:
        if name not in known:
            raise NetworkConfigError(f"{what} has the fields {', '.join(known)}. Received: {cut(str(name))}")
    return values
